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

/// What a threshold costs a stochastic policy: the first field in which two differ decides.
struct ThresholdCost {
  bool unfinished = false;  ///< By its best actions an episode may be cut off at the step limit.
  std::size_t changed = 0;  ///< Observations whose best action is not the network's.
  double kl = 0;            ///< A mean over the observations.
  auto operator<=>(const ThresholdCost&) const = default;
};
using ThresholdCriterion = std::function<ThresholdCost(const RawOutputs&)>;

/// The paper's criterion: KL(pruned ‖ thresholded) alone.
ThresholdCriterion least_kl(const Target& pruned);
/// The authors' criterion for Taxi: no episode that is cut off, then the fewest best actions changed, then
/// KL(thresholded ‖ pruned). Where an episode is cut off at every threshold, the other two decide.
ThresholdCriterion least_change(const Target& network, const Target& pruned, OutputCheck finishes);

struct Threshold {
  double tau = 0;
  NeuralDnf<double> dnf;  ///< With the tau applied; its conjunctions have the activation asked for.
  ThresholdCost cost;     ///< Stochastic.
};

/// The paper's post-training step 2. Every distinct |w| is tried once: between two of them nothing changes.
/// DIFFERS FROM PAPER: |w| > tau where it writes ≥, which reaches the same networks; and a conjunction left
/// without literals is true, as a rule without a body is. In the paper it keeps tanh and is neither true nor
/// false, tanh(0) = 0, which no rule can say (unless `activation` is tanh; docs/extraction.md has what the
/// difference is worth).

/// (2.a) The conjunctive layer alone, with the tau of least cost, the smallest of equals.
Threshold threshold_conjunctions(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                                 const ThresholdCriterion& criterion,
                                 Activation activation = Activation::kStep);

/// (2.b) Both layers, with the smallest tau that `check` accepts; nothing if there is none.
std::optional<Threshold> threshold_both_layers(const NeuralDnf<double>& dnf, double falsehood,
                                               const Scope& scope, const OutputCheck& check);

}  // namespace ndnf
