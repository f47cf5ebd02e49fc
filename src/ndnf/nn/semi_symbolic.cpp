#include "ndnf/nn/semi_symbolic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <experimental/simd>

namespace ndnf {
namespace {

template <class S>
S sign(S w) {
  return static_cast<S>((w > 0) - (w < 0));
}

namespace stdx = std::experimental;

/// Outputs handled together: their sums and extremes stay in registers.
constexpr std::size_t kLanes = 8;

/// Per output: Σ|w| into `sums`, the extreme |w| into `extremes` and its first input into `inputs`.
template <BiasType kBias, std::size_t Lanes, class S>
void scan(const Matrix<S>& W, std::size_t first, S* sums, S* extremes, std::uint32_t* inputs) {
  using Vector = stdx::simd<S, stdx::simd_abi::deduce_t<S, Lanes>>;
  Vector sum(S(0));
  Vector extreme(kBias == BiasType::kMax ? S(0) : std::numeric_limits<S>::max());
  Vector input(S(0));  // as a number of type S, which is exact for any layer that fits into memory
  for (std::size_t i = 0; i < W.rows(); ++i) {
    const Vector w(W.row(i) + first, stdx::element_aligned);
    const Vector size = stdx::abs(w);
    const auto further = kBias == BiasType::kMax ? size > extreme : size < extreme && size > Vector(S(0));
    sum += size;
    stdx::where(further, extreme) = size;
    stdx::where(further, input) = Vector(static_cast<S>(i));
  }
  sum.copy_to(sums + first, stdx::element_aligned);
  extreme.copy_to(extremes + first, stdx::element_aligned);
  for (std::size_t o = 0; o < Lanes; ++o) inputs[first + o] = static_cast<std::uint32_t>(input[o]);
}

template <BiasType kBias, class S>
void scan_all(const Matrix<S>& W, S* sums, S* extremes, std::uint32_t* inputs) {
  std::size_t first = 0;
  for (; first + kLanes <= W.cols(); first += kLanes) scan<kBias, kLanes>(W, first, sums, extremes, inputs);
  for (; first < W.cols(); ++first) scan<kBias, 1>(W, first, sums, extremes, inputs);
}

}  // namespace

template <class S>
void logical_bias_forward(const Matrix<S>& W, NodeType type, BiasType bias, S delta, LogicalBias<S>& beta) {
  const std::size_t outputs = W.cols();
  std::vector<S> sums(outputs);
  std::vector<S> extremes(outputs);
  beta.extreme.resize(outputs);
  if (bias == BiasType::kMax) {
    scan_all<BiasType::kMax>(W, sums.data(), extremes.data(), beta.extreme.data());
  } else {
    scan_all<BiasType::kMin>(W, sums.data(), extremes.data(), beta.extreme.data());
  }
  beta.value.resize(outputs);
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  for (std::size_t o = 0; o < outputs; ++o) {
    beta.value[o] = sums[o] == 0 ? S(0) : direction * (extremes[o] - sums[o]);
  }
}

template <class S>
void logical_bias_backward(const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
                           std::span<const S> dbeta, Matrix<S>& dW) {
  const S direction = type == NodeType::kConjunction ? delta : -delta;
  for (std::size_t i = 0; i < W.rows(); ++i) {
    const S* w = W.row(i);
    S* dw = dW.row(i);
    for (std::size_t o = 0; o < W.cols(); ++o) dw[o] -= direction * dbeta[o] * sign(w[o]);
  }
  for (std::size_t o = 0; o < W.cols(); ++o) {
    const std::uint32_t i = beta.extreme[o];
    dW(i, o) += direction * dbeta[o] * sign(W(i, o));
  }
}

#define NDNF_INSTANTIATE(S)                                                                     \
  template void logical_bias_forward(const Matrix<S>&, NodeType, BiasType, S, LogicalBias<S>&); \
  template void logical_bias_backward(const Matrix<S>&, NodeType, S, const LogicalBias<S>&,     \
                                      std::span<const S>, Matrix<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
