#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "boxes/scopes.h"
#include "ndnf/boxes/fooling_set.h"

// Minima by exhaustive search.

namespace ndnf::testing {

/// The minimum number of these sets that cover all of `inside`.
inline std::size_t smallest_cover(const std::vector<PositionSet>& sets, const PositionSet& inside) {
  std::size_t best = sets.size();
  for (std::uint64_t choice = 0; choice < std::uint64_t{1} << sets.size(); ++choice) {
    PositionSet left = inside;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if ((choice >> s & 1) != 0) left -= sets[s];
    }
    if (left.empty()) best = std::min(best, static_cast<std::size_t>(std::popcount(choice)));
  }
  return best;
}

/// The minimum of `size` over all ways to break the ties; `size` gets the fewest boxes of each action.
inline std::size_t smallest(const Scope& scope, std::vector<std::uint64_t> allowed,
                            const std::function<std::size_t(const std::vector<std::size_t>&)>& size) {
  const auto tie =
      std::find_if(allowed.begin(), allowed.end(), [](auto mask) { return std::popcount(mask) > 1; });
  if (tie != allowed.end()) {
    const std::uint64_t tied = *tie;
    std::size_t best = SIZE_MAX;
    for (std::uint64_t rest = tied; rest != 0; rest &= rest - 1) {
      *tie = rest & -rest;
      best = std::min(best, smallest(scope, allowed, size));
    }
    return best;
  }
  std::vector<std::size_t> covers;
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    const PositionSet inside = allowing(scope, allowed, a);
    covers.push_back(smallest_cover(maximal_sets_by_trying(scope, inside), inside));
  }
  return size(covers);
}

}  // namespace ndnf::testing
