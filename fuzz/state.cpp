#include "harness.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/learner.h"

namespace ndnf::fuzz {
namespace {

/// The settings of the run that produced the seeds: two small iterations, stopped after the first.
TrainConfig small_training() {
  return load_train_config(
      "paper/small-corridor-wall-ndnf-mt",
      {"ppo.total_timesteps=32", "ppo.num_envs=2", "ppo.num_steps=8", "ppo.num_minibatches=1",
       "ppo.update_epochs=1", "actor.conjunctions=2", "critic.hidden=[2]"});
}

}  // namespace

void try_input(std::string_view input) {
  static const TrainConfig config = small_training();
  static const Task task = make_task(config.run.env);
  const TensorFile state = parse_safetensors("state", input);
  state.check_finite("state");
  const Learner learner = make_learner(config, {task}, std::nullopt);
  learner.trainer->restore("state", state);
  learner.trainer->state();
  if (!learner.trainer->done()) learner.trainer->iterate();
}

}  // namespace ndnf::fuzz
