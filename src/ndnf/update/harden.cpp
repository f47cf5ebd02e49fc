#include "ndnf/update/harden.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/elementary.h"
#include "ndnf/base/error.h"

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
            "certain.")
      .real("atoms", &O::atoms, 1, 1e6,
            "Final gain k of threshold atoms' tanh(k (x - t)), which starts at 2 and grows at the same time.")
      .real("literals", &O::literals, 0, 1,
            "When conjunctions become signs, literals with less than this share of the largest weight of "
            "their conjunction are dropped. With 0.5 each of the others makes it false alone: it is a "
            "conjunction of logic.");
}

double share_done(double from, double to, double now) {
  if (now <= from) return 0;
  return now >= to ? 1 : (now - from) / (to - from);
}

namespace {

constexpr const char* kComparisons = "comparisons";

/// gain^share; exactly 1 and exactly the gain at the two ends.
double grown(double gain, double share) {
  return share == 0 ? 1 : (share == 1 ? gain : exponential(share * logarithm(gain)));
}

template <class S>
void drop_weak_literals(double share, Matrix<S>& W) {
  for (std::size_t q = 0; q < W.cols(); ++q) {
    S largest = 0;
    for (std::size_t i = 0; i < W.rows(); ++i) largest = std::max(largest, std::abs(W(i, q)));
    const S least = static_cast<S>(share) * largest;
    for (std::size_t i = 0; i < W.rows(); ++i) {
      if (std::abs(W(i, q)) < least) W(i, q) = 0;
    }
  }
}

}  // namespace

template <class S>
void harden(const HardenOptions& options, double now, NeuralDnf<S>& dnf) {
  dnf.gain = grown(options.gain, share_done(options.gain_from, options.gain_to, now));
  dnf.activation = now >= options.freeze ? Activation::kStep : Activation::kTanh;
  if (dnf.activation == Activation::kStep && options.literals > 0)
    drop_weak_literals(options.literals, dnf.conjunctions);
}

template <class S>
void harden(const HardenOptions& options, double now, const Scaled& scale, const Vocabulary& vocabulary,
            Thresholds<S>& thresholds) {
  const double share = share_done(options.gain_from, options.gain_to, now);
  thresholds.gain = kFirstAtomGain * grown(options.atoms / kFirstAtomGain, share);
  if (now >= options.freeze && !thresholds.hard) thresholds.hard = hardened(thresholds, scale, vocabulary);
}

template <class S>
void harden_atoms(const Scaled& scale, const Vocabulary& vocabulary, ActorCritic<S>& network) {
  const auto* thresholds = std::get_if<Thresholds<S>>(&network.encoder);
  if (thresholds == nullptr) return;
  network.encoder = thresholds->hard ? *thresholds->hard : hardened(*thresholds, scale, vocabulary);
  network.critic.reset();
  if (std::holds_alternative<NeuralDnf<S>>(network.actor)) drop_unused_comparisons(network);
}

template <class S>
void save_atoms(const ActorCritic<S>& network, TensorFile& file) {
  const auto* thresholds = std::get_if<Thresholds<S>>(&network.encoder);
  if (thresholds != nullptr && thresholds->hard)
    file.tensors[kComparisons] = Tensor::of(to_words(*thresholds->hard));
}

template <class S>
void restore_atoms(std::string_view where, const TensorFile& file, const Vocabulary& vocabulary,
                   ActorCritic<S>& network) {
  auto* thresholds = std::get_if<Thresholds<S>>(&network.encoder);
  const auto found = file.tensors.find(kComparisons);
  if (thresholds == nullptr || found == file.tensors.end()) return;
  Comparisons atoms = comparisons_from(where, found->second.as<std::uint64_t>(where), vocabulary);
  if (atoms.outputs() != thresholds->outputs())
    throw Error(where,
                fmt::format("has {} comparisons, the network {}", atoms.outputs(), thresholds->outputs()));
  thresholds->hard = std::move(atoms);
}

template <class S>
void sharpen(const HardenOptions& options, NeuralDnf<S>& dnf) {
  for (S& w : dnf.disjunctions.values()) w *= static_cast<S>(options.sharpen);
}

template void sharpen(const HardenOptions&, NeuralDnf<float>&);
template void sharpen(const HardenOptions&, NeuralDnf<double>&);
template void harden(const HardenOptions&, double, NeuralDnf<float>&);
template void harden(const HardenOptions&, double, NeuralDnf<double>&);
template void harden(const HardenOptions&, double, const Scaled&, const Vocabulary&, Thresholds<float>&);
template void harden(const HardenOptions&, double, const Scaled&, const Vocabulary&, Thresholds<double>&);
template void harden_atoms(const Scaled&, const Vocabulary&, ActorCritic<float>&);
template void harden_atoms(const Scaled&, const Vocabulary&, ActorCritic<double>&);
template void save_atoms(const ActorCritic<float>&, TensorFile&);
template void save_atoms(const ActorCritic<double>&, TensorFile&);
template void restore_atoms(std::string_view, const TensorFile&, const Vocabulary&, ActorCritic<float>&);
template void restore_atoms(std::string_view, const TensorFile&, const Vocabulary&, ActorCritic<double>&);

}  // namespace ndnf
