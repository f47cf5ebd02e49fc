#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/boxes/scope.h"

namespace ndnf {

/// The indices of the sets that remain, ascending, if redundant ones are dropped one by one, the last first:
/// a set is redundant if the others that remain cover all its elements.
std::vector<std::size_t> irredundant(const std::vector<PositionSet>& sets);

struct Cover {
  std::vector<std::size_t> chosen;  ///< Indices of sets that cover every element, ascending.
  std::size_t lower_bound = 0;      ///< No cover has fewer sets: by the witnesses or by clingo.
};

/// As few of the sets as possible that together cover all `elements`; they may contain other elements.
/// `witnesses` are elements no two of which are in one set: if a greedy cover has no more sets than there are
/// witnesses, it is optimal and clingo is not asked. Otherwise clingo minimises; if it reaches the limit
/// (solve_limit.h), the greedy cover stays. Parts that share no set are solved separately. REQUIRES: every
/// element is in some set.
Cover minimum_cover(const PositionSet& elements, std::vector<PositionSet> sets, const PositionSet& witnesses,
                    std::uint64_t solve_limit);

}  // namespace ndnf
