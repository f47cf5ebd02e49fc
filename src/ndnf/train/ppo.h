#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ndnf/base/config.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/simulation/vector_env.h"
#include "ndnf/train/trainer.h"
#include "ndnf/update/constraints.h"
#include "ndnf/update/delta.h"
#include "ndnf/update/harden.h"
#include "ndnf/update/losses.h"

namespace ndnf {

/// The section [ppo] of a preset, named as in the paper's tables and CleanRL.
struct PpoOptions {
  std::int64_t total_timesteps = 100000;
  double learning_rate = 1e-2;
  double learning_rate_actor = 0;   ///< 0: learning_rate.
  double learning_rate_critic = 0;  ///< 0: learning_rate.
  std::int64_t num_envs = 8;
  std::int64_t num_steps = 64;
  bool anneal_lr = true;
  double gamma = 0.99;
  double gae_lambda = 0.95;
  std::int64_t num_minibatches = 8;
  std::int64_t update_epochs = 4;
  bool norm_adv = true;
  double clip_coef = 0.3;
  bool clip_vloss = true;
  double ent_coef = 0.1;
  double ent_from = 1;
  double ent_to = 1;
  double vf_coef = 1;
  double max_grad_norm = 0.5;
  double target_kl = 0;  ///< 0: none.
  double adam_eps = 1e-5;
  bool bootstrap_truncated = false;
  bool keep_negative = false;
  double average_last = 0;
  double reward_scale = 1;
  bool scale_inputs = false;
  bool scale_rewards = false;
  double scale_until = 1;
};
ConfigTable<PpoOptions> ppo_config();

/// PPO as in the paper's appendix and CleanRL, on any VectorEnv. Forward and backward passes run once per
/// distinct observation of a minibatch; `once_per_sample` turns this off, for tests: the result is the same.
/// With a mask, the policy is the softmax over the allowed actions, in rollouts and in all losses.
template <class S>
class PpoTrainer final : public Trainer {
 public:
  PpoTrainer(std::unique_ptr<VectorEnv> env, ActorCritic<S> network, const PpoOptions& ppo,
             const LossOptions& losses, const DeltaOptions& delta, const HardenOptions& harden,
             std::uint64_t seed, const Constraints& constraints = {}, bool once_per_sample = false);
  ~PpoTrainer() override;

  bool done() const override;
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;
  bool began_new_episodes() const override;

  /// The network being trained.
  const ActorCritic<S>& network() const;
  /// The policy to use: weights averaged if the options say so, gain folded into the weights.
  ActorCritic<S> policy() const;

 private:
  IterationReport next_iteration() override;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ndnf
