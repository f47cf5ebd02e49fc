#include "ndnf/training/time_budget.h"

#include <algorithm>
#include <chrono>

#include "ndnf/inputs/shield_source.h"
#include "ndnf/training/learner.h"
#include "ndnf/training/train_config.h"

namespace ndnf {
namespace {

/// Steps are rounded to a multiple of this, which is one of PPO's iterations in the recipes.
constexpr double kRounding = 4096;
/// What is left for loading, saving and the slower parts.
constexpr double kUsable = 0.8;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Steps a second at the end of a short training; nothing if it came to its end.
std::optional<double> speed_of(const TrainConfig& config, const LearningTask& learning, double seconds) {
  const Learner learner = make_learner(config, learning, std::nullopt);
  const auto begin = Clock::now();
  double speed = 0;
  double before = 0;
  for (double steps = 0; speed == 0 || seconds_since(begin) < seconds;) {
    if (learner.trainer->done()) return std::nullopt;
    const auto now = static_cast<double>(learner.trainer->iterate().steps);
    const double passed = seconds_since(begin);
    speed = (now - steps) / std::max(passed - before, 1e-9);
    steps = now;
    before = passed;
  }
  return speed;
}

/// A search for rules plays faster than its teacher learns, and distils in between. A small one shows what
/// each of these takes: teaching a step, a round of distillation per state, playing a step.
double rule_steps_within(double seconds, const TrainConfig& config, const LearningTask& learning) {
  TrainConfig trial = config;
  trial.rules.total_timesteps = 100'000;
  trial.rules.rounds = 1;
  trial.rules.states = 512;
  trial.rules.episodes = 10;
  trial.rules.teacher_attempts = 1;
  trial.ppo.total_timesteps = 2 * config.ppo.num_envs * config.ppo.num_steps;
  const bool teaches = learning.rules_teacher == nullptr;
  const std::size_t lessons = teaches ? 2 : 0;
  const std::size_t searches = lessons + 2;
  double taught = 0;
  double distilled = 0;
  std::uint64_t steps_before = 0;
  std::uint64_t steps = 0;
  const Learner learner = make_learner(trial, learning, std::nullopt);
  const auto begin = Clock::now();
  for (std::size_t done = 0; !learner.trainer->done();) {
    steps = learner.trainer->iterate().steps;
    ++done;
    if (done == lessons) taught = seconds_since(begin);
    if (done == searches) {
      distilled = seconds_since(begin) - taught;
      steps_before = steps;
    }
  }
  const double played = seconds_since(begin) - taught - distilled;
  const auto ratio = [](auto a, auto b) { return static_cast<double>(a) / static_cast<double>(b); };
  const double lessons_time = distilled * ratio(config.rules.rounds + 1, trial.rules.rounds + 1) *
                              ratio(config.rules.states, trial.rules.states);
  const double a_step = played / static_cast<double>(std::max<std::uint64_t>(1, steps - steps_before));
  // Distillation ends early where short lists are enough, so the trial may overrate it.
  constexpr double kLeast = 0.3;
  const double left = kUsable * std::max(kLeast * seconds, seconds - lessons_time / kUsable);
  if (!teaches) return left / a_step;
  // A short search gives its teacher a third of its steps, a long one as many as its settings say.
  const auto most_taught = static_cast<double>(config.ppo.total_timesteps);
  const double a_taught_step = taught / static_cast<double>(trial.ppo.total_timesteps);
  const double shared = left / ((a_taught_step + 2 * a_step) / 3);
  return shared < 3 * most_taught ? shared : most_taught + (left - most_taught * a_taught_step) / a_step;
}

}  // namespace

std::optional<std::uint64_t> steps_within(double seconds, const Input& source,
                                          const std::vector<std::string>& settings, const Task& task) {
  const TrainConfig config = load_train_config(source, settings);
  std::optional<ActionMask> mask;
  if (task.is_finite()) mask = allowed_actions(source.name, task.model(), std::nullopt);
  const LearningTask learning{task, nullptr, mask ? &*mask : nullptr, nullptr, 1};
  const auto rounded = [](double steps) {
    return static_cast<std::uint64_t>(std::max(1.0, steps / kRounding)) *
           static_cast<std::uint64_t>(kRounding);
  };
  if (config.run.method == "rules") {
    LearningTask searching = learning;
    searching.rules_teacher = given_teacher(config, task);
    return rounded(rule_steps_within(seconds, config, searching));
  }
  const double trial = std::min(2.0, seconds / 10);
  const auto first = speed_of(config, learning, trial);
  if (!first) return std::nullopt;
  double seconds_a_step = 1 / *first;
  if (config.run.method == "plan" && config.plan.refine) {  // half of the steps, at most
    TrainConfig second = config;
    second.run.method = "ppo";
    if (const auto speed = speed_of(second, learning, trial)) seconds_a_step = (1 / *first + 1 / *speed) / 2;
  }
  return rounded(kUsable * seconds / seconds_a_step);
}

}  // namespace ndnf
