#pragma once

#include <string>

#include "ndnf/model/actor_critic.h"
#include "nn/golden.h"

namespace ndnf::testing {

/// A network of golden/trained, trained by an independent implementation.
inline ActorCritic<double> read_trained(const std::string& file) {
  const nlohmann::json tensors = read_golden("trained/" + file).at("tensors");
  ActorCritic<double> network;
  if (tensors.contains("image_encoder.0.weight")) network.encoder = Convolution<double>{};
  visit_parameters(network, [&](const std::string& name, Part, Matrix<double>& m) {
    const bool weights = tensors.at(name).at(0).is_array();
    m = weights ? as_weights(tensors.at(name)) : as_matrix(tensors.at(name));
  });
  return network;
}

}  // namespace ndnf::testing
