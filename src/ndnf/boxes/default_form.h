#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// Class D: rules for all actions but one, the default, which is taken where no rule fires.
struct DefaultProgram {
  std::vector<ActionRule> rules;
  ActionId otherwise = 0;
  std::size_t lower_bound = 0;  ///< No program of this class has fewer rules, counting the default.
  std::string proof;            ///< The proof of the bound: "fooling set" or "clingo".

  std::size_t size() const { return rules.size() + 1; }
};

/// The smallest program found. Without ties no search is needed: each action needs as many boxes as in
/// `exact`, the exactly-one program, and the action with the most boxes becomes the default. With ties every
/// action is tried as the default.
DefaultProgram default_form(const Scope& scope, std::span<const std::uint64_t> allowed,
                            const ExactProgram& exact, const ExactOptions& options = {});

}  // namespace ndnf
