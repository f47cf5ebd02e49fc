#include "ndnf/nodes/disentangle.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace ndnf {
namespace {

// The contribution of each value of a group to z. Levels are in descending order of score: choosing level l
// keeps all values of levels 0 to l, and the worst of them contributes levels[l].score.
struct Level {
  double score;
  std::vector<std::uint32_t> values;  // those added at this level
};
struct GroupLevels {
  std::size_t first_atom;
  bool one_hot;
  std::size_t value_count;
  std::vector<Level> levels;
};

GroupLevels levels_of(const Node& node, const AtomGroup& group, std::size_t first) {
  const double* w = node.w.data() + first;
  double all_false = 0;
  for (std::size_t a = 0; a < group.atoms.size(); ++a) all_false -= w[a];
  std::vector<std::pair<double, std::uint32_t>> scores;
  for (std::uint32_t v = 0; v < group.value_count(); ++v) {
    const double true_weight = group.one_hot ? w[v] : (v == 1 ? w[0] : 0.0);
    scores.emplace_back(all_false + 2 * true_weight, v);
  }
  std::stable_sort(scores.begin(), scores.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  GroupLevels result{first, group.one_hot, group.value_count(), {}};
  for (const auto& [score, value] : scores) {
    if (result.levels.empty() || result.levels.back().score != score) result.levels.push_back({score, {}});
    result.levels.back().values.push_back(value);
  }
  return result;
}

// Depth-first search over one level per group. A prime implicant that keeps a value also keeps all values of
// the group with at least its score, so it is given by a level per group. It is an implicant if z > 0 for the
// worst kept values, and prime if going one level down in any single group makes z ≤ 0. Two bounds prune: z
// cannot become positive even with the best remaining levels, or it stays so large even with the worst ones
// that some chosen group could go down a level. Groups with the largest range come first, so the bounds take
// effect early. Threshold functions can have exponentially many primes: `most` limits their number and
// kStepsPerPrime · most the steps.
class PrimeSearch {
 public:
  PrimeSearch(std::vector<GroupLevels> groups, double bias, std::size_t most)
      : groups_(std::move(groups)),
        best_rest_(groups_.size() + 1),
        worst_rest_(groups_.size() + 1),
        chosen_(groups_.size()),
        most_(most) {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const GroupLevels& a, const GroupLevels& b) { return range(a) > range(b); });
    for (std::size_t g = groups_.size(); g-- > 0;) {
      best_rest_[g] = best_rest_[g + 1] + groups_[g].levels.front().score;
      worst_rest_[g] = worst_rest_[g + 1] + groups_[g].levels.back().score;
    }
    complete_ = search(0, bias, std::numeric_limits<double>::infinity());
  }

  bool complete() const { return complete_; }
  Dnf take() { return std::move(found_); }

 private:
  static double range(const GroupLevels& group) {
    return group.levels.front().score - group.levels.back().score;
  }

  // `give` is the smallest loss of z if one of the groups chosen so far goes down a level: at the end z must
  // not exceed it. False if a limit is reached.
  bool search(std::size_t g, double z, double give) {
    if (++steps_ > kStepsPerPrime * most_) return false;
    if (!(z + best_rest_[g] > 0) || z + worst_rest_[g] - give > 0) return true;
    if (g == groups_.size()) return add();
    const auto& levels = groups_[g].levels;
    for (std::size_t l = levels.size(); l-- > 0;) {
      chosen_[g] = l;
      const double own = l + 1 < levels.size() ? levels[l].score - levels[l + 1].score : give;
      if (!search(g + 1, z + levels[l].score, std::min(give, own))) return false;
    }
    return true;
  }

  bool add() {
    if (found_.size() == most_) return false;
    Conjunction& prime = found_.emplace_back();
    for (std::size_t g = 0; g < groups_.size(); ++g) add_literals(groups_[g], chosen_[g], prime);
    std::sort(prime.begin(), prime.end());
    return true;
  }

  // The kept values as literals: the only value that is left, or the negation of each excluded one.
  static void add_literals(const GroupLevels& group, std::size_t chosen, Conjunction& out) {
    if (chosen + 1 == group.levels.size()) return;
    const auto atom = [&](std::uint32_t value) { return static_cast<AtomId>(group.first_atom + value); };
    if (!group.one_hot) {
      out.push_back({static_cast<AtomId>(group.first_atom), group.levels[0].values[0] == 1});
    } else if (chosen == 0 && group.levels[0].values.size() == 1) {
      out.push_back({atom(group.levels[0].values[0]), true});
    } else {
      for (std::size_t l = chosen + 1; l < group.levels.size(); ++l) {
        for (const std::uint32_t value : group.levels[l].values) out.push_back({atom(value), false});
      }
    }
  }

  static constexpr std::size_t kStepsPerPrime = 1000;

  std::vector<GroupLevels> groups_;
  std::vector<double> best_rest_;
  std::vector<double> worst_rest_;
  std::size_t steps_ = 0;
  std::vector<std::size_t> chosen_;
  std::size_t most_;
  Dnf found_;
  bool complete_ = false;
};

}  // namespace

Node node_of(const Matrix<double>& W, std::size_t column, NodeType type, BiasType bias, double delta) {
  Node node{std::vector<double>(W.rows()), 0};
  for (std::size_t i = 0; i < W.rows(); ++i) node.w[i] = W(i, column);
  node.bias = logical_bias(node.w, type, bias, delta);
  return node;
}

std::optional<Dnf> disentangled(const Node& node, std::span<const AtomGroup> groups, std::size_t most) {
  if (std::all_of(node.w.begin(), node.w.end(), [](double w) { return w == 0; })) return Dnf{};
  std::vector<GroupLevels> levels;
  std::size_t first = 0;
  double constant = node.bias;
  for (const AtomGroup& group : groups) {
    GroupLevels own = levels_of(node, group, first);
    first += group.atoms.size();
    if (own.levels.size() == 1) {
      constant += own.levels[0].score;
    } else {
      levels.push_back(std::move(own));
    }
  }
  PrimeSearch search(std::move(levels), constant, most);
  if (!search.complete()) return std::nullopt;
  return search.take();
}

std::optional<Dnf> disentangled(const Node& node, std::size_t most) {
  const std::vector<AtomGroup> free_inputs(node.w.size(), AtomGroup::single("x"));
  return disentangled(node, free_inputs, most);
}

}  // namespace ndnf
