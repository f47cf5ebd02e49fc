#include "ndnf/boxes/maximal_boxes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace ndnf {
namespace {

bool within_one_of(const PositionSet& set, const std::vector<PositionSet>& family) {
  return std::any_of(family.begin(), family.end(),
                     [&](const PositionSet& other) { return set.is_subset_of(other); });
}

/// Adds the pieces that are not a subset of another set.
void add_maximal(std::vector<PositionSet> pieces, std::vector<PositionSet>& family) {
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const PositionSet& a, const PositionSet& b) { return a.size() > b.size(); });
  for (PositionSet& piece : pieces) {
    if (!piece.empty() && !within_one_of(piece, family)) family.push_back(std::move(piece));
  }
}

/// The maximal sets whose hulls avoid one more observation, the outsider. If the hull of a set contains it,
/// then a subset whose hull does not must lack one of the outsider's values altogether: it has lost all
/// observations that share this value. Trying every group gives all maximal candidates.
std::vector<PositionSet> avoiding(std::vector<PositionSet> family, const Scope& scope, std::size_t outsider) {
  const std::span<const std::uint32_t> values = scope.values(outsider);
  std::vector<PositionSet> kept;
  std::vector<PositionSet> pieces;
  for (PositionSet& set : family) {
    bool hull_holds_it = true;
    for (std::size_t g = 0; g < values.size() && hull_holds_it; ++g) {
      hull_holds_it = set.intersects(scope.showing(g, values[g]));
    }
    if (!hull_holds_it) {
      kept.push_back(std::move(set));
      continue;
    }
    for (std::size_t g = 0; g < values.size(); ++g) {
      pieces.push_back(set);
      pieces.back() -= scope.showing(g, values[g]);
    }
  }
  add_maximal(std::move(pieces), kept);
  return kept;
}

// Excludes one illegal observation at a time. At any time the family consists of the maximal subsets of
// `inside` whose hulls avoid all outsiders seen so far, so at the end these are the maximal legal boxes. The
// family may grow exponentially, hence max_boxes. A step costs at most groups · family² subset tests of n/64
// words.
std::optional<std::vector<PositionSet>> all_maximal(const Scope& scope, const PositionSet& inside,
                                                    std::size_t max_boxes) {
  std::vector<PositionSet> family{inside};
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (inside.contains(i)) continue;
    family = avoiding(std::move(family), scope, i);
    if (family.size() > max_boxes) return std::nullopt;
  }
  return family;
}

/// The observations, ordered by the number of groups in which they differ from the i-th.
std::vector<std::size_t> nearest_first(const Scope& scope, std::size_t i, const PositionSet& inside) {
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (const std::size_t j : inside.values()) {
    std::size_t differences = 0;
    for (std::size_t g = 0; g < scope.values(i).size(); ++g)
      differences += scope.values(i)[g] != scope.values(j)[g];
    order.emplace_back(differences, j);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> nearest;
  for (const auto& entry : order) nearest.push_back(entry.second);
  return nearest;
}

/// Adds one observation after the other as long as the hull stays legal; empty if the first is not legal.
PositionSet grown_along(const Scope& scope, const std::vector<std::size_t>& order,
                        const PositionSet& inside) {
  Box box = hull(scope, std::array{order.front()});
  if (!members(box, scope).is_subset_of(inside)) return PositionSet(scope.size());
  for (const std::size_t i : order) {
    Box larger = box;
    for (std::size_t g = 0; g < larger.groups.size(); ++g) larger.groups[g].insert(scope.values(i)[g]);
    if (members(larger, scope).is_subset_of(inside)) box = std::move(larger);
  }
  return members(box, scope);
}

std::vector<PositionSet> some_maximal(const Scope& scope, const PositionSet& inside) {
  std::vector<PositionSet> found;
  for (const std::size_t i : inside.values()) {
    std::vector<std::size_t> order = nearest_first(scope, i, inside);
    found.push_back(grown_along(scope, order, inside));
    std::reverse(order.begin() + 1, order.end());
    found.push_back(grown_along(scope, order, inside));
  }
  std::vector<PositionSet> family;
  add_maximal(std::move(found), family);
  return family;
}

/// The orders in which groups are extended to their whole domains: all permutations if there are few groups,
/// otherwise the rotations.
std::vector<std::vector<std::size_t>> group_orders(std::size_t group_count) {
  constexpr std::size_t kFew = 4;
  std::vector<std::size_t> order(group_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  if (group_count <= kFew) {
    do {
      orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
  } else {
    for (std::size_t k = 0; k < group_count; ++k) {
      orders.push_back(order);
      std::rotate(order.begin(), order.begin() + 1, order.end());
    }
  }
  return orders;
}

}  // namespace

LegalBoxes maximal_boxes(const Scope& scope, const PositionSet& inside, std::size_t max_boxes) {
  if (inside.empty()) return {};
  std::optional<std::vector<PositionSet>> all = all_maximal(scope, inside, max_boxes);
  LegalBoxes boxes{all ? std::move(*all) : some_maximal(scope, inside), all.has_value()};
  std::sort(boxes.members.begin(), boxes.members.end());
  return boxes;
}

Box grown(Box box, const Scope& scope, const PositionSet& inside,
          const std::vector<std::size_t>& group_order) {
  const auto replace_if_legal = [&](std::size_t g, const ValueSet& values) {
    ValueSet former = std::exchange(box.groups[g], values);
    if (!members(box, scope).is_subset_of(inside)) box.groups[g] = std::move(former);
  };
  for (const std::size_t g : group_order) replace_if_legal(g, scope.domain(g));
  for (const std::size_t g : group_order) {
    for (const std::uint32_t value : scope.domain(g).values()) {
      if (box.groups[g].contains(value)) continue;
      ValueSet larger = box.groups[g];
      larger.insert(value);
      replace_if_legal(g, larger);
    }
  }
  return box;
}

Box shortest_box(const Scope& scope, const PositionSet& needed, const PositionSet& inside) {
  const Box core = hull(scope, needed);
  const auto length = [&](const Box& box) {
    return std::pair(literals(box, scope).size(), splits(box, scope));
  };
  Box best = core;
  for (const std::vector<std::size_t>& order : group_orders(core.groups.size())) {
    Box box = grown(core, scope, inside, order);
    if (length(box) < length(best)) best = std::move(box);
  }
  return best;
}

}  // namespace ndnf
