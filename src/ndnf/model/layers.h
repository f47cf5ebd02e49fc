#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/nn/affine.h"
#include "ndnf/nn/matrix.h"
#include "ndnf/nn/semi_symbolic.h"

// The building blocks of networks: plain structs of parameters, each with `forward` and `backward` next to
// each other. `backward` adds to a gradient of the same type; the caller keeps the activations.

namespace ndnf {

enum class Activation : std::uint8_t { kTanh, kRelu, kStep };

/// Linear layers with an activation between them (none after the last).
template <class S>
struct Mlp {
  struct Layer {
    Matrix<S> W;     // (I, O)
    Matrix<S> bias;  // (1, O), or empty
  };
  std::vector<Layer> layers;
  Activation activation = Activation::kTanh;
};

template <class S>
struct MlpActivations {
  std::vector<Matrix<S>> outputs;    // after each layer's activation; the last is the result
  std::vector<Matrix<S>> gradients;  // scratch for backward
};

/// `Input` is an AtomBatch or a Matrix<S>.
template <class S, class Input>
const Matrix<S>& forward(const Mlp<S>& mlp, const Input& x, MlpActivations<S>& activations);
/// REQUIRES: forward was called with the same x. `dy` is the gradient at the result; dx may be null.
template <class S, class Input>
void backward(const Mlp<S>& mlp, const Input& x, MlpActivations<S>& activations, const Matrix<S>& dy,
              Mlp<S>& gradient, Matrix<S>* dx);

/// The paper's neural DNF: a conjunctive and a disjunctive semi-symbolic layer. With `exactly_one` it is a
/// neural DNF-EO: the constraint layer class_j ← ∧ not class_k (k ≠ j), frozen at weights −6, follows the
/// tanh of the disjunctions. It is a DNF-MT if its raw outputs go through mutex-tanh, Eq. (2).
template <class S>
struct NeuralDnf {
  Matrix<S> conjunctions;  // (I, Q)
  Matrix<S> disjunctions;  // (Q, N)
  BiasType bias = BiasType::kMax;
  Activation activation = Activation::kTanh;  ///< Of the conjunctions: tanh, or step once they are symbolic.
  bool exactly_one = false;
  double delta = 1;
  double gain =
      1;  ///< Of the conjunctions' tanh(gain · z) in training. In checkpoints it is folded into the weights.
};

/// The same layers in another precision: training uses float, policies are evaluated in double.
template <class To, class From>
Mlp<To> converted(const Mlp<From>& mlp);
template <class To, class From>
NeuralDnf<To> converted(const NeuralDnf<From>& dnf);

/// Folds the gain into the weights: the same function with gain 1, since a raw conjunction z is proportional
/// to its weights.
template <class S>
void fold_gain(NeuralDnf<S>& dnf);

/// The weights of DNF-EO's frozen layer: −6 off the diagonal.
template <class S>
Matrix<S> exactly_one_weights(std::size_t classes) {
  Matrix<S> W(classes, classes, S(-6));
  for (std::size_t i = 0; i < classes; ++i) W(i, i) = 0;
  return W;
}

/// The biases of both layers. They depend only on the weights.
template <class S>
struct DnfBias {
  LogicalBias<S> conjunctions;
  LogicalBias<S> disjunctions;
};
template <class S>
void logical_bias(const NeuralDnf<S>& dnf, DnfBias<S>& bias);

template <class S>
struct DnfActivations {
  DnfBias<S> bias;
  Matrix<S> c;    // (B, Q) conjunctions after their activation
  Matrix<S> d;    // (B, N) raw disjunctions
  Matrix<S> y;    // (B, N) tanh(d), for DNF-EO
  Matrix<S> out;  // (B, N) raw outputs: d, or the constraint layer's
  Matrix<S> dc;   // scratch for backward
  Matrix<S> dd;   // scratch for backward
};

template <class S, class Input>
const Matrix<S>& forward(const NeuralDnf<S>& dnf, const Input& x, DnfActivations<S>& activations);
/// The same for callers with precomputed biases; backward() is not supported afterwards.
template <class S, class Input>
const Matrix<S>& forward(const NeuralDnf<S>& dnf, const DnfBias<S>& bias, const Input& x,
                         DnfActivations<S>& activations);
/// `dout` is the gradient at the raw outputs; `dc` (or null) a further gradient at the conjunctions, such as
/// that of the loss L3. With the step activation only the disjunctions get gradients.
template <class S, class Input>
void backward(const NeuralDnf<S>& dnf, const Input& x, DnfActivations<S>& activations, const Matrix<S>& dout,
              const Matrix<S>* dc, NeuralDnf<S>& gradient, Matrix<S>* dx);

/// A layer y = f(x W + bias), as exports write it.
struct DenseLayer {
  std::string name;
  Matrix<double> W;     // (I, O)
  Matrix<double> bias;  // (1, O)
  std::optional<Activation> activation{};
};

}  // namespace ndnf
