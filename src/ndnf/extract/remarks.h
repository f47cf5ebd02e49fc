#pragma once

#include <cstdint>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

enum class RuleOrder : std::uint8_t {
  kGeneralFirst,  ///< Of the rules for one head, which stay together, the one that fires most often.
  kAsWritten,
};

/// Puts the rules into this order and remarks on every one how many of the program's decisions it takes part
/// in, exactly, when the program itself decides. A program that is undefined where it comes is left as it is.
void add_remarks(Program& program, const FiniteModel& model, const Selection& selection,
                 RuleOrder order = RuleOrder::kGeneralFirst);

}  // namespace ndnf
