#include "ndnf/boxes/maximal_boxes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ndnf {
namespace {

/// More rotations of groups than this are not tried.
constexpr std::size_t kMostRotations = 64;
/// Nor are more pieces of boxes kept at a time.
constexpr std::size_t kMostPieces = std::size_t{1} << 20;

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
/// Nothing if there are too many.
std::optional<std::vector<PositionSet>> avoiding(std::vector<PositionSet> family, const Scope& scope,
                                                 std::size_t outsider) {
  const std::span<const std::uint32_t> values = scope.values(outsider);
  const std::span<const std::size_t> groups = scope.varying_groups();
  std::vector<PositionSet> kept;
  std::vector<PositionSet> pieces;
  for (PositionSet& set : family) {
    bool hull_holds_it = true;
    for (std::size_t k = 0; k < groups.size() && hull_holds_it; ++k) {
      hull_holds_it = set.intersects(scope.showing(groups[k], values[groups[k]]));
    }
    if (!hull_holds_it) {
      kept.push_back(std::move(set));
      continue;
    }
    if (pieces.size() + groups.size() > kMostPieces) return std::nullopt;
    for (const std::size_t g : groups) {
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
    auto next = avoiding(std::move(family), scope, i);
    if (!next || next->size() > max_boxes) return std::nullopt;
    family = std::move(*next);
  }
  return family;
}

/// The orders in which groups are extended to their whole domains: all permutations if there are few groups,
/// otherwise the rotations.
std::vector<std::vector<std::size_t>> group_orders(const Scope& scope) {
  constexpr std::size_t kFew = 4;
  const std::span<const std::size_t> groups = scope.varying_groups();
  if (groups.size() > kFew) return group_rotations(scope);
  std::vector<std::size_t> order(groups.begin(), groups.end());
  std::vector<std::vector<std::size_t>> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

/// A legal box that takes in further values, one group after the other. A value can be added if no outsider
/// has it that all other groups admit. That does not depend on which other values of its group are in the
/// box, so one look at the outsiders decides about all values of a group. A sweep over all groups costs
/// groups · n/64 words: the outsiders that the groups before and after one admit are kept.
class Growth {
 public:
  Growth(Box box, const Scope& scope, const PositionSet& inside)
      : scope_(scope), box_(std::move(box)), outside_(PositionSet::first(scope.size())) {
    outside_ -= inside;
  }

  const Box& box() const { return box_; }

  /// Takes in the whole domain of each group where that is legal.
  void widen_fully(const std::vector<std::size_t>& order) {
    sweep(order, [this](std::size_t g, const PositionSet& outsiders) {
      if (outsiders.empty()) box_.groups[g] = scope_.domain(g);
    });
  }
  /// Takes in every value of a group that can be added.
  void widen(const std::vector<std::size_t>& order) {
    sweep(order, [this](std::size_t g, const PositionSet& outsiders) {
      ValueSet values = scope_.domain(g);
      outsiders.for_each([&](std::uint32_t i) { values.erase(scope_.values(i)[g]); });
      box_.groups[g] = std::move(values);
    });
  }

 private:
  /// Calls `change` for each group with the outsiders that all other groups admit.
  template <class Change>
  void sweep(const std::vector<std::size_t>& order, const Change& change) {
    std::vector<PositionSet> after(order.size() + 1, PositionSet::first(scope_.size()));
    for (std::size_t k = order.size(); k-- > 0;) {
      after[k] = after[k + 1];
      after[k] &= admitted(box_.groups[order[k]], order[k], scope_);
    }
    PositionSet before = outside_;
    for (std::size_t k = 0; k < order.size(); ++k) {
      PositionSet outsiders = before;
      outsiders &= after[k + 1];
      change(order[k], outsiders);
      before &= admitted(box_.groups[order[k]], order[k], scope_);
    }
  }

  const Scope& scope_;
  Box box_;
  PositionSet outside_;
};

/// Boxes around every observation, one for each order of groups.
std::vector<PositionSet> some_large(const Scope& scope, const PositionSet& inside) {
  std::vector<PositionSet> found;
  const auto orders = group_orders(scope);
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

std::vector<std::vector<std::size_t>> group_rotations(const Scope& scope) {
  const std::vector<std::size_t> groups(scope.varying_groups().begin(), scope.varying_groups().end());
  if (groups.empty()) return {{}};
  std::vector<std::vector<std::size_t>> orders;
  const std::size_t count = std::min(groups.size(), kMostRotations);
  for (std::size_t k = 0; k < count; ++k) {
    orders.push_back(groups);
    const std::size_t first = k * groups.size() / count;
    std::rotate(orders.back().begin(), orders.back().begin() + static_cast<std::ptrdiff_t>(first),
                orders.back().end());
  }
  return orders;
}

Box grown(Box box, const Scope& scope, const PositionSet& inside,
          const std::vector<std::size_t>& group_order) {
  Growth growth(std::move(box), scope, inside);
  growth.widen_fully(group_order);
  growth.widen(group_order);
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
  const auto orders = scope.size() > kLarge ? group_rotations(scope) : group_orders(scope);
  for (const std::vector<std::size_t>& order : orders) {
    Box box = grown(core, scope, inside, order);
    if (length(box) < length(best)) best = std::move(box);
  }
  return best;
}

}  // namespace ndnf
