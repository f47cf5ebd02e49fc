#pragma once

#include <vector>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/extract/extraction.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/target.h"

namespace ndnf {

/// Size against faithfulness: for ProbLog a point for each of a few epsilons, and for either language the
/// best action alone, for which `exact` is a program.
std::vector<FrontierPoint> frontier(const Subject& subject, const FiniteModel& model, Syntax as,
                                    const Scope& scope, const Target& target, const ExactProgram& exact);

}  // namespace ndnf
