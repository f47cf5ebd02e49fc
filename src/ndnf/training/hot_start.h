#pragma once

#include <cstddef>
#include <set>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/layers.h"
#include "ndnf/training/starting_point.h"
#include "ndnf/training/train_config.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {

/// The starting point of a run that starts from the rules or the network that [init] names. Throws Error if
/// those do not fit the task or the settings.
StartingPoint hot_start(const TrainConfig& config, const Task& task);

/// Fits only the disjunctive layer, so that on the scope the actor has the distributions of `target`, with
/// every probability raised to at least `least`. Rows in which `target` is undefined are ignored. Used to
/// start from stochastic rules: a compiled ProbLog program has logarithms of probabilities as weights, which
/// are right only as long as conjunctions are exactly ±1; at the smaller scale of a hot start they are not.
NeuralDnf<double> fitted(NeuralDnf<double> actor, const Scope& scope, const PolicyTable& target,
                         double least);

/// Locks all weights into and out of these conjunctions.
LockedWeights locks(const NeuralDnf<double>& actor, const std::set<std::size_t>& conjunctions);

}  // namespace ndnf
