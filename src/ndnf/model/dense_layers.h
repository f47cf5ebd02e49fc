#pragma once

#include <vector>

#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// The actor, with its encoder, as a chain of plain layers from the observation to the raw outputs, whose
/// softmax gives the probabilities: `encoder_cells` (the convolution, written out over all cells),
/// `encoder`; then `conjunctions`, `disjunctions` (with their logical bias, Eq. (1)) and `exactly_one`, or
/// `hidden_1`, … and `outputs`.
std::vector<DenseLayer> dense_layers(const ActorCritic<double>& network);

}  // namespace ndnf
