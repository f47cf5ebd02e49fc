#include "ndnf/nn/activation.h"

#include <algorithm>
#include <limits>

#include "ndnf/nn/kernels/kernels.h"

namespace ndnf {

template <class S>
void tanh_forward(const Matrix<S>& z, Matrix<S>& y) {
  y.reshape(z.rows(), z.cols());
  kernels<S>().tangents(z.size(), z.row(0), y.row(0));
}

template <class S>
void tanh_backward(const Matrix<S>& y, const Matrix<S>& dy, Matrix<S>& dz) {
  dz.reshape(y.rows(), y.cols());
  kernels<S>().tanh_gradients(y.size(), y.row(0), dy.row(0), dz.row(0));
}

template <class S>
void relu_forward(const Matrix<S>& z, Matrix<S>& y) {
  y.reshape(z.rows(), z.cols());
  const auto in = z.values();
  const auto out = y.values();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] > 0 ? in[i] : S(0);
}

template <class S>
void relu_backward(const Matrix<S>& y, const Matrix<S>& dy, Matrix<S>& dz) {
  dz.reshape(y.rows(), y.cols());
  kernels<S>().ramp_gradients(y.size(), y.row(0), dy.row(0), dz.row(0));
}

template <class S>
void step_forward(const Matrix<S>& z, Matrix<S>& y) {
  y.reshape(z.rows(), z.cols());
  const auto in = z.values();
  const auto out = y.values();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] >= 0 ? S(1) : S(-1);
}

namespace {

/// Softmax over the allowed entries, shifted by the row's maximum so that no exponential overflows. Without
/// a mask `allows` is constant, and the compiler removes the tests.
template <class S, class Allows>
void softmax_among(const Matrix<S>& d, Matrix<S>& p, Allows allows) {
  p.reshape(d.rows(), d.cols());
  with_constant(d.cols(), [&](auto cols) {
    const S* in = d.row(0);
    S* out = p.row(0);
    for (std::size_t b = 0; b < d.rows(); ++b, in += cols, out += cols) {
      S largest = -std::numeric_limits<S>::infinity();
      for (std::size_t j = 0; j < cols; ++j) largest = allows(b, j) ? std::max(largest, in[j]) : largest;
      for (std::size_t j = 0; j < cols; ++j) out[j] = allows(b, j) ? in[j] - largest : S(0);
    }
  });
  kernels<S>().exponentials(p.size(), p.row(0), p.row(0));  // at once: a row is shorter than a vector
  with_constant(d.cols(), [&](auto cols) {
    S* out = p.row(0);
    for (std::size_t b = 0; b < d.rows(); ++b, out += cols) {
      S sum = 0;
      for (std::size_t j = 0; j < cols; ++j) sum += allows(b, j) ? out[j] : S(0);
      for (std::size_t j = 0; j < cols; ++j) out[j] = allows(b, j) ? out[j] / sum : S(0);
    }
  });
}

}  // namespace

template <class S>
void softmax_forward(const Matrix<S>& d, Matrix<S>& p) {
  softmax_among(d, p, [](std::size_t, std::size_t) { return true; });
}

template <class S>
void masked_softmax_forward(const Matrix<S>& d, std::span<const std::uint64_t> allowed, Matrix<S>& p) {
  softmax_among(d, p, [allowed](std::size_t b, std::size_t j) { return (allowed[b] >> j & 1) != 0; });
}

template <class S>
void softmax_backward(const Matrix<S>& p, const Matrix<S>& dp, Matrix<S>& dd) {
  for (std::size_t b = 0; b < p.rows(); ++b) {
    S mean = 0;
    for (std::size_t j = 0; j < p.cols(); ++j) mean += p(b, j) * dp(b, j);
    for (std::size_t j = 0; j < p.cols(); ++j) dd(b, j) += p(b, j) * (dp(b, j) - mean);
  }
}

#define NDNF_INSTANTIATE(S)                                                                           \
  template void tanh_forward(const Matrix<S>&, Matrix<S>&);                                           \
  template void tanh_backward(const Matrix<S>&, const Matrix<S>&, Matrix<S>&);                        \
  template void relu_forward(const Matrix<S>&, Matrix<S>&);                                           \
  template void relu_backward(const Matrix<S>&, const Matrix<S>&, Matrix<S>&);                        \
  template void step_forward(const Matrix<S>&, Matrix<S>&);                                           \
  template void softmax_forward(const Matrix<S>&, Matrix<S>&);                                        \
  template void masked_softmax_forward(const Matrix<S>&, std::span<const std::uint64_t>, Matrix<S>&); \
  template void softmax_backward(const Matrix<S>&, const Matrix<S>&, Matrix<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
