#pragma once

#include "ndnf/logic/program.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Puts the most general rule of each kind first (the one that fires in the most reachable observations;
/// rules stay with the rules for the same head) and remarks on every rule how many of the program's decisions
/// it takes part in, exactly, when the program itself decides. A program that is undefined where it comes is
/// left as it is.
void add_remarks(Program& program, const FiniteModel& model, const Selection& selection);

}  // namespace ndnf
