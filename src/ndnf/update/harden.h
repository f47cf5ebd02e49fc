#pragma once

#include <string_view>

#include "ndnf/base/config.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// The section [harden] of a preset: drives the conjunctions to ±1 while the network still learns, so that
/// taking their signs afterwards loses nothing. Times are fractions of the training.
struct HardenOptions {
  double gain = 1;
  double gain_from = 0.3;
  double gain_to = 0.7;
  double freeze = 1;
  double sharpen = 1;
  double atoms = 20;
  double literals = 0;
};
ConfigTable<HardenOptions> harden_config();

/// The completed fraction of a change between two times: 0 until `from`, 1 from `to` on, linear in between.
/// A change at time 1 never happens.
double share_done(double from, double to, double now);

/// Sets the gain of the conjunctions' tanh, which grows geometrically, and from `freeze` on replaces tanh by
/// the sign; then only the disjunctions learn. Literals that are weaker than the share `literals` of the
/// largest of their conjunction are then dropped.
template <class S>
void harden(const HardenOptions& options, double now, NeuralDnf<S>& dnf);

/// The same for threshold atoms, whose gain grows from kFirstAtomGain to `atoms` meanwhile; from `freeze` on
/// they are comparisons. `scale` is that of their inputs, which must not change any more then.
inline constexpr double kFirstAtomGain = 2;
template <class S>
void harden(const HardenOptions& options, double now, const Scaled& scale, const Vocabulary& vocabulary,
            Thresholds<S>& thresholds);

/// The network as a policy, if it has threshold atoms: these are comparisons, of which those remain that
/// some conjunction uses, and there is no critic. Others stay as they are.
template <class S>
void harden_atoms(const Scaled& scale, const Vocabulary& vocabulary, ActorCritic<S>& network);

/// Adds hardened atoms to a saved state, as `comparisons`, and takes them from there.
template <class S>
void save_atoms(const ActorCritic<S>& network, TensorFile& file);
template <class S>
void restore_atoms(std::string_view where, const TensorFile& file, const Vocabulary& vocabulary,
                   ActorCritic<S>& network);

/// Applied to the finished policy: raw outputs are proportional to the disjunctive weights, so a factor on
/// the weights is a factor on the logits of mutex-tanh. The best actions stay the same and become more
/// probable.
template <class S>
void sharpen(const HardenOptions& options, NeuralDnf<S>& dnf);

}  // namespace ndnf
