#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

struct Placement {
  std::optional<std::vector<ActionRule>> rules;  ///< One per box, without the empty ones.
  bool impossible = false;  ///< Proved by clingo. No rules and not impossible: limit reached.
};

/// Asks clingo to place `count` boxes so that every observation is in boxes of exactly one action, and that
/// action is allowed. With ties this is more than a cover problem: clingo also decides which of the tied
/// actions an observation gets. `witnesses` are fooling sets, one per action: each of their observations is
/// assigned a box in advance, which breaks the symmetry between boxes. REQUIRES: count is at least the number
/// of witnesses.
Placement place_boxes(const Scope& scope, std::span<const std::uint64_t> allowed,
                      std::span<const std::vector<std::size_t>> witnesses, std::size_t count,
                      std::uint64_t solve_limit);

}  // namespace ndnf
