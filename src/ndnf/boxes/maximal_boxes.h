#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// Legal boxes of one action, as the sets of observations they contain. A box is legal if all its
/// observations are in `inside`, the observations in which the action is allowed.
struct LegalBoxes {
  /// Sorted; none is a subset of another; each contains exactly the members of its hull.
  std::vector<PositionSet> members;
  bool complete = true;  ///< Every legal box is a subset of one of these.
};

/// The maximal legal boxes; values that no observation has are don't-cares. There may be very many: if more
/// than `max_boxes` had to be kept at once, the result is some large boxes around every observation, not
/// `complete`.
LegalBoxes maximal_boxes(const Scope& scope, const PositionSet& inside, std::size_t max_boxes);

/// The orders of the varying groups that begin with each of them in turn; if there are very many, with some.
std::vector<std::vector<std::size_t>> group_rotations(const Scope& scope);

/// A maximal legal box around a legal one: values are added one by one, whole domains first, with the groups
/// in this order. REQUIRES: the order has every varying group.
Box grown(Box box, const Scope& scope, const PositionSet& inside,
          const std::vector<std::size_t>& group_order);

/// The box with the fewest literals found that contains `needed` and nothing outside `inside`. REQUIRES: the
/// hull of `needed` lies inside.
Box shortest_box(const Scope& scope, const PositionSet& needed, const PositionSet& inside);

}  // namespace ndnf
