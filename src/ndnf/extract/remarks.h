#pragma once

#include <cstdint>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

enum class RuleOrder : std::uint8_t {
  kGeneralFirst,  ///< Rules for one head stay together, the one that fires most often first.
  kAsWritten,
};

/// Puts the rules into this order and adds a remark to each: its exact share of the program's decisions when
/// the program itself acts. A program that visits observations in which it is undefined, or may never end, is
/// left unchanged.
void add_remarks(Program& program, const FiniteModel& model, const Selection& selection,
                 RuleOrder order = RuleOrder::kGeneralFirst);

}  // namespace ndnf
