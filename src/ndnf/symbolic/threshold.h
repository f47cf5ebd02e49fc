#pragma once

#include <optional>

#include "ndnf/model/layers.h"
#include "ndnf/symbolic/target.h"

namespace ndnf {

/// w → ±6 where |w| > tau, 0 elsewhere.
Matrix<double> thresholded(const Matrix<double>& W, double tau);

struct Threshold {
  double tau = 0;
  NeuralDnf<double> dnf;  ///< With the tau applied; its conjunctions have the activation asked for.
  double kl = 0;          ///< Stochastic: mean KL to the target.
};

/// The paper's post-training step 2. Every distinct |w| is tried once: between two of them nothing changes.
/// DIFFERS FROM PAPER: |w| > tau where it writes ≥, which reaches the same networks; and a conjunction left
/// without literals is true, where the paper's is neither true nor false (unless `activation` is tanh).

/// (2.a) The conjunctive layer alone, with the tau of least KL, the smallest of equals.
Threshold threshold_conjunctions(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                                 const Target& target, Activation activation = Activation::kStep);

/// (2.b) Both layers, with the smallest tau that `check` accepts; nothing if there is none.
std::optional<Threshold> threshold_both_layers(const NeuralDnf<double>& dnf, double falsehood,
                                               const Scope& scope, const OutputCheck& check);

}  // namespace ndnf
