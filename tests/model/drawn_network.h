#pragma once

#include <nlohmann/json.hpp>

#include "ndnf/model/layers.h"
#include "nn/golden.h"

namespace ndnf::testing {

/// Weights as they are drawn: one list per conjunction over the atoms, one per action over the conjunctions.
inline NeuralDnf<double> drawn_network(const nlohmann::json& conjunctions, const nlohmann::json& actions) {
  NeuralDnf<double> dnf;
  dnf.conjunctions = as_weights(conjunctions);
  dnf.disjunctions = as_weights(actions);
  return dnf;
}

}  // namespace ndnf::testing
