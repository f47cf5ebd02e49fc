#include "ndnf/nn/semi_symbolic.h"

#include <cassert>

#include "ndnf/nn/kernels/kernels.h"

namespace ndnf {

template <class S>
void logical_bias_forward(const Matrix<S>& W, NodeType type, BiasType bias, S delta, LogicalBias<S>& beta) {
  beta.value.resize(W.cols());
  beta.sums.resize(W.cols());
  beta.extreme.resize(W.cols());
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  kernels<S>().bias_forward(W.rows(), W.cols(), W.row(0), bias == BiasType::kMin, direction,
                            beta.value.data(), beta.sums.data(), beta.extreme.data());
}

double logical_bias(std::span<const double> w, NodeType type, BiasType bias, double delta) {
  double value = 0;
  double sum = 0;
  std::uint32_t extreme = 0;
  kernels<double>().bias_forward(w.size(), 1, w.data(), bias == BiasType::kMin,
                                 type == NodeType::kConjunction ? delta : -delta, &value, &sum, &extreme);
  return value;
}

template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           std::span<const S> dbeta, S share, Matrix<S>& dW) {
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  kernels<S>().bias_backward(W.rows(), W.cols(), W.row(0), direction, beta.extreme.data(), dbeta.data(),
                             share, dW.row(0));
}

template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           const Matrix<S>& dz, S share, Matrix<S>& dW) {
  thread_local Numbers<S> dbeta;
  dbeta.assign(dz.cols(), S(0));
  column_sums(dz, std::span<S>(dbeta));
  logical_bias_backward(W, type, delta, beta, std::span<const S>(dbeta), share, dW);
}

template <class S>
void semi_symbolic_forward(const Matrix<S>& x, const Matrix<S>& W, const LogicalBias<S>& beta, Matrix<S>& z) {
  affine_forward(x, W, std::span<const S>(beta.value), z);
}

template <class S>
void semi_symbolic_forward(const AtomBatch& x, const Matrix<S>& W, const LogicalBias<S>& beta, Matrix<S>& z) {
  affine_forward(x, W, std::span<const S>(beta.value), std::span<const S>(beta.sums), z);
}

template <class S>
void semi_symbolic_backward(const Matrix<S>& x, const Matrix<S>& W, NodeType type, S delta,
                            const LogicalBias<S>& beta, const Matrix<S>& dz, Matrix<S>& dW, Matrix<S>* dx) {
  affine_backward(x, W, dz, dW, std::span<S>(), dx);
  logical_bias_backward(W, type, delta, beta, dz, S(0), dW);
}

template <class S>
void semi_symbolic_backward(const AtomBatch& x, const Matrix<S>& W, NodeType type, S delta,
                            const LogicalBias<S>& beta, const Matrix<S>& dz, Matrix<S>& dW, Matrix<S>* dx) {
  assert(dx == nullptr);
  (void)dx;
  add_active(x, dz, dW);
  logical_bias_backward(W, type, delta, beta, dz, static_cast<S>(x.falsehood), dW);
}

template <class S>
void tanh_nodes_backward(const Matrix<S>& x, const Matrix<S>& W, NodeType type, S delta,
                         const LogicalBias<S>& beta, S gain, const Matrix<S>& y, const LayerAbove<S>& above,
                         Matrix<S>& dy, Matrix<S>& dW, Matrix<S>* dx) {
  tanh_backward(above, gain, y, dy);
  semi_symbolic_backward(x, W, type, delta, beta, dy, dW, dx);
}

template <class S>
void tanh_nodes_backward(const AtomBatch& x, const Matrix<S>& W, NodeType type, S delta,
                         const LogicalBias<S>& beta, S gain, const Matrix<S>& y, const LayerAbove<S>& above,
                         Matrix<S>& dy, Matrix<S>& dW, Matrix<S>* dx) {
  assert(dx == nullptr);
  (void)dx;
  thread_local Numbers<S> dbeta;
  add_active_below(above, x, gain, y, dy, dW, dbeta);
  logical_bias_backward(W, type, delta, beta, std::span<const S>(dbeta), static_cast<S>(x.falsehood), dW);
}

#define NDNF_INSTANTIATE_INPUT(S, Input)                                                                   \
  template void semi_symbolic_forward(const Input&, const Matrix<S>&, const LogicalBias<S>&, Matrix<S>&);  \
  template void semi_symbolic_backward(const Input&, const Matrix<S>&, NodeType, S, const LogicalBias<S>&, \
                                       const Matrix<S>&, Matrix<S>&, Matrix<S>*);                          \
  template void tanh_nodes_backward(const Input&, const Matrix<S>&, NodeType, S, const LogicalBias<S>&, S, \
                                    const Matrix<S>&, const LayerAbove<S>&, Matrix<S>&, Matrix<S>&,        \
                                    Matrix<S>*);
#define NDNF_INSTANTIATE(S)                                                                     \
  template void logical_bias_forward(const Matrix<S>&, NodeType, BiasType, S, LogicalBias<S>&); \
  template void logical_bias_backward(const Matrix<S>&, NodeType, S, const LogicalBias<S>&,     \
                                      const Matrix<S>&, S, Matrix<S>&);                         \
  template void logical_bias_backward(const Matrix<S>&, NodeType, S, const LogicalBias<S>&,     \
                                      std::span<const S>, S, Matrix<S>&);                       \
  NDNF_INSTANTIATE_INPUT(S, Matrix<S>)                                                          \
  NDNF_INSTANTIATE_INPUT(S, AtomBatch)
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE
#undef NDNF_INSTANTIATE_INPUT

}  // namespace ndnf
