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

/// The orders in which groups are extended to their whole domains: all permutations if there are few groups,
/// otherwise the rotations.
std::vector<std::vector<std::size_t>> group_orders(std::size_t group_count) {
  constexpr std::size_t kFew = 4;
  if (group_count > kFew) return group_rotations(group_count);
  std::vector<std::size_t> order(group_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

/// A legal box that takes in further values, one group after the other. A value can be added if no outsider
/// has it that all other groups admit. That does not depend on which other values of its group are in the
/// box, so one look at the outsiders decides about all values of a group.
class Growth {
 public:
  Growth(Box box, const Scope& scope, const PositionSet& inside)
      : scope_(scope), box_(std::move(box)), outside_(PositionSet::first(scope.size())) {
    outside_ -= inside;
    for (std::size_t g = 0; g < box_.groups.size(); ++g)
      admitted_.push_back(admitted(box_.groups[g], g, scope));
  }

  const Box& box() const { return box_; }

  /// Takes in the whole domain of a group, if that is legal.
  void widen_fully(std::size_t g) {
    if (outsiders_but_for(g).empty()) set(g, scope_.domain(g));
  }
  /// Takes in every value of a group that can be added.
  void widen(std::size_t g) {
    ValueSet values = scope_.domain(g);
    outsiders_but_for(g).for_each([&](std::uint32_t i) { values.erase(scope_.values(i)[g]); });
    set(g, std::move(values));
  }

 private:
  /// The outsiders that all groups but g admit.
  PositionSet outsiders_but_for(std::size_t g) const {
    PositionSet set = outside_;
    for (std::size_t h = 0; h < admitted_.size(); ++h) {
      if (h != g) set &= admitted_[h];
    }
    return set;
  }
  void set(std::size_t g, ValueSet values) {
    if (values == box_.groups[g]) return;
    admitted_[g] = admitted(values, g, scope_);
    box_.groups[g] = std::move(values);
  }

  const Scope& scope_;
  Box box_;
  PositionSet outside_;
  std::vector<PositionSet> admitted_;  // per group of the box
};

/// Boxes around every observation, one for each order of groups.
std::vector<PositionSet> some_large(const Scope& scope, const PositionSet& inside) {
  std::vector<PositionSet> found;
  const auto orders = group_orders(scope.vocabulary().group_count());
  inside.for_each([&](std::uint32_t i) {
    const Box core = hull(scope, std::array{std::size_t{i}});
    if (!members(core, scope).is_subset_of(inside)) return;  // an outsider with the same atoms
    for (const std::vector<std::size_t>& order : orders)
      found.push_back(members(grown(core, scope, inside, order), scope));
  });
  std::vector<PositionSet> family;
  add_maximal(std::move(found), family);
  return family;
}

}  // namespace

std::vector<std::vector<std::size_t>> group_rotations(std::size_t group_count) {
  if (group_count == 0) return {{}};
  std::vector<std::size_t> order(group_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  for (std::size_t k = 0; k < group_count; ++k) {
    orders.push_back(order);
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  return orders;
}

Box grown(Box box, const Scope& scope, const PositionSet& inside,
          const std::vector<std::size_t>& group_order) {
  Growth growth(std::move(box), scope, inside);
  for (const std::size_t g : group_order) growth.widen_fully(g);
  for (const std::size_t g : group_order) growth.widen(g);
  return growth.box();
}

LegalBoxes maximal_boxes(const Scope& scope, const PositionSet& inside, std::size_t max_boxes) {
  if (inside.empty()) return {};
  std::optional<std::vector<PositionSet>> all = all_maximal(scope, inside, max_boxes);
  LegalBoxes boxes{all ? std::move(*all) : some_large(scope, inside), all.has_value()};
  std::sort(boxes.members.begin(), boxes.members.end());
  return boxes;
}

Box shortest_box(const Scope& scope, const PositionSet& needed, const PositionSet& inside) {
  const Box core = hull(scope, needed);
  const auto length = [&](const Box& box) {
    return std::pair(literals(box, scope).size(), splits(box, scope));
  };
  Box best = core;
  constexpr std::size_t kLarge = 4096;
  const auto orders =
      scope.size() > kLarge ? group_rotations(core.groups.size()) : group_orders(core.groups.size());
  for (const std::vector<std::size_t>& order : orders) {
    Box box = grown(core, scope, inside, order);
    if (length(box) < length(best)) best = std::move(box);
  }
  return best;
}

}  // namespace ndnf
