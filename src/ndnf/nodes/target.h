#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/nn/matrix.h"
#include "ndnf/nodes/scoped_dnf.h"

namespace ndnf {

/// Which of the actions that share exactly the largest probability are acceptable.
enum class Ties : std::uint8_t {
  kEval,  ///< The first, as evaluation by `argmax` picks it.
  kFree,  ///< Any.
};

/// The acceptable actions of a row, one bit each. REQUIRES: the row is defined.
std::uint64_t best_actions(const PolicyTable& policy, ObsId obs, Ties ties);

/// The network's behaviour on a scope: what an extraction has to preserve.
struct Target {
  Matrix<double> p;                 // (observations, actions)
  std::vector<std::uint64_t> best;  ///< Per observation: the best actions, one bit each.
};

/// `policy` has a row for every observation of the scope's table.
Target make_target(const Scope& scope, const PolicyTable& policy, Ties ties = Ties::kEval);

/// Deterministic: in every observation the action with the largest raw output is one of the best. Where it
/// was the only true action in `original` (the paper's property P2, which thresholding needs), it still is.
OutputCheck keeps_best_action(const Target& target, const RawOutputs& original);
/// Deterministic and symbolic: in every observation exactly one action is true, and it is one of the best.
OutputCheck keeps_exactly_one(const Target& target);
/// Stochastic: no probability is further than `tolerance` from the target's.
OutputCheck keeps_distribution(const Target& target, double tolerance);

/// The action with the largest raw output, the first of equals.
std::size_t largest_action(const RawOutputs& raw, std::size_t observation);

/// KL(target ‖ softmax of raw), mean over the observations.
double mean_kl(const Target& target, const RawOutputs& raw);

}  // namespace ndnf
