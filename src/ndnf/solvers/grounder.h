#pragma once

#include <chrono>
#include <cstddef>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// The limits of grounding.
struct GroundingLimits {
  std::chrono::milliseconds time = std::chrono::seconds(20);
  std::size_t bytes = 64u << 20;  ///< Of ground rules.
};

/// The program with its open rules replaced by their instances, as computed by the real clingo, and with its
/// comparisons of quantities as atoms (syntax/fold_comparisons.h), which clingo sees only in rules that have
/// other variables, too. Adds errors
/// to `mistakes`; the result is then unusable. Throws Error if clingo is missing.
Program ground(ParsedProgram parsed, const Vocabulary& vocabulary, Mistakes& mistakes,
               const GroundingLimits& limits = {});

}  // namespace ndnf
