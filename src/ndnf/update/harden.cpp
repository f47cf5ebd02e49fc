#include "ndnf/update/harden.h"

#include "ndnf/base/elementary.h"

namespace ndnf {

ConfigTable<HardenOptions> harden_config() {
  using O = HardenOptions;
  return ConfigTable<O>()
      .real("gain", &O::gain, 1, 1e6, "Final gain k of the conjunctions' tanh(k z), which starts at 1.")
      .real("gain_from", &O::gain_from, 0, 1,
            "The fraction of the training at which the gain starts to grow.")
      .real("gain_to", &O::gain_to, 0, 1, "The fraction at which it reaches its final value.")
      .real("freeze", &O::freeze, 0, 1,
            "The fraction after which conjunctions are replaced by their signs and only the disjunctive "
            "layer learns; 1 means never.")
      .real("sharpen", &O::sharpen, 1, 1e6,
            "A factor for the disjunctive weights of the finished policy, which makes its best actions more "
            "certain.");
}

double share_done(double from, double to, double now) {
  if (now <= from) return 0;
  return now >= to ? 1 : (now - from) / (to - from);
}

namespace {

/// gain^share; exactly 1 and exactly the gain at the two ends.
double grown(double gain, double share) {
  return share == 0 ? 1 : (share == 1 ? gain : exponential(share * logarithm(gain)));
}

}  // namespace

template <class S>
void harden(const HardenOptions& options, double now, NeuralDnf<S>& dnf) {
  dnf.gain = grown(options.gain, share_done(options.gain_from, options.gain_to, now));
  dnf.activation = now >= options.freeze ? Activation::kStep : Activation::kTanh;
}

template <class S>
void sharpen(const HardenOptions& options, NeuralDnf<S>& dnf) {
  for (S& w : dnf.disjunctions.values()) w *= static_cast<S>(options.sharpen);
}

template void sharpen(const HardenOptions&, NeuralDnf<float>&);
template void sharpen(const HardenOptions&, NeuralDnf<double>&);
template void harden(const HardenOptions&, double, NeuralDnf<float>&);
template void harden(const HardenOptions&, double, NeuralDnf<double>&);

}  // namespace ndnf
