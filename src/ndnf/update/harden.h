#pragma once

#include "ndnf/base/config.h"
#include "ndnf/model/layers.h"

namespace ndnf {

/// The section [harden] of a preset: drives the conjunctions to ±1 while the network still learns, so that
/// taking their signs afterwards loses nothing. Times are fractions of the training.
struct HardenOptions {
  double gain = 1;
  double gain_from = 0.3;
  double gain_to = 0.7;
  double freeze = 1;
  double sharpen = 1;
};
ConfigTable<HardenOptions> harden_config();

/// The completed fraction of a change between two times: 0 until `from`, 1 from `to` on, linear in between.
/// A change at time 1 never happens.
double share_done(double from, double to, double now);

/// Sets the gain of the conjunctions' tanh, which grows geometrically, and from `freeze` on replaces tanh by
/// the sign; then only the disjunctions learn.
template <class S>
void harden(const HardenOptions& options, double now, NeuralDnf<S>& dnf);

/// Applied to the finished policy: raw outputs are proportional to the disjunctive weights, so a factor on
/// the weights is a factor on the logits of mutex-tanh. The best actions stay the same and become more
/// probable.
template <class S>
void sharpen(const HardenOptions& options, NeuralDnf<S>& dnf);

}  // namespace ndnf
