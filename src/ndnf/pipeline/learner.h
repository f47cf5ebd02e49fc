#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "ndnf/env/environment.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/mdp/table_env.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/pipeline/starting_point.h"
#include "ndnf/pipeline/train_config.h"
#include "ndnf/train/trainer.h"

namespace ndnf {

/// What seeds of one training share.
struct LearningTask {
  const Environment& environment;
  const TransitionSampler& sampler;
  const PolicyTable* teacher = nullptr;  ///< For distillation.
  const ActionMask* mask = nullptr;      ///< What the shield allows.
};

/// A training in progress and how to take the policy out of it.
struct Learner {
  std::unique_ptr<Trainer> trainer;
  std::function<Checkpoint(std::uint64_t steps)> checkpoint;
};

/// The trainer that `config` describes, at its beginning; a network begins at `start`, if it is given,
/// otherwise where the config says. The task must outlive it.
/// Every random number is a function of the run's seed, a stream and a position: stream 0 is the
/// environment's, 1 the first weights', 2 the actions', 3 the shuffles'. Throws Error for settings that do
/// not fit the environment.
Learner make_learner(const TrainConfig& config, const LearningTask& task,
                     std::optional<StartingPoint> start = std::nullopt);

}  // namespace ndnf
