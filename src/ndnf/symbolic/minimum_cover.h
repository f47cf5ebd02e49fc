#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/symbolic/deadline.h"
#include "ndnf/symbolic/scope.h"

namespace ndnf {

struct Cover {
  std::vector<std::size_t> chosen;  ///< Indices of sets that together hold every element, rising.
  std::size_t lower_bound = 0;  ///< No cover has fewer sets: by the witnesses or, where higher, by clingo.
};

/// As few of the sets as possible that together hold 0, 1, …, element_count − 1. `witnesses` are elements of
/// which no set holds two: where a greedy choice takes no more sets than that, nothing else is asked.
/// Otherwise clingo minimises; when the time is over, the greedy choice stays. Parts that share no set are
/// solved one by one. REQUIRES: every element is in some set.
Cover minimum_cover(std::size_t element_count, const std::vector<PositionSet>& sets,
                    const PositionSet& witnesses, const Deadline& deadline);

}  // namespace ndnf
