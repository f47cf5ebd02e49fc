#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/nn/affine.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

enum class NodeType : std::uint8_t { kConjunction, kDisjunction };

/// Which |w| the bias excludes: `max` is the paper's Eq. (1), `min` (the smallest nonzero one) its last
/// appendix.
enum class BiasType : std::uint8_t { kMax, kMin };

/// The logical bias of a layer of nodes, with its by-products.
template <class S>
struct LogicalBias {
  Numbers<S> value;                    // (O)
  Numbers<S> sums;                     // (O) Σ w
  std::vector<std::uint32_t> extreme;  // (O) the first input with the extreme |w|
};

/// Eq. (1): beta = delta (max|w| − Σ|w|) for conjunctions, its negative for disjunctions.  W (I, O). A node
/// without weights has bias 0.
template <class S>
void logical_bias_forward(const Matrix<S>& W, NodeType type, BiasType bias, S delta, LogicalBias<S>& beta);

/// The same for a single node with the weights w.
double logical_bias(std::span<const double> w, NodeType type, BiasType bias, double delta);

/// Adds to dW the gradient through the bias, given dz (B, O), the gradients at the raw outputs: dbeta (O) is
/// their column sum. The derivative of |w| is sign(w) with sign(0) = 0; that of the extreme goes to a single
/// input. In the same pass adds share · dbeta to every row of dW.
template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           const Matrix<S>& dz, S share, Matrix<S>& dW);

/// The same for callers with dbeta (O).
template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           std::span<const S> dbeta, S share, Matrix<S>& dW);

/// A whole layer of nodes before its activation, given the bias of W: z = x W + beta.  x (B, I), z (B, O).
template <class S>
void semi_symbolic_forward(const Matrix<S>& x, const Matrix<S>& W, const LogicalBias<S>& beta, Matrix<S>& z);
template <class S>
void semi_symbolic_forward(const AtomBatch& x, const Matrix<S>& W, const LogicalBias<S>& beta, Matrix<S>& z);

/// The layer with its activation: y = tanh(gain z).
template <class S, class Input>
void tanh_nodes_forward(const Input& x, const Matrix<S>& W, const LogicalBias<S>& beta, S gain,
                        Matrix<S>& y) {
  tanh_affine_forward(x, W, std::span<const S>(beta.value), std::span<const S>(beta.sums), gain, y);
}

/// Adds to dW and, unless it is null, to dx.
template <class S>
void semi_symbolic_backward(const Matrix<S>& x, const Matrix<S>& W, NodeType type, S delta,
                            const LogicalBias<S>& beta, const Matrix<S>& dz, Matrix<S>& dW, Matrix<S>* dx);
/// REQUIRES: dx is null.
template <class S>
void semi_symbolic_backward(const AtomBatch& x, const Matrix<S>& W, NodeType type, S delta,
                            const LogicalBias<S>& beta, const Matrix<S>& dz, Matrix<S>& dW, Matrix<S>* dx);

/// Backward of the layer above and of tanh_nodes_forward; `dy` is scratch.
template <class S>
void tanh_nodes_backward(const Matrix<S>& x, const Matrix<S>& W, NodeType type, S delta,
                         const LogicalBias<S>& beta, S gain, const Matrix<S>& y, const LayerAbove<S>& above,
                         Matrix<S>& dy, Matrix<S>& dW, Matrix<S>* dx);
/// REQUIRES: dx is null.
template <class S>
void tanh_nodes_backward(const AtomBatch& x, const Matrix<S>& W, NodeType type, S delta,
                         const LogicalBias<S>& beta, S gain, const Matrix<S>& y, const LayerAbove<S>& above,
                         Matrix<S>& dy, Matrix<S>& dW, Matrix<S>* dx);

}  // namespace ndnf
