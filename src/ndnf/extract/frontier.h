#pragma once

#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/extract/extraction.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/target.h"

namespace ndnf {

/// Size against faithfulness: for ProbLog a point for each of a few epsilons, and for both languages the best
/// action alone, as given by `exact`. `own_boxes` are preferred conjunctions.
std::vector<FrontierPoint> frontier(const Subject& subject, const FiniteModel& model, Syntax as,
                                    const Scope& scope, const Target& target, const ExactProgram& exact,
                                    std::vector<Box> own_boxes);

}  // namespace ndnf
