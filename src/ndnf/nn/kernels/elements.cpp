#include "ndnf/base/elementary.h"
#include "ndnf/nn/kernels/strip.h"
#include "ndnf/nn/kernels/variant.h"

namespace ndnf::kernel_sets::NDNF_KERNEL_SET {
namespace {

template <class S>
void tangents(std::size_t n, const S* z, S* y) {
  for_strips(n, [=](auto width, std::size_t first) {
    Strip<S, width> block(z + first);
    to_tangents(block);
    block.write(y + first);
  });
}

template <class S>
void tanh_gradients(std::size_t n, const S* y, const S* dy, S* dz) {
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (S(1) - y[i] * y[i]);
}

template <class S>
void ramp_gradients(std::size_t n, const S* y, const S* dy, S* dz) {
  for_strips(n, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    const Block value(y + first);
    Block gradient(dy + first);
    const typename Block::Part zero{};
    for (std::size_t v = 0; v < Block::kCount; ++v)
      gradient.part[v] = value.part[v] > zero ? gradient.part[v] : zero;
    gradient.write(dz + first);
  });
}

template <class S>
void exponentials(std::size_t n, const S* x, S* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = exponential(x[i]);
}

template <class S>
void logarithms(std::size_t n, const S* x, S* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = logarithm(x[i]);
}

// One pass: every array is read and written once. Written with strips because the compiler would clear the
// gradient in a second pass. The divider is the bottleneck (a square root and a division per weight), so all
// else in the loop is free.
template <class S>
void adam_step(const AdamFactors<S>& factors, std::size_t n, S* g, S* m, S* v, S* w) {
  const AdamFactors<S> f = factors;
  for_strips<8>(n, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    const Block gradient(g + first);
    Block mean(m + first);
    Block square(v + first);
    Block weight(w + first);
    Block::for_parts([&](std::size_t k) {
      const auto slope = f.scale * gradient.part[k];
      mean.part[k] = f.beta1 * mean.part[k] + f.rest1 * slope;
      square.part[k] = f.beta2 * square.part[k] + f.rest2 * slope * slope;
      weight.part[k] -= f.size * mean.part[k] / (square_root(square.part[k]) * f.root + f.epsilon);
    });
    Block(S(0)).write(g + first);
    mean.write(m + first);
    square.write(v + first);
    weight.write(w + first);
  });
}

template <class S>
double squared_norm(std::size_t n, const S* g) {
  constexpr std::size_t kSums = 32;  // independent sums, so that additions overlap
  using Block = Strip<S, kSums>;
  Block sum(S(0));
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    const Block x(g + i);
    for (std::size_t v = 0; v < Block::kCount; ++v) sum.part[v] += x.part[v] * x.part[v];
  }
  S sums[kSums];
  sum.write(sums);
  for (std::size_t k = 0; i < n; ++i, ++k) sums[k] += g[i] * g[i];
  double total = 0;
  for (std::size_t k = 0; k < std::min(n, kSums); ++k) total += static_cast<double>(sums[k]);
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
void policy_terms(const PolicySamples<S>& samples, S* __restrict gradient, double* __restrict loss,
                  double* __restrict divergence, double* __restrict clipped) {
  const PolicySamples<S> s = samples;
  for (std::size_t k = 0; k < s.count; ++k) {
    const S safe = std::min(std::max(s.chance[k], s.smallest), s.largest);
    const double ratio = static_cast<double>(safe) / static_cast<double>(s.old_chance[k]);
    const double plain = -s.advantage[k] * ratio;
    const double held = std::min(std::max(ratio, 1 - s.clip), 1 + s.clip);
    const double limited = -s.advantage[k] * held;
    loss[k] = (plain < limited ? limited : plain) * s.share;
    divergence[k] = (ratio - 1 - logarithm(ratio)) * s.share;
    clipped[k] = std::abs(ratio - 1) > s.clip ? s.share : 0;
    const S moved = plain < limited ? S(0) : static_cast<S>(plain * s.share);
    gradient[k] = safe != s.chance[k] ? S(0) : moved;
  }
}

template <class S>
void value_terms(const ValueSamples<S>& samples, S* __restrict gradient, double* __restrict loss) {
  const ValueSamples<S> s = samples;
  for (std::size_t k = 0; k < s.count; ++k) {
    const double target = static_cast<double>(s.target[k]);
    const double old = static_cast<double>(s.old_value[k]);
    const double change = static_cast<double>(s.value[k]) - old;
    const double limited = std::min(std::max(change, -s.clip), s.clip);
    const double plain_error = old + change - target;
    const double limited_error = old + limited - target;
    const bool use_limited = limited_error * limited_error > plain_error * plain_error;
    const double error = use_limited ? limited_error : plain_error;
    loss[k] = 0.5 * error * error * s.share;
    const double held = limited != change ? 0 : s.factor * error * s.share;
    gradient[k] = static_cast<S>(use_limited ? held : s.factor * error * s.share);
  }
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.tangents = tangents;
  kernels.tanh_gradients = tanh_gradients;
  kernels.ramp_gradients = ramp_gradients;
  kernels.exponentials = exponentials;
  kernels.logarithms = logarithms;
  kernels.adam_step = adam_step;
  kernels.squared_norm = squared_norm;
  kernels.weight_losses = weight_losses;
  kernels.bivalence = bivalence;
  kernels.policy_terms = policy_terms;
  kernels.value_terms = value_terms;
}

}  // namespace

void enter_elements(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
