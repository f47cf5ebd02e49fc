#pragma once

#include <chrono>
#include <cstddef>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// What grounding may take.
struct GroundingLimits {
  std::chrono::milliseconds time = std::chrono::seconds(20);
  std::size_t bytes = 64u << 20;  ///< Of ground rules.
};

/// The program with the instances of its open rules in their place, as the real clingo gives them. Adds what
/// is wrong to `mistakes`; then what is returned is of no use. Throws Error if clingo is missing.
Program ground(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
               const GroundingLimits& limits = {});

}  // namespace ndnf
