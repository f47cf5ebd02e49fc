#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ndnf/base/config.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// The section [losses] of a preset: the factors of the auxiliary losses, Eqs. (5)–(8), by the paper's names.
struct LossOptions {
  double embedding_reg_lambda = 0;                ///< L1
  double dis_weight_reg_lambda = 0;               ///< L2
  double conj_tanh_out_reg_lambda = 0;            ///< L3
  double mt_lambda = 0;                           ///< L4
  double literal_lambda = 0;                      ///< Optimiser::shrink_literals
  std::string dis_weight_reg_on = "disjunctive";  ///< or "all"
  std::string mt_reduction = "sum";               ///< or "mean", over the minibatch
  bool wait_for_delta = false;
  std::int64_t wait_minibatches = 10;
};
ConfigTable<LossOptions> losses_config();

/// The auxiliary losses of a batch, before their factors.
struct AuxiliaryLosses {
  double l1 = 0;
  double l2 = 0;
  double l3 = 0;
  double l4 = 0;
};

/// Computes the losses of a minibatch in which observation b occurs counts[b] times (`samples` in all), and
/// adds factor · gradient to `output_gradients` and, for L2, to `gradient`.
///   L1 = mean | |f| − 1 |, L2 = mean |w (6 − |w|)|, L3 = mean 1 − |c|,
///   L4 = −Σ p log(ŷ' + 1e-8) + (1 − p) log(1 − ŷ' + 1e-8), with ŷ' = (tanh d + 1)/2 and p not detached,
/// summed over actions and (mt_reduction) summed or averaged over samples. Under a shield, L4 omits the
/// forbidden actions (`allowed` as in Batch): the mask alone prevents them. If they were included with p =
/// 0, rules would learn to be false where their actions are needed: only 8 instead of 16 of 16 Door Corridor
/// runs reached the goal.
/// REQUIRES: output_gradients.raw has its shape; so have output_gradients.features and
/// output_gradients.conjunctions if the factor of L1 or L3, respectively, is not 0.
template <class S>
AuxiliaryLosses add_auxiliary_losses(const LossOptions& options, const ActorCritic<S>& network,
                                     const Activations<S>& activations, std::span<const S> counts,
                                     double samples, OutputGradients<S>& output_gradients,
                                     ActorCritic<S>& gradient, std::span<const std::uint64_t> allowed = {});

}  // namespace ndnf
