#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <optional>

#include "ndnf/model/layers.h"
#include "ndnf/nodes/target.h"

namespace ndnf {

/// w → ±6 where |w| > tau, 0 elsewhere.
Matrix<double> thresholded(const Matrix<double>& W, double tau);

/// The cost of a threshold for a stochastic policy, compared lexicographically.
struct ThresholdCost {
  bool unfinished = false;  ///< Under its best actions an episode may reach the step limit.
  std::size_t changed = 0;  ///< Observations whose best action is not the network's.
  double kl = 0;            ///< Mean over the observations.
  auto operator<=>(const ThresholdCost&) const = default;
};
using ThresholdCriterion = std::function<ThresholdCost(const RawOutputs&)>;

/// The paper's criterion: KL(pruned ‖ thresholded) alone.
ThresholdCriterion least_kl(const Target& pruned);
/// The authors' criterion for Taxi: no episode that reaches the step limit, then the fewest changed best
/// actions, then KL(thresholded ‖ pruned). If every threshold has episodes that reach the limit, the other
/// two decide.
ThresholdCriterion least_change(const Target& network, const Target& pruned, OutputCheck finishes);

struct Threshold {
  double tau = 0;
  NeuralDnf<double> dnf;  ///< With tau applied and the requested activation.
  ThresholdCost cost;     ///< Stochastic.
};

/// The paper's post-training step 2. Every distinct |w| is tried once: between two of them nothing changes.
/// (On scopes so large that this would compare too many outputs, (2.a) tries some of them, evenly spread.)
/// DIFFERS FROM PAPER: |w| > tau instead of ≥, which reaches the same networks; and a conjunction without
/// literals is true, like a rule without a body. In the paper it keeps tanh and is neither true nor false,
/// tanh(0) = 0, which no rule can express (unless `activation` is tanh; docs/extraction.md has the effect of
/// this difference).

/// (2.a) The conjunctive layer alone, with the tau of least cost, the smallest of equals.
Threshold threshold_conjunctions(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                                 const ThresholdCriterion& criterion,
                                 Activation activation = Activation::kStep);

/// (2.b) Both layers, with the smallest tau that `check` accepts; nothing if there is none.
std::optional<Threshold> threshold_both_layers(const NeuralDnf<double>& dnf, double falsehood,
                                               const Scope& scope, const OutputCheck& check);

}  // namespace ndnf
