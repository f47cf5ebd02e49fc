#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

struct ActionBox {
  ActionId action = 0;
  Box box;
};

struct Placement {
  std::optional<std::vector<ActionBox>> boxes;  ///< Those that hold something.
  bool impossible = false;  ///< Proved by clingo. Otherwise without boxes: the limit was reached.
};

/// Asks clingo to place `count` boxes so that every observation is in boxes of exactly one action, an allowed
/// one. Where actions tie this is more than a cover: which of them has the observation is part of the
/// question. `witnesses` are fooling sets, one per action: each of their observations gets a box of its own,
/// so that clingo need not try which box goes where. REQUIRES: count is at least the number of witnesses.
Placement place_boxes(const Scope& scope, std::span<const std::uint64_t> allowed,
                      std::span<const std::vector<std::size_t>> witnesses, std::size_t count,
                      std::uint64_t solve_limit);

}  // namespace ndnf
