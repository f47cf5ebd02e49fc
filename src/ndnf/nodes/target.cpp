#include "ndnf/nodes/target.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

bool is_best(const Target& target, std::size_t k, std::size_t action) {
  return (target.best[k] >> action & 1) != 0;
}

std::span<const double> wanted(const Target& target, std::size_t k) {
  return {target.p.row(k), target.p.cols()};
}

}  // namespace

std::uint64_t best_actions(const PolicyTable& policy, ObsId obs, Ties ties) {
  const ActionId first = policy.argmax(obs);
  std::uint64_t best = std::uint64_t{1} << first;
  if (ties == Ties::kEval) return best;
  const auto row = policy.row(obs);
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j] == row[first]) best |= std::uint64_t{1} << j;
  }
  return best;
}

Target make_target(const Scope& scope, const PolicyTable& policy, Ties ties) {
  Target target{Matrix<double>(scope.size(), policy.action_count()), {}};
  for (std::size_t k = 0; k < scope.size(); ++k) {
    const ObsId obs = scope.observations()[k];
    std::copy(policy.row(obs).begin(), policy.row(obs).end(), target.p.row(k));
    target.best.push_back(best_actions(policy, obs, ties));
  }
  return target;
}

OutputCheck keeps_best_action(const Target& target, const RawOutputs& original) {
  std::vector<std::uint64_t> alone;  // 0 where not exactly the best action is true
  for (std::size_t k = 0; k < original.cols(); ++k) {
    const std::uint64_t truth = true_actions(original, k);
    alone.push_back(std::has_single_bit(truth) ? truth & target.best[k] : 0);
  }
  return {[&target, alone = std::move(alone)](const RawOutputs& raw, std::size_t k) {
    return is_best(target, k, largest_action(raw, k)) && (alone[k] == 0 || true_actions(raw, k) == alone[k]);
  }};
}

OutputCheck keeps_exactly_one(const Target& target) {
  return {[&target](const RawOutputs& raw, std::size_t k) {
    const std::uint64_t truth = true_actions(raw, k);
    return std::has_single_bit(truth) && (truth & target.best[k]) != 0;
  }};
}

OutputCheck keeps_distribution(const Target& target, double tolerance) {
  return {[&target, tolerance, p = std::vector<double>()](const RawOutputs& raw, std::size_t k) mutable {
    probabilities(raw, k, p);
    return largest_difference(wanted(target, k), p) <= tolerance;
  }};
}

std::size_t largest_action(const RawOutputs& raw, std::size_t observation) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < raw.rows(); ++j) {
    if (raw(j, observation) > raw(best, observation)) best = j;
  }
  return best;
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
