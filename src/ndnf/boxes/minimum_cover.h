#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/boxes/scope.h"

namespace ndnf {

struct Cover {
  std::vector<std::size_t> chosen;  ///< Indices of sets that together hold every element, rising.
  std::size_t lower_bound = 0;  ///< No cover has fewer sets: by the witnesses or, where higher, by clingo.
};

/// As few of the sets as possible that together hold all `elements`; whatever else they hold does not matter.
/// `witnesses` are elements of which no set holds two: where a greedy choice takes no more sets than that,
/// nothing else is asked. Otherwise clingo minimises; when it reaches the limit (solve_limit.h), the greedy
/// choice stays. Parts that share no set are solved one by one. REQUIRES: every element is in some set.
Cover minimum_cover(const PositionSet& elements, std::vector<PositionSet> sets, const PositionSet& witnesses,
                    std::uint64_t solve_limit);

}  // namespace ndnf
