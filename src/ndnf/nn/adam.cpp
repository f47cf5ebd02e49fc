#include "ndnf/nn/adam.h"

#include <algorithm>
#include <cmath>

#include "ndnf/nn/kernels/kernels.h"

namespace ndnf {

namespace {

/// Multiplies by beta. A power too small to affect 1 − power is set to 0, so that the loop can stop.
void decay(elementary::Pair& power, double beta) {
  constexpr double kInvisible = 0x1p-64;
  power = elementary::product(power, {beta, 0});
  if (power.high < kInvisible) power = {0, 0};
}

}  // namespace

void AdamCorrections::advance(std::uint64_t steps) {
  for (; steps > 0 && (power1_.high > 0 || power2_.high > 0); --steps) {
    decay(power1_, options_.beta1);
    decay(power2_, options_.beta2);
  }
}

template <class S>
void adam_step(const AdamOptions& options, const AdamCorrections& corrections, double rate, double scale,
               std::span<S> gradient, AdamMoments<S>& moments, std::span<S> weights) {
  moments.first.resize(weights.size(), S(0));
  moments.second.resize(weights.size(), S(0));
  const AdamFactors<S> factors{
      .beta1 = static_cast<S>(options.beta1),
      .rest1 = static_cast<S>(1 - options.beta1),  // in double: 1 − float(0.999) has an error of 1.3e-5
      .beta2 = static_cast<S>(options.beta2),
      .rest2 = static_cast<S>(1 - options.beta2),
      .scale = static_cast<S>(scale),
      .size = static_cast<S>(rate / corrections.first()),
      .root = static_cast<S>(1 / std::sqrt(corrections.second())),
      .epsilon = static_cast<S>(options.epsilon)};
  kernels<S>().adam_step(factors, weights.size(), gradient.data(), moments.first.data(),
                         moments.second.data(), weights.data());
}

template <class S>
double squared_norm(std::span<const S> gradient) {
  return kernels<S>().squared_norm(gradient.size(), gradient.data());
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
