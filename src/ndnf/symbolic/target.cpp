#include "ndnf/symbolic/target.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

std::size_t largest_action(const RawOutputs& raw, std::size_t k) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < raw.rows(); ++j) {
    if (raw(j, k) > raw(best, k)) best = j;
  }
  return best;
}

bool is_best(const Target& target, std::size_t k, std::size_t action) {
  return (target.best[k] >> action & 1) != 0;
}

std::span<const double> wanted(const Target& target, std::size_t k) {
  return {target.p.row(k), target.p.cols()};
}

}  // namespace

Target make_target(const Scope& scope, const PolicyTable& policy) {
  Target target{Matrix<double>(scope.size(), policy.action_count()),
                std::vector<std::uint64_t>(scope.size())};
  for (std::size_t k = 0; k < scope.size(); ++k) {
    const auto row = policy.row(scope.observations()[k]);
    std::copy(row.begin(), row.end(), target.p.row(k));
    const double largest = *std::max_element(row.begin(), row.end());
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == largest) target.best[k] |= std::uint64_t{1} << j;
    }
  }
  return target;
}

OutputCheck keeps_best_action(const Target& target, const RawOutputs& original) {
  std::vector<std::uint64_t> alone = true_actions(original);  // 0 where not exactly the best action is true
  for (std::size_t k = 0; k < alone.size(); ++k) {
    if (!std::has_single_bit(alone[k]) || (alone[k] & target.best[k]) == 0) alone[k] = 0;
  }
  return [&target, alone = std::move(alone)](const RawOutputs& raw) {
    const std::vector<std::uint64_t> truth = true_actions(raw);
    for (std::size_t k = 0; k < raw.cols(); ++k) {
      if (!is_best(target, k, largest_action(raw, k))) return false;
      if (alone[k] != 0 && truth[k] != alone[k]) return false;
    }
    return true;
  };
}

OutputCheck keeps_exactly_one(const Target& target) {
  return [&target](const RawOutputs& raw) {
    const std::vector<std::uint64_t> truth = true_actions(raw);
    for (std::size_t k = 0; k < truth.size(); ++k) {
      if (!std::has_single_bit(truth[k]) || (truth[k] & target.best[k]) == 0) return false;
    }
    return true;
  };
}

OutputCheck keeps_distribution(const Target& target, double tolerance) {
  // Where one edge was missed, the next is likely to be missed too: that observation is asked first.
  return [&target, tolerance, suspect = std::size_t{0},
          p = std::vector<double>()](const RawOutputs& raw) mutable {
    const auto is_close = [&](std::size_t k) {
      probabilities(raw, k, p);
      return largest_difference(wanted(target, k), p) <= tolerance;
    };
    if (!is_close(suspect)) return false;
    for (std::size_t k = 0; k < raw.cols(); ++k) {
      if (is_close(k)) continue;
      suspect = k;
      return false;
    }
    return true;
  };
}

double mean_kl(const Target& target, const RawOutputs& raw) {
  std::vector<double> q;
  double sum = 0;
  for (std::size_t k = 0; k < raw.cols(); ++k) {
    probabilities(raw, k, q);
    sum += kl_divergence(wanted(target, k), q);
  }
  return sum / static_cast<double>(raw.cols());
}

}  // namespace ndnf
