#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

// What can be done with rules in time near linear in the scope, for tasks of any size. Nothing is proved
// about their number.

/// Few rules, of which in every observation of the scope one fires, and only rules for one of the allowed
/// actions. `allowed` is as for extract_exactly. A rule begins at the first observation that is not covered
/// yet, as the box that grows over most of the others. REQUIRES: no observation is inseparable.
std::vector<ActionRule> greedy_rules(const Scope& scope, std::span<const std::uint64_t> allowed);

/// Few boxes within `inside` that together cover it. REQUIRES: an observation with the same atoms as one of
/// them is one of them.
std::vector<Conjunction> greedy_cover(const Scope& scope, const PositionSet& inside);

/// Replaces each rule by a shorter one that still fires where no other rule of its action does, and removes
/// rules without such a part. REQUIRES: in every observation rules for exactly one action fire.
void shorten(const Scope& scope, std::vector<ActionRule>& rules);

/// By action, the rule that fires most often first.
void sort_rules(const Scope& scope, std::vector<ActionRule>& rules);

}  // namespace ndnf
