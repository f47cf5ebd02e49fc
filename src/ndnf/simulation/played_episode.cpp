#include "ndnf/simulation/played_episode.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ndnf/base/random.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {
namespace {

/// Of an episode in a task without a step limit.
constexpr std::size_t kMostShown = 100;
constexpr const char* kUndefined = "the policy is undefined here";
constexpr const char* kLimit = "the step limit";
constexpr const char* kOver = "the episode is over";

/// Draws an index with the given weights, which sum to 1.
template <class Range, class Weight>
std::size_t draw(const Range& range, Weight weight, RandomSequence& random) {
  double left = random.uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < range.size(); ++i) {
    if (weight(range[i]) == 0) continue;
    last = i;
    left -= weight(range[i]);
    if (left < 0) break;
  }
  return last;
}

ActionId draw_action(std::span<const double> row, RandomSequence& random) {
  return static_cast<ActionId>(draw(
      row, [](double p) { return p; }, random));
}

}  // namespace

double PlayedEpisode::discounted_return(double discount) const {
  double sum = 0;
  double weight = 1;
  for (const PlayedStep& step : steps) {
    sum += weight * step.reward;
    weight *= discount;
  }
  return sum;
}

PlayedEpisode play_episode(const FiniteModel& model, const PolicyTable& policy, std::uint64_t seed) {
  RandomSequence random{RandomStream(seed, 0)};
  const auto probability = [](const auto& item) { return item.probability; };
  PlayedEpisode episode{model.shared_observations()};
  StateId state = model.starts()[draw(model.starts(), probability, random)].state;
  const std::size_t most = model.endless() ? kMostShown : model.horizon();
  episode.ending = model.endless() ? fmt::format("it goes on after {} steps", kMostShown) : kLimit;
  for (std::size_t step = 0; step < most; ++step) {
    const ObsId obs = model.observation(state);
    episode.steps.push_back({state, obs});
    if (!policy.defined(obs)) {
      episode.ending = kUndefined;
      return episode;
    }
    const ActionId action = draw_action(policy.row(obs), random);
    const auto outcomes = model.outcomes(state, action);
    const Outcome& outcome = outcomes[draw(outcomes, probability, random)];
    episode.steps.back().action = action;
    episode.steps.back().reward = outcome.reward;
    episode.last_state = outcome.next;
    if (outcome.terminal) {
      episode.ending = outcome.tag < 0 ? kOver : model.tags()[static_cast<std::size_t>(outcome.tag)];
      return episode;
    }
    state = outcome.next;
  }
  return episode;
}

PlayedEpisode play_episode(const EnvFactory& environments, const Policy& policy, const Selection& selection,
                           std::uint64_t seed, std::size_t most) {
  constexpr std::uint64_t kActions = 1;  // a stream of random numbers apart from the environment's
  RandomSequence random{RandomStream(seed, kActions)};
  const auto env = environments(environments.only.value_or(1), 0);
  const ObservationTable& seen = env->observations();
  const auto table = std::make_shared<ObservationTable>(seen.shared_vocabulary(), seen.dense_size());
  PlayedEpisode episode{table};
  episode.ending = fmt::format("it goes on after {} steps", most);
  std::vector<ActionId> actions(env->size(), 0);
  const auto idle = [&](std::span<const ObsId> now) {  // the other environments go on, with what they offer
    for (std::size_t n = 1; n < now.size() && env->offered() != nullptr; ++n)
      actions[n] = env->offered()->nth_allowed(now[n], 0);
  };
  const std::span<const ObsId> first = env->reset(seed);
  ObsId obs = first[0];
  idle(first);
  for (std::size_t step = 0; step < most; ++step) {
    const std::array<ObsId, 1> ids = {obs};
    const PolicyTable taken = offered_rows(*env, policy, selection, ids);
    episode.steps.push_back({0, table->intern(seen.values(obs), seen.dense(obs))});
    if (!taken.defined(0)) {
      episode.ending = kUndefined;
      return episode;
    }
    actions[0] = draw_action(taken.row(0), random);
    const VectorStep result = env->step(actions);
    episode.steps.back().action = actions[0];
    episode.steps.back().reward = result.rewards[0];
    if (result.terminated[0] != 0 || result.truncated[0] != 0) {
      episode.ending = result.terminated[0] != 0 ? kOver : kLimit;
      return episode;
    }
    obs = result.observations[0];
    idle(result.observations);
  }
  return episode;
}

}  // namespace ndnf
