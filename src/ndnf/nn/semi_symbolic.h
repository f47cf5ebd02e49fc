#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/nn/matrix.h"

namespace ndnf {

enum class NodeType : std::uint8_t { kConjunction, kDisjunction };

/// Which |w| the bias leaves out: `max` is the paper's Eq. (1), `min` (the smallest non-zero one) its last
/// appendix.
enum class BiasType : std::uint8_t { kMax, kMin };

/// The logical bias of a layer of nodes, and what its gradient needs.
template <class S>
struct LogicalBias {
  std::vector<S> value;                // (O)
  std::vector<std::uint32_t> extreme;  // (O) the first input with the extreme |w|
};

/// Eq. (1): beta = delta (max|w| − Σ|w|) for conjunctions, its negative for disjunctions.  W (I, O).
/// A node without weights has bias 0.
template <class S>
void logical_bias_forward(const Matrix<S>& W, NodeType type, BiasType bias, S delta, LogicalBias<S>& beta);

/// Adds into dW, given dbeta (O). The gradient of |w| is sign(w) with sign(0) = 0; that of the extreme goes
/// to one input alone.
template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           std::span<const S> dbeta, Matrix<S>& dW);

}  // namespace ndnf
