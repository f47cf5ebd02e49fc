#include "ndnf/model/dense_layers.h"

#include <algorithm>
#include <utility>

namespace ndnf {
namespace {

/// A missing bias becomes 0.
DenseLayer plain_layer(std::string name, const Matrix<double>& W, const Matrix<double>& bias,
                       std::optional<Activation> activation) {
  return {std::move(name), W, bias.size() > 0 ? bias : Matrix<double>(1, W.cols()), activation};
}

DenseLayer symbolic_layer(std::string name, const NeuralDnf<double>& dnf, const Matrix<double>& W,
                          NodeType type, std::optional<Activation> activation) {
  LogicalBias<double> beta;
  logical_bias_forward(W, type, dnf.bias, dnf.delta, beta);
  Matrix<double> bias(1, W.cols());
  std::copy(beta.value.begin(), beta.value.end(), bias.values().begin());
  return {std::move(name), W, std::move(bias), activation};
}

void add_layers(const NeuralDnf<double>& dnf, std::vector<DenseLayer>& layers) {
  layers.push_back(
      symbolic_layer("conjunctions", dnf, dnf.conjunctions, NodeType::kConjunction, dnf.activation));
  layers.push_back(
      symbolic_layer("disjunctions", dnf, dnf.disjunctions, NodeType::kDisjunction, std::nullopt));
  if (!dnf.exactly_one) return;
  layers.back().activation = Activation::kTanh;
  layers.push_back(symbolic_layer("exactly_one", dnf, exactly_one_weights<double>(dnf.disjunctions.cols()),
                                  NodeType::kConjunction, std::nullopt));
}

void add_layers(const Mlp<double>& mlp, std::vector<DenseLayer>& layers) {
  for (std::size_t l = 0; l + 1 < mlp.layers.size(); ++l) {
    layers.push_back(
        plain_layer("hidden_" + std::to_string(l + 1), mlp.layers[l].W, mlp.layers[l].bias, mlp.activation));
  }
  layers.push_back(plain_layer("outputs", mlp.layers.back().W, mlp.layers.back().bias, std::nullopt));
}

}  // namespace

std::vector<DenseLayer> dense_layers(const ActorCritic<double>& network) {
  std::vector<DenseLayer> layers = dense_layers(network.encoder);
  std::visit([&](const auto& actor) { add_layers(actor, layers); }, network.actor);
  return layers;
}

}  // namespace ndnf
