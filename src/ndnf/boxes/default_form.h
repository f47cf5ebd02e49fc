#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// Class D: rules `action :- box` for all actions but one, which is taken wherever none of them holds.
struct DefaultProgram {
  std::vector<ExactRule> rules;
  ActionId otherwise = 0;
  std::size_t lower_bound = 0;  ///< No program of this class has fewer rules, the last one included.
  std::string proof;            ///< What proves the bound: "fooling set" or "clingo".

  std::size_t size() const { return rules.size() + 1; }
};

/// The smallest that we can find. Where no actions tie this needs no search: each action takes as many boxes
/// as in `exact`, the exactly-one program, and the one that takes most becomes the default. Where they do,
/// every action is tried as the default.
DefaultProgram default_form(const Scope& scope, std::span<const std::uint64_t> allowed,
                            const ExactProgram& exact, const ExactOptions& options = {});

}  // namespace ndnf
