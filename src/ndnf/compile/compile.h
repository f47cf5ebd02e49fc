#pragma once

#include <memory>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/layers.h"
#include "ndnf/syntax/program.h"

// Programs as neural DNF-MT networks: the inverse of extraction. Conjunctions have weights ±6 and `step`
// activation. All weights are float32 values, so a checkpoint stores exactly this network.

namespace ndnf {

/// ASP (the paper's appendix A): in every observation that the vocabulary can express, reachable or not, an
/// action's raw output is at least 6 if the action holds and −6 if it does not. Throws Error for a program
/// that cannot be bound or unfolded.
NeuralDnf<double> compile_asp(const Program& program, const std::shared_ptr<const Vocabulary>& vocabulary);

/// The maximum error of the probabilities of a compiled program.
inline constexpr double kCompiledPrecision = 1e-6;

/// ProbLog: the same distribution in every observation of the scope. Throws Error for a program that cannot
/// be bound or unfolded. Throws Error with one line per mistake if an observation of the scope has no
/// distribution: bodies of two rules hold together (unless both give the same action for certain), the
/// probabilities of a rule do not sum to 1, or no rule holds.
NeuralDnf<double> compile_problog(const Program& program, const Scope& scope);

}  // namespace ndnf
