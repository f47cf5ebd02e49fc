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

}  // namespace

std::optional<std::uint64_t> steps_within(double seconds, const Input& source,
                                          const std::vector<std::string>& settings, const Task& task) {
  const TrainConfig config = load_train_config(source, settings);
  std::optional<ActionMask> mask;
  if (task.is_finite()) mask = allowed_actions(source.name, task.model(), std::nullopt);
  const LearningTask learning{task, nullptr, mask ? &*mask : nullptr};
  const double trial = std::min(2.0, seconds / 10);
  const auto first = speed_of(config, learning, trial);
  if (!first) return std::nullopt;
  double seconds_a_step = 1 / *first;
  if (config.run.method == "plan" && config.plan.refine) {  // half of the steps, at most
    TrainConfig second = config;
    second.run.method = "ppo";
    if (const auto speed = speed_of(second, learning, trial)) seconds_a_step = (1 / *first + 1 / *speed) / 2;
  }
  const double steps = kUsable * seconds / seconds_a_step;
  return static_cast<std::uint64_t>(std::max(1.0, steps / kRounding)) * static_cast<std::uint64_t>(kRounding);
}

}  // namespace ndnf
