#include "ndnf/nn/adam.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ndnf {

AdamCorrections::AdamCorrections(const AdamOptions& options, std::uint64_t step)
    : first(1 - std::pow(options.beta1, static_cast<double>(step))),
      second(1 - std::pow(options.beta2, static_cast<double>(step))) {}

template <class S>
void adam_step(const AdamOptions& options, const AdamCorrections& corrections, double rate, double scale,
               std::span<S> gradient, AdamMoments<S>& moments, std::span<S> weights) {
  moments.first.resize(weights.size(), S(0));
  moments.second.resize(weights.size(), S(0));
  const S beta1 = static_cast<S>(options.beta1);
  const S beta2 = static_cast<S>(options.beta2);
  const S rest1 = static_cast<S>(1 - options.beta1);  // in double first: 1 − float(0.999) is off by 1.3e-5
  const S rest2 = static_cast<S>(1 - options.beta2);
  const S factor = static_cast<S>(scale);
  const S size = static_cast<S>(rate / corrections.first);
  const S root = static_cast<S>(1 / std::sqrt(corrections.second));
  const S epsilon = static_cast<S>(options.epsilon);
  S* __restrict g = gradient.data();
  S* __restrict m = moments.first.data();
  S* __restrict v = moments.second.data();
  S* __restrict w = weights.data();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const S slope = factor * g[i];
    g[i] = 0;
    m[i] = beta1 * m[i] + rest1 * slope;
    v[i] = beta2 * v[i] + rest2 * slope * slope;
    w[i] -= size * m[i] / (std::sqrt(v[i]) * root + epsilon);
  }
}

template <class S>
double squared_norm(std::span<const S> gradient) {
  constexpr std::size_t kSums = 32;  // independent sums, so that the loop becomes vector code
  std::array<S, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= gradient.size(); i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += gradient[i + k] * gradient[i + k];
  }
  for (std::size_t k = 0; i < gradient.size(); ++i, ++k) sums[k] += gradient[i] * gradient[i];
  double total = 0;
  for (const S sum : sums) total += static_cast<double>(sum);
  return total;
}

double clip_factor(double squared_norm, double limit) {
  return std::min(1.0, limit / (std::sqrt(squared_norm) + 1e-6));
}

#define NDNF_INSTANTIATE(S)                                                                         \
  template void adam_step(const AdamOptions&, const AdamCorrections&, double, double, std::span<S>, \
                          AdamMoments<S>&, std::span<S>);                                           \
  template double squared_norm(std::span<const S>);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
