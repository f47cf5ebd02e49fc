#include "ndnf/nn/semi_symbolic.h"

#include <cassert>
#include <limits>

namespace ndnf {
namespace {

template <class S>
S sign(S w) {
  return static_cast<S>((w > 0) - (w < 0));
}

/// For Width outputs from `first` on, in one pass over their weights: Σ w, beta and the first input with the
/// extreme |w|.
template <BiasType kBias, std::size_t Width, class S>
void scan(const Matrix<S>& W, std::size_t first, S direction, LogicalBias<S>& beta) {
  using Block = Strip<S, Width>;
  using Part = typename Block::Part;
  const Part zero(S(0));
  Block sum(S(0));
  Block size_sum(S(0));
  Block extreme(kBias == BiasType::kMax ? S(0) : std::numeric_limits<S>::max());
  Block input(S(0));  // as a number of type S, which is exact for any layer that fits into memory
  for (std::size_t i = 0; i < W.rows(); ++i) {
    const Block w(W.row(i) + first);
    for (std::size_t v = 0; v < Block::kCount; ++v) {
      const Part size = stdx::abs(w.part[v]);
      const auto further =
          kBias == BiasType::kMax ? size > extreme.part[v] : size < extreme.part[v] && size > zero;
      sum.part[v] += w.part[v];
      size_sum.part[v] += size;
      stdx::where(further, extreme.part[v]) = size;
      stdx::where(further, input.part[v]) = Part(static_cast<S>(i));
    }
  }
  for (std::size_t v = 0; v < Block::kCount; ++v) {
    Part& value = extreme.part[v];
    value = Part(direction) * (value - size_sum.part[v]);
    stdx::where(size_sum.part[v] == zero, value) = zero;
    for (std::size_t lane = 0; lane < Block::kWidth; ++lane)
      beta.extreme[first + v * Block::kWidth + lane] = static_cast<std::uint32_t>(input.part[v][lane]);
  }
  sum.write(beta.sums.data() + first);
  extreme.write(beta.value.data() + first);
}

}  // namespace

template <class S>
void logical_bias_forward(const Matrix<S>& W, NodeType type, BiasType bias, S delta, LogicalBias<S>& beta) {
  beta.value.resize(W.cols());
  beta.sums.resize(W.cols());
  beta.extreme.resize(W.cols());
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  for_strips(W.cols(), [&](auto width, std::size_t first) {
    if (bias == BiasType::kMax) {
      scan<BiasType::kMax, width>(W, first, direction, beta);
    } else {
      scan<BiasType::kMin, width>(W, first, direction, beta);
    }
  });
}

template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           const Matrix<S>& dz, S share, Matrix<S>& dW) {
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  for_strips(W.cols(), [&](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    using Part = typename Block::Part;
    const Part zero(S(0));
    const Block dbeta = column_sum<width>(dz, first);
    for (std::size_t i = 0; i < W.rows(); ++i) {
      const Block w(W.row(i) + first);
      Block dw(dW.row(i) + first);
      for (std::size_t v = 0; v < Block::kCount; ++v) {
        Part slope = Part(share) * dbeta.part[v];
        stdx::where(w.part[v] > zero, slope) = Part(share - direction) * dbeta.part[v];
        stdx::where(w.part[v] < zero, slope) = Part(share + direction) * dbeta.part[v];
        dw.part[v] += slope;
      }
      dw.write(dW.row(i) + first);
    }
    S slopes[width];
    dbeta.write(slopes);
    for (std::size_t o = 0; o < width; ++o) {
      const std::uint32_t i = beta.extreme[first + o];
      dW(i, first + o) += direction * slopes[o] * sign(W(i, first + o));
    }
  });
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

#define NDNF_INSTANTIATE_INPUT(S, Input)                                                                   \
  template void semi_symbolic_forward(const Input&, const Matrix<S>&, const LogicalBias<S>&, Matrix<S>&);  \
  template void semi_symbolic_backward(const Input&, const Matrix<S>&, NodeType, S, const LogicalBias<S>&, \
                                       const Matrix<S>&, Matrix<S>&, Matrix<S>*);
#define NDNF_INSTANTIATE(S)                                                                     \
  template void logical_bias_forward(const Matrix<S>&, NodeType, BiasType, S, LogicalBias<S>&); \
  template void logical_bias_backward(const Matrix<S>&, NodeType, S, const LogicalBias<S>&,     \
                                      const Matrix<S>&, S, Matrix<S>&);                         \
  NDNF_INSTANTIATE_INPUT(S, Matrix<S>)                                                          \
  NDNF_INSTANTIATE_INPUT(S, AtomBatch)
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE
#undef NDNF_INSTANTIATE_INPUT

}  // namespace ndnf
