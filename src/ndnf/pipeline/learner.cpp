#include "ndnf/pipeline/learner.h"

#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/train/exact_finish.h"
#include "ndnf/train/staged_trainer.h"

namespace ndnf {
namespace {

std::uint64_t seed_of(const TrainConfig& config) { return static_cast<std::uint64_t>(config.run.seed); }

std::unique_ptr<VectorEnv> walkers(const LearningTask& task, std::int64_t count) {
  return std::make_unique<TableEnv>(task.sampler, static_cast<std::size_t>(count));
}

std::vector<ObsId> observations_to_learn(const TrainConfig& config, const FiniteModel& model) {
  if (config.distill.states == "reachable") return reachable(model).observations;
  std::vector<bool> decides(model.observations().size(), false);
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!model.is_end(s)) decides[model.observation(s)] = true;
  }
  std::vector<ObsId> observations;
  for (ObsId obs = 0; obs < decides.size(); ++obs) {
    if (decides[obs]) observations.push_back(obs);
  }
  return observations;
}

Checkpoint checkpoint_of(const TrainConfig& config, const Environment& environment, const std::string& model,
                         std::variant<ActorCritic<float>, QTable> policy, std::uint64_t steps) {
  return {model,
          std::move(policy),
          environment.model.observations().shared_vocabulary(),
          environment.spec,
          config.run.preset,
          Selection::parse("eval.select", config.eval.select),
          config.extract.as,
          seed_of(config),
          steps,
          config.run.shield,
          environment.fingerprint(),
          config.extract.threshold};
}

/// A learner for any trainer with a `policy()`, followed by the exact finish if the config asks for one.
template <class NetworkTrainer>
Learner network_learner(const TrainConfig& config, const LearningTask& task, const LockedWeights& locked,
                        std::unique_ptr<NetworkTrainer> trainer) {
  const NetworkTrainer* kept = trainer.get();
  const auto checkpoint = [config, &environment = task.environment](ActorCritic<float> policy,
                                                                    std::uint64_t steps) {
    if (auto* dnf = std::get_if<NeuralDnf<float>>(&policy.actor)) sharpen(config.harden, *dnf);
    return checkpoint_of(config, environment, config.actor.model, std::move(policy), steps);
  };
  if (config.finish.steps == 0) {
    return {std::move(trainer),
            [checkpoint, kept](std::uint64_t steps) { return checkpoint(kept->policy(), steps); }};
  }
  const auto finish = std::make_shared<const ExactFinish<float>*>(nullptr);  // set when it begins
  auto staged = std::make_unique<StagedTrainer>(
      std::move(trainer),
      [config, &model = task.environment.model, constraints = Constraints{locked, task.mask}, kept, finish] {
        auto second = std::make_unique<ExactFinish<float>>(model, kept->policy(), config.finish, constraints);
        *finish = second.get();
        return second;
      },
      static_cast<std::size_t>(config.finish.steps));
  return {std::move(staged), [checkpoint, kept, finish](std::uint64_t steps) {
            return checkpoint(*finish == nullptr ? kept->policy() : (*finish)->policy(), steps);
          }};
}

Learner ppo_learner(const TrainConfig& config, const LearningTask& task, StartingPoint start) {
  auto trainer = std::make_unique<PpoTrainer<float>>(
      walkers(task, config.ppo.num_envs), std::move(start.network), config.ppo, config.losses, config.delta,
      config.harden, seed_of(config), Constraints{start.locked, task.mask});
  return network_learner(config, task, start.locked, std::move(trainer));
}

Learner distill_learner(const TrainConfig& config, const LearningTask& task, StartingPoint start) {
  const FiniteModel& model = task.environment.model;
  std::vector<ObsId> observations = observations_to_learn(config, model);
  for (const ObsId obs : observations) {
    if (task.teacher->defined(obs)) continue;
    throw Error(config.distill.oracle,
                fmt::format("{} in {}", task.teacher->defect(obs), model.observations().describe(obs)),
                "a teacher needs a distribution in every observation to be learned");
  }
  start.network.critic.reset();
  auto trainer = std::make_unique<DistillTrainer<float>>(
      model.observations(), std::move(observations), *task.teacher, std::move(start.network), config.distill,
      config.losses, config.delta, config.harden, seed_of(config), Constraints{start.locked, task.mask});
  return network_learner(config, task, start.locked, std::move(trainer));
}

Learner table_learner(const TrainConfig& config, const LearningTask& task) {
  const TdTarget target = config.run.method == "sarsa" ? TdTarget::kTaken : TdTarget::kBest;
  auto trainer = std::make_unique<QLearningTrainer>(walkers(task, 1), config.q_learning, target,
                                                    seed_of(config), task.mask);
  const QLearningTrainer* kept = trainer.get();
  return {std::move(trainer), [config, &environment = task.environment, kept](std::uint64_t steps) {
            return checkpoint_of(config, environment, config.table_actor.model,
                                 make_q_table(kept->observations(), kept->q()), steps);
          }};
}

}  // namespace

Learner make_learner(const TrainConfig& config, const LearningTask& task,
                     std::optional<StartingPoint> start) {
  if (config.run.method != "ppo" && config.run.method != "distill") return table_learner(config, task);
  if (!start) start = starting_point(config, task.environment.model);
  return config.run.method == "ppo" ? ppo_learner(config, task, std::move(*start))
                                    : distill_learner(config, task, std::move(*start));
}

}  // namespace ndnf
