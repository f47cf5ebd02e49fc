#pragma once

#include "ndnf/base/config.h"
#include "ndnf/model/layers.h"

namespace ndnf {

/// The section [harden] of a preset: how conjunctions become true or false while the network still learns, so
/// that taking their signs afterwards loses nothing. Moments are fractions of the training.
struct HardenOptions {
  double gain = 1;
  double gain_from = 0.3;
  double gain_to = 0.7;
  double freeze = 1;
  double sharpen = 1;
};
ConfigTable<HardenOptions> harden_config();

/// How much of a change that happens between two moments is done: 0 until `from`, 1 from `to` on, in a
/// straight line between. Nothing ever happens at moment 1.
double share_done(double from, double to, double now);

/// Sets the gain of the conjunctions' tanh, which grows geometrically, and from `freeze` on replaces tanh by
/// the sign: then only the disjunctions learn.
template <class S>
void harden(const HardenOptions& options, double now, NeuralDnf<S>& dnf);

/// What is done to the finished policy: raw outputs are proportional to the disjunctive weights, so a factor
/// there is one in the exponents of mutex-tanh. The best actions stay, and become more certain.
template <class S>
void sharpen(const HardenOptions& options, NeuralDnf<S>& dnf);

}  // namespace ndnf
