#pragma once

#include <span>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/model/layers.h"

namespace ndnf {

/// The weight of an always-true conjunction that turns the logical bias Σ|w| − max|w| of a disjunction with
/// the other weights `weights` into b, its own contribution included.
double weight_for_bias(std::span<const double> weights, double b);

/// Σ_k weights(k, a) c_k + bias(a) over ±1 conjunctions c, as a neural DNF-MT: every affine function of them
/// is one. The first conjunction is always true (it has no literals) and carries the bias.
NeuralDnf<double> affine_network(std::span<const std::vector<AtomLiteral>> conjunctions,
                                 const Matrix<double>& weights, std::span<const double> bias,
                                 std::size_t atom_count);

}  // namespace ndnf
