#pragma once

#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/model/layers.h"

namespace ndnf {

/// The weight of an always-true conjunction that changes a disjunction's logical bias Σ|w| − max|w| (Eq. (1),
/// over the other weights `weights`) to b, its own contribution included.
double weight_for_bias(std::span<const double> weights, double b);

/// The affine function Σ_k weights(k, a) c_k + bias(a) of ±1 conjunctions c as a neural DNF-MT; every such
/// function can be expressed. The first conjunction has no literals, so it is always true, and carries the
/// bias.
NeuralDnf<double> affine_network(std::span<const Conjunction> conjunctions, const Matrix<double>& weights,
                                 std::span<const double> bias, std::size_t atom_count);

}  // namespace ndnf
