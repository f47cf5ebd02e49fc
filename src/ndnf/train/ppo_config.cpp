#include "ndnf/train/ppo.h"

namespace ndnf {

ConfigTable<PpoOptions> ppo_config() {
  constexpr std::int64_t kMany = 1'000'000'000'000;
  return ConfigTable<PpoOptions>()
      .integer("total_timesteps", &PpoOptions::total_timesteps, 1, kMany,
               "Environment steps of the whole training, rounded down to whole iterations.")
      .real("learning_rate", &PpoOptions::learning_rate, 0, 10, "Step size of Adam.")
      .real("learning_rate_actor", &PpoOptions::learning_rate_actor, 0, 10,
            "Step size for the actor and the encoder; 0 means learning_rate.")
      .real("learning_rate_critic", &PpoOptions::learning_rate_critic, 0, 10,
            "Step size for the critic; 0 means learning_rate.")
      .integer("num_envs", &PpoOptions::num_envs, 1, 1'000'000, "Environments played in parallel.")
      .integer("num_steps", &PpoOptions::num_steps, 1, 1'000'000,
               "Steps of each environment in an iteration.")
      .flag("anneal_lr", &PpoOptions::anneal_lr, "Let the step size fall linearly to 0.")
      .real("gamma", &PpoOptions::gamma, 0, 1, "Discount factor.")
      .real("gae_lambda", &PpoOptions::gae_lambda, 0, 1, "How far advantage estimates look ahead.")
      .integer("num_minibatches", &PpoOptions::num_minibatches, 1, 1'000'000, "Minibatches in an epoch.")
      .integer("update_epochs", &PpoOptions::update_epochs, 1, 1'000'000,
               "Times each iteration's samples are used.")
      .flag("norm_adv", &PpoOptions::norm_adv, "Normalise the advantages of each minibatch.")
      .real("clip_coef", &PpoOptions::clip_coef, 0, 1000,
            "How far the probability ratio may move: 1 ± clip_coef.")
      .flag("clip_vloss", &PpoOptions::clip_vloss, "Clip the change of the critic's values likewise.")
      .real("ent_coef", &PpoOptions::ent_coef, 0, 1000, "Weight of the entropy bonus.")
      .real("ent_from", &PpoOptions::ent_from, 0, 1,
            "The fraction of the training at which the entropy bonus starts to fall linearly to 0.")
      .real("ent_to", &PpoOptions::ent_to, 0, 1, "The fraction at which it is 0; with both 1 it never falls.")
      .real("vf_coef", &PpoOptions::vf_coef, 0, 1000, "Weight of the value loss.")
      .real("max_grad_norm", &PpoOptions::max_grad_norm, 0, 1e9,
            "Maximum norm of the gradient; larger ones are scaled down.")
      .real("target_kl", &PpoOptions::target_kl, 0, 1000,
            "End an iteration's updates early when the policy has moved this far; 0 means never.")
      .real("adam_eps", &PpoOptions::adam_eps, 0, 1, "Adam's epsilon.")
      .flag("bootstrap_truncated", &PpoOptions::bootstrap_truncated,
            "If the step limit truncates an episode, add the critic's value of its last state.")
      .flag("keep_negative", &PpoOptions::keep_negative,
            "After every step set positive weights of conjunctions to 0.")
      .real("average_last", &PpoOptions::average_last, 0, 1,
            "The last fraction of the iterations, over which the policy's weights are averaged.")
      .real("reward_scale", &PpoOptions::reward_scale, 0, 1e100,
            "What rewards are multiplied by while learning; reported returns are not.")
      .flag("scale_inputs", &PpoOptions::scale_inputs,
            "Shift and scale the numbers of observations to mean 0 and deviation 1 while learning; the saved "
            "network reads them as they are.")
      .flag("scale_rewards", &PpoOptions::scale_rewards,
            "Divide rewards by the deviation of discounted returns while learning.")
      .real("scale_until", &PpoOptions::scale_until, 0, 1,
            "The fraction of the training after which the scale of the inputs no longer changes.");
}

}  // namespace ndnf
