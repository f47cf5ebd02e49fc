#include "ndnf/distributions/distribution_classes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "ndnf/base/random.h"
#include "ndnf/boxes/box.h"
#include "ndnf/boxes/greedy_boxes.h"
#include "ndnf/boxes/greedy_rules.h"
#include "ndnf/boxes/minimum_cover.h"
#include "ndnf/distributions/distribution_clusters.h"
#include "ndnf/distributions/free_bias.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

constexpr std::size_t kAttempts = 5;

/// A short conjunction that holds in exactly these observations. REQUIRES: they are the members of their
/// hull.
Conjunction conjunction_of(const PositionSet& positions, const Scope& scope) {
  return literals(simplified(hull(scope, positions), scope), scope);
}

/// The observations that a cluster could include beyond its own, all at the same time. Any of them may still
/// end up elsewhere.
PositionSet reach_of(const std::vector<std::size_t>& cluster, const Matrix<double>& targets, double epsilon) {
  PositionSet reach(targets.rows());
  Envelope envelope;
  for (const std::size_t i : cluster) {
    reach.insert(i);
    envelope.add(targets.row_span(i));
  }
  const std::vector<double> centre = *envelope.centre(epsilon);
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t i = 0; i < targets.rows(); ++i) {
    const double off = largest_difference(targets.row_span(i), centre);
    if (!reach.contains(i) && off <= 2 * epsilon) others.emplace_back(off, i);
  }
  std::sort(others.begin(), others.end());
  for (const auto& [off, i] : others) {
    Envelope wider = envelope;
    wider.add(targets.row_span(i));
    if (!wider.centre(epsilon)) continue;
    envelope = std::move(wider);
    reach.insert(i);
  }
  return reach;
}

/// Observations that one distribution can serve: a certain action, or the centre of those that are included.
struct Candidates {
  PositionSet reach;
  std::optional<std::size_t> certain;
};

/// One for each action that is certain somewhere, within epsilon, and one for each cluster of the rest.
std::vector<Candidates> find_candidates(const Scope& scope, const Matrix<double>& targets, double epsilon) {
  std::vector<Candidates> found;
  for (std::size_t a = 0; a < targets.cols(); ++a) found.push_back({PositionSet(scope.size()), a});
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (is_nearly_certain(targets.row_span(i), epsilon)) {
      found[most_probable(targets.row_span(i))].reach.insert(i);
    } else {
      rest.push_back(i);
    }
  }
  for (const auto& cluster : cluster_distributions(scope, targets, rest, epsilon)) {
    found.push_back({reach_of(cluster, targets, epsilon), std::nullopt});
  }
  return found;
}

/// Boxes by their members, each with the cluster to which it belongs.
using ClusterBoxes = std::vector<std::pair<std::size_t, PositionSet>>;

/// Boxes for all clusters such that boxes of different clusters share no observation. Greedy: observations
/// are covered in the given order, and a box grows only over observations that no other cluster owns. Every
/// observation is in the reach of some cluster and is covered at the latest by a box of its own. Growing a
/// box costs n · groups · n/64 word operations, twice per observation and cluster.
class ExclusiveCover {
 public:
  /// Observations are covered in this order.
  ExclusiveCover(const Scope& scope, const std::vector<PositionSet>& reach,
                 std::span<const std::size_t> order)
      : boxes_(scope), reach_(reach), times_covered_(scope.size()), owner_(scope.size()) {
    for (const std::size_t i : order) cover(i);
    drop_redundant();
  }

  const ClusterBoxes& chosen() const { return chosen_; }

 private:
  /// The box around i, of one of the clusters that can include i, with the most uncovered observations.
  void cover(std::size_t i) {
    if (times_covered_[i] > 0) return;
    std::size_t best_cluster = 0;
    std::size_t best_count = 0;
    PositionSet best;
    for (std::size_t m = 0; m < reach_.size(); ++m) {
      if (!reach_[m].contains(i)) continue;
      const PositionSet allowed = still_free(m);
      for (const bool backwards : {false, true}) {
        const PositionSet& box = boxes_.grow(i, new_ones_first(allowed, backwards), allowed);
        const std::size_t count = count_new(box);
        if (count <= best_count) continue;
        std::tie(best_cluster, best_count, best) = std::tie(m, count, box);
      }
    }
    for (const std::uint32_t j : best.values()) {
      ++times_covered_[j];
      owner_[j] = best_cluster;
    }
    chosen_.emplace_back(best_cluster, std::move(best));
  }

  PositionSet still_free(std::size_t cluster) const {
    PositionSet free = reach_[cluster];
    for (const std::uint32_t i : reach_[cluster].values()) {
      if (times_covered_[i] > 0 && owner_[i] != cluster) free.erase(i);
    }
    return free;
  }

  std::vector<std::size_t> new_ones_first(const PositionSet& positions, bool backwards) const {
    const std::vector<std::uint32_t> values = positions.values();
    std::vector<std::size_t> order(values.begin(), values.end());
    if (backwards) std::reverse(order.begin(), order.end());
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return times_covered_[i] == 0; });
    return order;
  }

  std::size_t count_new(const PositionSet& box) const {
    std::size_t count = 0;
    for (const std::uint32_t i : box.values()) count += times_covered_[i] == 0;
    return count;
  }

  /// The first are dropped first.
  void drop_redundant() {
    std::reverse(chosen_.begin(), chosen_.end());
    std::vector<PositionSet> sets;
    for (const auto& entry : chosen_) sets.push_back(entry.second);
    ClusterBoxes kept;
    for (const std::size_t k : irredundant(sets)) kept.push_back(std::move(chosen_[k]));
    std::reverse(kept.begin(), kept.end());
    chosen_ = std::move(kept);
  }

  GreedyBoxes boxes_;
  const std::vector<PositionSet>& reach_;
  std::vector<std::size_t> times_covered_;
  std::vector<std::size_t> owner_;
  ClusterBoxes chosen_;
};

/// The smallest of the covers found with a few random orders.
ClusterBoxes cover(const Scope& scope, const std::vector<PositionSet>& reach) {
  std::vector<std::size_t> order(scope.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomSequence random(RandomStream(0, 0));
  ClusterBoxes best;
  for (std::size_t attempt = 0; attempt < kAttempts; ++attempt) {
    ClusterBoxes found = ExclusiveCover(scope, reach, order).chosen();
    if (attempt == 0 || found.size() < best.size()) best = std::move(found);
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
    }
  }
  return best;
}

/// The indicator of a union of sets as a weighted sum of indicators of their intersections: [A ∪ B] = [A] +
/// [B] − [A ∩ B], applied set by set. Equal intersections are merged and empty ones vanish; without overlaps
/// the terms are the sets themselves, in the worst case there are exponentially many.
std::map<PositionSet, double> inclusion_exclusion(const std::vector<PositionSet>& sets) {
  std::map<PositionSet, double> terms;
  for (const PositionSet& set : sets) {
    std::map<PositionSet, double> added{{set, 1.0}};
    for (const auto& [term, coefficient] : terms) {
      PositionSet both = term;
      both &= set;
      if (!both.empty()) added[both] -= coefficient;
    }
    for (const auto& [term, coefficient] : added) terms[term] += coefficient;
    std::erase_if(terms, [](const auto& entry) { return entry.second == 0; });
  }
  return terms;
}

}  // namespace

std::optional<ActionId> certain_action(std::span<const double> distribution) {
  const auto one = std::find(distribution.begin(), distribution.end(), 1.0);
  if (one == distribution.end()) return std::nullopt;
  return static_cast<ActionId>(one - distribution.begin());
}

bool is_nearly_certain(std::span<const double> distribution, double epsilon) {
  std::vector<double> certain(distribution.size());
  certain[most_probable(distribution)] = 1;
  return largest_difference(distribution, certain) <= epsilon;
}

std::size_t DistributionClasses::annotated_disjunctions() const {
  return static_cast<std::size_t>(std::count_if(
      classes.begin(), classes.end(), [](const auto& one) { return !certain_action(one.distribution); }));
}

namespace {

/// Classes by their observations, without distributions, and the action of those that are certain.
struct Partition {
  DistributionClasses classes;
  std::vector<std::optional<std::size_t>> certain;

  void add(std::size_t m, Conjunction conjunction, const PositionSet& members) {
    classes.classes[m].dnf.push_back(std::move(conjunction));
    members.for_each([&](std::uint32_t i) { classes.class_of[i] = m; });
  }
  std::size_t begin_class(std::optional<std::size_t> certain_action) {
    certain.push_back(certain_action);
    classes.classes.emplace_back();
    return certain.size() - 1;
  }
};

/// Clusters that compete for observations, and boxes that exclude each other.
Partition searched(const Scope& scope, const Matrix<double>& targets, double epsilon) {
  const std::vector<Candidates> candidates = find_candidates(scope, targets, epsilon);
  std::vector<PositionSet> reach;
  for (const Candidates& one : candidates) reach.push_back(one.reach);
  std::map<std::size_t, std::size_t> number;  // of the candidates that got boxes
  Partition result;
  result.classes.class_of.resize(scope.size());
  for (const auto& [candidate, members] : cover(scope, reach)) {
    const auto [entry, is_new] = number.emplace(candidate, number.size());
    if (is_new) result.begin_class(candidates[candidate].certain);
    result.add(entry->second, conjunction_of(members, scope), members);
  }
  return result;
}

/// In time near linear in the scope: certain actions and clusters along a line, each with its own cover.
Partition in_line(const Scope& scope, const Matrix<double>& targets, double epsilon) {
  std::vector<std::vector<std::size_t>> clusters(targets.cols());
  std::vector<std::size_t> rest;
  const std::vector<std::uint32_t> alike = scope.first_alike();
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (alike[i] != i) continue;
    const std::span<const double> p = targets.row_span(i);
    (is_nearly_certain(p, epsilon) ? clusters[most_probable(p)] : rest).push_back(i);
  }
  for (auto& cluster : clusters_in_line(targets, rest, epsilon)) clusters.push_back(std::move(cluster));
  Partition result;
  result.classes.class_of.resize(scope.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (clusters[c].empty()) continue;
    const std::size_t m =
        result.begin_class(c < targets.cols() ? std::optional(c) : std::optional<std::size_t>());
    for (const std::size_t i : clusters[c]) result.classes.class_of[i] = m;
  }
  for (std::size_t i = 0; i < scope.size(); ++i)
    result.classes.class_of[i] = result.classes.class_of[alike[i]];
  std::vector<std::vector<std::uint32_t>> members(result.certain.size());
  for (std::uint32_t i = 0; i < scope.size(); ++i) members[result.classes.class_of[i]].push_back(i);
  for (std::size_t m = 0; m < members.size(); ++m) {
    PositionSet inside(scope.size());
    for (const std::uint32_t i : members[m]) inside.insert(i);
    result.classes.classes[m].dnf = greedy_cover(scope, inside);
  }
  return result;
}

/// Beyond this many observations a search for few classes would take too long: it grows with their cube.
constexpr std::size_t kMostSearched = 2500;

}  // namespace

// Clusters the targets, covers the scope with boxes of mutually exclusive clusters, and then gives each class
// the centre of the targets that it really has. Both the clustering (distribution_clusters.h) and the cover
// are greedy, so the numbers of classes and boxes are small but not proved minimal; the deviation is measured
// at the end.
DistributionClasses distribution_classes(const Scope& scope, const Matrix<double>& targets, double epsilon) {
  assert(targets.rows() == scope.size());
  Partition partition =
      scope.size() <= kMostSearched ? searched(scope, targets, epsilon) : in_line(scope, targets, epsilon);
  DistributionClasses result = std::move(partition.classes);
  std::vector<Envelope> envelopes(result.classes.size());
  for (std::size_t i = 0; i < scope.size(); ++i) envelopes[result.class_of[i]].add(targets.row_span(i));
  for (std::size_t m = 0; m < result.classes.size(); ++m) {
    std::vector<double>& distribution = result.classes[m].distribution;
    if (const auto certain = partition.certain[m]) {
      distribution.resize(targets.cols());
      distribution[*certain] = 1;
    } else {
      distribution = *envelopes[m].centre(epsilon);
    }
  }
  for (std::size_t i = 0; i < scope.size(); ++i) {
    const std::span<const double> p = targets.row_span(i);
    const std::vector<double>& q = result.classes[result.class_of[i]].distribution;
    result.max_dp = std::max(result.max_dp, largest_difference(p, q));
    result.mean_kl += std::max(0.0, kl_divergence(p, q)) / static_cast<double>(scope.size());
  }
  return result;
}

NeuralDnf<double> network(const DistributionClasses& classes, const Scope& scope) {
  const std::size_t actions = classes.classes.front().distribution.size();
  std::vector<Conjunction> conjunctions;
  std::vector<double> weights;  // (conjunctions, A)
  std::vector<double> bias(actions);
  for (const DistributionClass& one : classes.classes) {
    std::vector<PositionSet> sets;
    for (const Conjunction& conjunction : one.dnf) sets.push_back(members(conjunction, scope));
    for (const auto& [term, coefficient] : inclusion_exclusion(sets)) {
      conjunctions.push_back(conjunction_of(term, scope));
      for (std::size_t a = 0; a < actions; ++a) {
        // [c = 1] = (c + 1) / 2 for the ±1 conjunction c.
        const double half = coefficient * std::log(std::max(one.distribution[a], kLeastProbability)) / 2;
        weights.push_back(half);
        bias[a] += half;
      }
    }
  }
  Matrix<double> W(conjunctions.size(), actions);
  std::copy(weights.begin(), weights.end(), W.values().begin());
  return affine_network(conjunctions, W, bias, scope.vocabulary().atom_count());
}

}  // namespace ndnf
