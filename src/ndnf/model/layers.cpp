#include "ndnf/model/layers.h"

#include <cassert>

#include "ndnf/nn/activation.h"

namespace ndnf {
namespace {

template <class S>
std::span<const S> span_of(const Matrix<S>& bias) {
  return bias.values();
}

template <class S>
void activate(Activation activation, Matrix<S>& z) {
  switch (activation) {
    case Activation::kTanh:
      tanh_forward(z, z);
      break;
    case Activation::kRelu:
      relu_forward(z, z);
      break;
    case Activation::kStep:
      step_forward(z, z);
      break;
  }
}

template <class S>
void differentiate(Activation activation, const Matrix<S>& y, Matrix<S>& dy) {
  assert(activation != Activation::kStep);
  if (activation == Activation::kTanh) {
    tanh_backward(y, dy, dy);
  } else {
    relu_backward(y, dy, dy);
  }
}

}  // namespace

template <class S, class Input>
const Matrix<S>& forward(const Mlp<S>& mlp, const Input& x, MlpActivations<S>& activations) {
  const std::size_t depth = mlp.layers.size();
  activations.outputs.resize(depth);
  const auto run = [&](const auto& input, std::size_t l) {
    const auto& layer = mlp.layers[l];
    Matrix<S>& y = activations.outputs[l];
    const bool last = l + 1 == depth;
    if (!last && mlp.activation == Activation::kTanh)
      return tanh_affine_forward(input, layer.W, span_of(layer.bias), std::span<const S>(), S(1), y);
    affine_forward(input, layer.W, span_of(layer.bias), y);
    if (!last) activate(mlp.activation, y);
  };
  run(x, 0);
  for (std::size_t l = 1; l < depth; ++l) run(activations.outputs[l - 1], l);
  return activations.outputs.back();
}

template <class S, class Input>
void backward(const Mlp<S>& mlp, const Input& x, MlpActivations<S>& activations, const Matrix<S>& dy,
              Mlp<S>& gradient, Matrix<S>* dx) {
  const auto& first = mlp.layers[0];
  auto& first_gradient = gradient.layers[0];
  activations.gradients.resize(mlp.layers.size());
  const Matrix<S>* dz = &dy;
  for (std::size_t l = mlp.layers.size() - 1; l > 0; --l) {
    const Matrix<S>& input = activations.outputs[l - 1];
    Matrix<S>& below = activations.gradients[l - 1];
    auto& layer_gradient = gradient.layers[l];
    if (l == 1 && mlp.activation == Activation::kTanh) {
      if (layer_gradient.bias.size() > 0) column_sums(*dz, layer_gradient.bias.values());
      const LayerAbove<S> above{mlp.layers[1].W, *dz, layer_gradient.W, nullptr};
      return tanh_affine_backward(x, first.W, S(1), input, above, below, first_gradient.W,
                                  first_gradient.bias.values(), dx);
    }
    affine_backward(input, mlp.layers[l].W, *dz, layer_gradient.W, layer_gradient.bias.values(),
                    static_cast<Matrix<S>*>(nullptr));
    input_gradient(*dz, mlp.layers[l].W, below);
    differentiate(mlp.activation, input, below);
    dz = &below;
  }
  affine_backward(x, first.W, *dz, first_gradient.W, first_gradient.bias.values(), dx);
}

template <class To, class From>
Mlp<To> converted(const Mlp<From>& mlp) {
  Mlp<To> result{{}, mlp.activation};
  for (const auto& layer : mlp.layers)
    result.layers.push_back({converted<To>(layer.W), converted<To>(layer.bias)});
  return result;
}

template <class To, class From>
NeuralDnf<To> converted(const NeuralDnf<From>& dnf) {
  return {converted<To>(dnf.conjunctions),
          converted<To>(dnf.disjunctions),
          dnf.bias,
          dnf.activation,
          dnf.exactly_one,
          dnf.delta,
          dnf.gain};
}

template <class S>
void fold_gain(NeuralDnf<S>& dnf) {
  scale(static_cast<S>(dnf.gain), dnf.conjunctions);
  dnf.gain = 1;
}

template <class S>
void logical_bias(const NeuralDnf<S>& dnf, DnfBias<S>& bias) {
  const S delta = static_cast<S>(dnf.delta);
  logical_bias_forward(dnf.conjunctions, NodeType::kConjunction, dnf.bias, delta, bias.conjunctions);
  logical_bias_forward(dnf.disjunctions, NodeType::kDisjunction, dnf.bias, delta, bias.disjunctions);
}

template <class S, class Input>
const Matrix<S>& forward(const NeuralDnf<S>& dnf, const Input& x, DnfActivations<S>& a) {
  logical_bias(dnf, a.bias);
  return forward(dnf, a.bias, x, a);
}

template <class S, class Input>
const Matrix<S>& forward(const NeuralDnf<S>& dnf, const DnfBias<S>& bias, const Input& x,
                         DnfActivations<S>& a) {
  if (dnf.activation == Activation::kTanh) {
    tanh_nodes_forward(x, dnf.conjunctions, bias.conjunctions, static_cast<S>(dnf.gain), a.c);
  } else {
    semi_symbolic_forward(x, dnf.conjunctions, bias.conjunctions, a.c);
    if (dnf.gain != 1) scale(static_cast<S>(dnf.gain), a.c);
    activate(dnf.activation, a.c);
  }
  semi_symbolic_forward(a.c, dnf.disjunctions, bias.disjunctions, a.d);
  if (!dnf.exactly_one) return a.d;
  tanh_forward(a.d, a.y);
  const Matrix<S> W = exactly_one_weights<S>(a.d.cols());
  LogicalBias<S> beta;
  logical_bias_forward(W, NodeType::kConjunction, dnf.bias, static_cast<S>(dnf.delta), beta);
  semi_symbolic_forward(a.y, W, beta, a.out);
  return a.out;
}

template <class S, class Input>
void backward(const NeuralDnf<S>& dnf, const Input& x, DnfActivations<S>& a, const Matrix<S>& dout,
              const Matrix<S>* dc, NeuralDnf<S>& gradient, Matrix<S>* dx) {
  const S delta = static_cast<S>(dnf.delta);
  const Matrix<S>* dd = &dout;
  if (dnf.exactly_one) {
    const Matrix<S> W = exactly_one_weights<S>(a.d.cols());
    Matrix<S> frozen(W.rows(), W.cols());
    a.dd.clear(a.d.rows(), a.d.cols());
    affine_backward(a.y, W, dout, frozen, std::span<S>(), &a.dd);
    tanh_backward(a.y, a.dd, a.dd);
    dd = &a.dd;
  }
  if (dnf.activation == Activation::kStep) {
    return semi_symbolic_backward(a.c, dnf.disjunctions, NodeType::kDisjunction, delta, a.bias.disjunctions,
                                  *dd, gradient.disjunctions, static_cast<Matrix<S>*>(nullptr));
  }
  const LayerAbove<S> above{dnf.disjunctions, *dd, gradient.disjunctions, dc};
  tanh_nodes_backward(x, dnf.conjunctions, NodeType::kConjunction, delta, a.bias.conjunctions,
                      static_cast<S>(dnf.gain), a.c, above, a.dc, gradient.conjunctions, dx);
  logical_bias_backward(dnf.disjunctions, NodeType::kDisjunction, delta, a.bias.disjunctions, *dd, S(0),
                        gradient.disjunctions);
}

#define NDNF_INSTANTIATE_INPUT(S, Input)                                                             \
  template const Matrix<S>& forward(const Mlp<S>&, const Input&, MlpActivations<S>&);                \
  template void backward(const Mlp<S>&, const Input&, MlpActivations<S>&, const Matrix<S>&, Mlp<S>&, \
                         Matrix<S>*);                                                                \
  template const Matrix<S>& forward(const NeuralDnf<S>&, const Input&, DnfActivations<S>&);          \
  template const Matrix<S>& forward(const NeuralDnf<S>&, const DnfBias<S>&, const Input&,            \
                                    DnfActivations<S>&);                                             \
  template void backward(const NeuralDnf<S>&, const Input&, DnfActivations<S>&, const Matrix<S>&,    \
                         const Matrix<S>*, NeuralDnf<S>&, Matrix<S>*);
#define NDNF_INSTANTIATE(S)                                     \
  template Mlp<S> converted(const Mlp<float>&);                 \
  template Mlp<S> converted(const Mlp<double>&);                \
  template NeuralDnf<S> converted(const NeuralDnf<float>&);     \
  template NeuralDnf<S> converted(const NeuralDnf<double>&);    \
  template void fold_gain(NeuralDnf<S>&);                       \
  template void logical_bias(const NeuralDnf<S>&, DnfBias<S>&); \
  NDNF_INSTANTIATE_INPUT(S, AtomBatch)                          \
  NDNF_INSTANTIATE_INPUT(S, Matrix<S>)
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE
#undef NDNF_INSTANTIATE_INPUT

}  // namespace ndnf
