#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

struct PpoOptions;

/// A minibatch as input of PPO's losses. Sample j refers to row slot[j] of the network's outputs: samples
/// with the same observation share a row, so that the network runs once for all of them.
template <class S>
struct PpoSamples {
  std::vector<std::uint32_t> slot;
  std::vector<ActionId> action;
  std::vector<S> old_probability;  ///< Of the action when it was taken, clamped.
  std::vector<S> old_value;
  std::vector<double> advantage;
  std::vector<S> target;  ///< The return, which is the target of the value.
  std::vector<S> counts;  ///< Per row: how many samples refer to it.

  std::size_t size() const { return slot.size(); }
};

/// Means over a minibatch.
struct PpoLosses {
  double policy = 0;
  double value = 0;
  double entropy = 0;
  double approx_kl = 0;
  double clip_fraction = 0;
};

/// Probabilities are clamped to [smallest, 1 − epsilon] before logarithms are taken, as in torch's
/// Categorical(probs) for a neural DNF-MT; for an MLP's logits `smallest` is so small that it has no effect.
template <class S>
S smallest_probability(const ActorCritic<S>& network);
template <class S>
inline constexpr S kLargestProbability = S(1) - std::numeric_limits<S>::epsilon();
template <class S>
inline S clamped(S p, S smallest) {
  return std::min(std::max(p, smallest), kLargestProbability<S>);
}

/// Shifts and scales the advantages to mean 0 and (unbiased) standard deviation 1.
void normalise(std::span<double> advantages);

/// L^CLIP + c₁ L^value − c₂ S of the paper's appendix (with the minus sign that L^CLIP lacks there, and the
/// reference's ½ before L^value): adds the gradients to output_gradients.raw and output_gradients.values.  p
/// (B, N), values (B, 1).
template <class S>
PpoLosses add_ppo_losses(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p,
                         const Matrix<S>& values, S smallest, OutputGradients<S>& output_gradients);

}  // namespace ndnf
