#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// Legal boxes of one action, as the sets of observations they hold. A box is legal if all that it holds of
/// the scope is `inside`, the observations in which the action is allowed.
struct LegalBoxes {
  std::vector<PositionSet>
      members;           ///< Rising; none within another; each holds exactly the members of its hull.
  bool complete = true;  ///< Every legal box holds a subset of one of these.
};

/// The maximal legal boxes; what no observation shows is free. There may be very many: when more than
/// `max_boxes` would have to be kept at once, some maximal boxes around every observation instead, and not
/// `complete`.
LegalBoxes maximal_boxes(const Scope& scope, const PositionSet& inside, std::size_t max_boxes);

/// A maximal legal box around a legal one: its values are added one by one, whole domains first, the groups
/// in this order.
Box grown(Box box, const Scope& scope, const PositionSet& inside,
          const std::vector<std::size_t>& group_order);

/// The box of the fewest literals found that holds `needed` and nothing but `inside`. REQUIRES: the hull of
/// `needed` lies inside.
Box shortest_box(const Scope& scope, const PositionSet& needed, const PositionSet& inside);

}  // namespace ndnf
