#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

// A fooling set of an action: observations in which only this action is allowed, no two of which fit into one
// legal box (a box all of whose observations allow the action). Each of them needs a rule of its own, so an
// exactly-one program has at least as many rules for the action. This is easy to check: the smallest box
// around any two of them contains an observation where the action is not allowed.

/// The observations that allow an action. `allowed` has one bit per action for each position of the scope.
PositionSet allowing(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action);

bool is_fooling_set(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action,
                    std::span<const std::size_t> positions);

/// A large fooling set in ascending order: the best of a greedy search from every observation, not always the
/// largest.
std::vector<std::size_t> find_fooling_set(const Scope& scope, std::span<const std::uint64_t> allowed,
                                          ActionId action);

}  // namespace ndnf
