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

/// The 1×1 convolution as a dense layer, with weight 0 between different cells. Its outputs are flattened as
/// documented at Encoder.
DenseLayer encoder_cells(const Encoder<double>& encoder) {
  const std::size_t channels = encoder.kernel.cols();
  const std::size_t cells = encoder.W.rows() / channels;
  DenseLayer layer{"encoder_cells", Matrix<double>(cells * encoder.kernel.rows(), channels * cells),
                   Matrix<double>(1, channels * cells), Activation::kTanh};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t k = 0; k < channels; ++k) {
      const std::size_t output = k * cells + cell;
      layer.bias(0, output) = encoder.kernel_bias(0, k);
      for (std::size_t c = 0; c < encoder.kernel.rows(); ++c) {
        layer.W(cell * encoder.kernel.rows() + c, output) = encoder.kernel(c, k);
      }
    }
  }
  return layer;
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
  std::vector<DenseLayer> layers;
  if (network.encoder) {
    layers.push_back(encoder_cells(*network.encoder));
    layers.push_back(plain_layer("encoder", network.encoder->W, network.encoder->bias, Activation::kTanh));
  }
  std::visit([&](const auto& actor) { add_layers(actor, layers); }, network.actor);
  return layers;
}

}  // namespace ndnf
