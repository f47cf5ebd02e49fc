#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/train/trainer.h"
#include "ndnf/training/lessons.h"
#include "ndnf/training/rule_learner.h"
#include "ndnf/training/starting_point.h"
#include "ndnf/training/train_config.h"

namespace ndnf {

/// What the runs of one training, one per seed, share.
struct LearningTask {
  const Task& task;
  const Lessons* lessons = nullptr;  ///< For distillation.
  const ActionMask* mask = nullptr;  ///< What the shield allows.
  /// What a search for rules learns from; null if it trains a teacher.
  std::shared_ptr<const Policy> rules_teacher{};
  std::size_t jobs = 1;               ///< Threads for one run; the results do not depend on it.
  std::string rules_teacher_print{};  ///< The fingerprint of its file; empty if it is not a file.
};

/// What a run has learned so far: a network or table, or rules.
using Learned = std::variant<Checkpoint, LearnedRules>;

/// A trainer and a function that returns its current policy.
struct Learner {
  std::unique_ptr<Trainer> trainer;
  std::function<Learned(std::uint64_t steps)> learned;
};

/// The trainer that `config` describes, before its first iteration. A network starts from `start` if that is
/// given, otherwise from the starting point of the config. The task must outlive the learner. Every random
/// number is a function of the run's seed, a stream and a position in it. The streams are: 0 for the
/// environment, 1 for initial weights, 2 for actions, 3 for shuffling minibatches. Throws Error for settings
/// that do not fit the environment.
Learner make_learner(const TrainConfig& config, const LearningTask& task,
                     std::optional<StartingPoint> start = std::nullopt);

}  // namespace ndnf
