#include "ndnf/base/elementary.h"
#include "ndnf/nn/kernels/variant.h"

namespace ndnf::kernel_sets::NDNF_KERNEL_SET {
namespace {

template <class S>
void tangents(std::size_t n, const S* z, S* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = hyperbolic_tangent(z[i]);
}

template <class S>
void tanh_gradients(std::size_t n, const S* y, const S* dy, S* dz) {
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (S(1) - y[i] * y[i]);
}

template <class S>
void exponentials(std::size_t n, const S* x, S* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = exponential(x[i]);
}

template <class S>
void logarithms(std::size_t n, const S* x, S* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = logarithm(x[i]);
}

template <class S>
void adam_step(const AdamFactors<S>& factors, std::size_t n, S* __restrict g, S* __restrict m,
               S* __restrict v, S* __restrict w) {
  const AdamFactors<S> f = factors;
  for (std::size_t i = 0; i < n; ++i) {
    const S gradient = f.scale * g[i];
    g[i] = 0;
    m[i] = f.beta1 * m[i] + f.rest1 * gradient;
    v[i] = f.beta2 * v[i] + f.rest2 * gradient * gradient;
    w[i] -= f.size * m[i] / (std::sqrt(v[i]) * f.root + f.epsilon);
  }
}

template <class S>
double squared_norm(std::size_t n, const S* g) {
  constexpr std::size_t kSums = 32;  // independent sums, so that the loop vectorises
  S sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += g[i + k] * g[i + k];
  }
  for (std::size_t k = 0; i < n; ++i, ++k) sums[k] += g[i] * g[i];
  double total = 0;
  for (const S sum : sums) total += static_cast<double>(sum);
  return total;
}

template <class S>
[[gnu::always_inline]] inline S sign(S x) {
  return x > 0 ? S(1) : (x < 0 ? S(-1) : S(0));
}

template <class S>
double weight_losses(std::size_t n, const S* __restrict w, S scale, S* __restrict gradient) {
  constexpr std::size_t kSums = 8;
  S sums[kSums] = {};
  const auto add = [&](std::size_t i, S & sum) __attribute__((always_inline)) {
    const S size = std::abs(w[i]);
    const S rest = 6 - size;
    sum += std::abs(size * rest);
    gradient[i] += scale * sign(w[i]) * sign(rest) * (rest - size);
  };
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) add(i + k, sums[k]);
  }
  for (; i < n; ++i) add(i, sums[0]);
  double total = 0;
  for (const S sum : sums) total += static_cast<double>(sum);
  return total;
}

/// The truth and falsity degrees of tanh d, (1 ± tanh d)/2, and the derivative of the former.
template <class S>
struct Truth {
  S yes;
  S no;
  S gradient;
};
/// As in the reference, including its rounding.
[[gnu::always_inline]] inline Truth<double> truth(double d) {
  const double y = hyperbolic_tangent(d);
  return {(y + 1) / 2, 1 - (y + 1) / 2, (1 - y * y) / 2};
}
/// In float, 1 − tanh d loses all digits where tanh saturates, which is where L4 is large. With e =
/// exp(−2|d|) the two degrees are 1/(1 + e) and e/(1 + e).
[[gnu::always_inline]] inline Truth<float> truth(float d) {
  const float e = exponential(-2 * std::abs(d));
  const float large = 1 / (1 + e);
  const float small = e * large;
  return {d > 0 ? large : small, d > 0 ? small : large, 2 * large * small};
}

template <class S>
void bivalence(std::size_t n, const S* __restrict d, const S* __restrict p, S* __restrict loss,
               S* __restrict dd, S* __restrict dp) {
  constexpr S tiny = S(1e-8);
  for (std::size_t i = 0; i < n; ++i) {
    const Truth<S> t = truth(d[i]);
    const S log_no = logarithm(t.no + tiny);
    dp[i] = log_no - logarithm(t.yes + tiny);
    loss[i] = p[i] * dp[i] - log_no;
    dd[i] = ((1 - p[i]) / (t.no + tiny) - p[i] / (t.yes + tiny)) * t.gradient;
  }
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.tangents = tangents;
  kernels.tanh_gradients = tanh_gradients;
  kernels.exponentials = exponentials;
  kernels.logarithms = logarithms;
  kernels.adam_step = adam_step;
  kernels.squared_norm = squared_norm;
  kernels.weight_losses = weight_losses;
  kernels.bivalence = bivalence;
}

}  // namespace

void enter_elements(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
