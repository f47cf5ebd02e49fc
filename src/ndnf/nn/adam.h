#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ndnf/base/elementary.h"
#include "ndnf/nn/vector.h"

namespace ndnf {

/// Adam (Kingma and Ba, 2015) with the paper's settings as defaults.
struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-5;
};

/// The running moments of one block of parameters.
template <class S>
struct AdamMoments {
  Numbers<S> first;
  Numbers<S> second;
};

/// The bias corrections of one step, counted from 1, shared by all blocks: the factors by which m and v
/// underestimate the true means.
class AdamCorrections {
 public:
  AdamCorrections(const AdamOptions& options, std::uint64_t step) : options_(options) { advance(step); }
  /// Advances by this many steps; the result is bit-identical whether done at once or one by one.
  void advance(std::uint64_t steps);
  double first() const { return 1 - power1_.high; }   ///< 1 − beta1^step
  double second() const { return 1 - power2_.high; }  ///< 1 − beta2^step

 private:
  AdamOptions options_;
  elementary::Pair power1_{1, 0};
  elementary::Pair power2_{1, 0};
};

/// One Adam step on one block: w −= rate · m̂ / (√v̂ + epsilon). The gradient is first multiplied by `scale`
/// (the clipping factor), and is 0 afterwards.
template <class S>
void adam_step(const AdamOptions& options, const AdamCorrections& corrections, double rate, double scale,
               std::span<S> gradient, AdamMoments<S>& moments, std::span<S> weights);

/// Σ g², for clipping by the norm over all blocks together. Summed in a fixed order.
template <class S>
double squared_norm(std::span<const S> gradient);

/// The factor that reduces a norm to `limit`, as in torch's clip_grad_norm_: limit / (norm + 1e-6), at most
/// 1.
double clip_factor(double squared_norm, double limit);

}  // namespace ndnf
