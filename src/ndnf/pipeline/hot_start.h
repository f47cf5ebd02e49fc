#pragma once

#include <cstddef>
#include <set>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/layers.h"
#include "ndnf/train/optimiser.h"

namespace ndnf {

/// Fits the disjunctive layer alone, so that on the scope the actor has the distributions of `target` with no
/// probability below `least`. Undefined rows may become anything. How stochastic rules start: weights are no
/// logarithms of probabilities any more once conjunctions are not exactly ±1.
NeuralDnf<double> fitted(NeuralDnf<double> actor, const Scope& scope, const PolicyTable& target,
                         double least);

/// All weights into and out of these conjunctions.
LockedWeights locks(const NeuralDnf<double>& actor, const std::set<std::size_t>& conjunctions);

}  // namespace ndnf
