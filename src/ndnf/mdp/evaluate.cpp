#include "ndnf/mdp/evaluate.h"

#include <algorithm>
#include <cmath>

#include "ndnf/base/parallel.h"
#include "ndnf/mdp/episode_sampler.h"
#include "ndnf/mdp/merged_chain.h"
#include "ndnf/mdp/occupancy.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

std::optional<Evaluation::Undefined> find_undefined(const FiniteModel& model, const PolicyTable& policy,
                                                    const std::vector<StateId>& states) {
  for (const StateId s : states) {
    if (!policy.defined(model.observation(s))) return Evaluation::Undefined{s, model.observation(s)};
  }
  return std::nullopt;
}

}  // namespace

// Forward propagation: start with the start distribution, then push the probability mass through the induced
// chain one step at a time, up to the horizon. By linearity of expectation, the expected return is the sum
// of mass times expected reward over all steps and states. Exact up to rounding, step limit included.
Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy) {
  const MergedChain chain({model, policy});
  Evaluation result;
  result.tag_rates.assign(model.tags().size(), 0.0);
  result.visits.assign(model.observations().size(), 0.0);
  Occupancy<double> now(model.state_count());
  Occupancy<double> next(model.state_count());
  for (const Start& start : model.starts()) now.add(start.state, start.probability);
  for (std::size_t step = 0; step < model.horizon() && !now.empty(); ++step) {
    result.undefined = find_undefined(model, policy, now.places());
    if (result.undefined) return result;
    now.drain([&](StateId state, double probability) {
      result.length += probability;
      result.visits[model.observation(state)] += probability;
      result.mean_return += probability * chain.reward(state);
      for (const auto& move : chain.moves(state)) {
        const double mass = probability * move.probability;
        if (mass > 0) next.add(move.next, mass);  // not if it underflows: that counts as never
      }
      for (const auto& ending : chain.endings(state)) {
        result.terminated += probability * ending.probability;
        if (ending.tag >= 0)
          result.tag_rates[static_cast<std::size_t>(ending.tag)] += probability * ending.probability;
      }
    });
    std::swap(now, next);
  }
  result.terminated = std::min(result.terminated, 1.0);  // may exceed 1 by rounding
  return result;
}

namespace {

/// Episodes are played in chunks, each with its own random stream, so that results do not depend on the
/// threads.
constexpr std::size_t kChunk = 1 << 16;

}  // namespace

Evaluation evaluate_by_sampling(const FiniteModel& model, const PolicyTable& policy,
                                const SamplingOptions& options) {
  Evaluation result;
  result.exact = false;
  result.episodes = options.episodes;
  result.undefined = find_undefined(model, policy, visited(model, policy).states);
  if (result.undefined) return result;

  const EpisodeSampler sampler(model, policy);
  std::vector<EpisodeTally> tallies((options.episodes + kChunk - 1) / kChunk);
  parallel_for(tallies.size(), options.jobs, [&](std::size_t chunk) {
    const std::size_t episodes = std::min(kChunk, options.episodes - chunk * kChunk);
    tallies[chunk] = sampler.play(RandomStream(options.seed, chunk), episodes);
    if (options.on_episodes) options.on_episodes(episodes);
  });
  EpisodeTally total;
  for (const EpisodeTally& tally : tallies) total.add(tally);

  set_means(result, total);
  return result;
}

void set_means(Evaluation& result, const EpisodeTally& total) {
  const auto n = static_cast<double>(total.episodes);
  result.mean_return = total.returns / n;
  const double variance = std::max(0.0, total.squares / n - result.mean_return * result.mean_return);
  result.standard_error = n > 1 ? std::sqrt(variance / (n - 1)) : 0;
  result.length = static_cast<double>(total.steps) / n;
  result.terminated = static_cast<double>(total.terminated) / n;
  for (const std::size_t count : total.tags) result.tag_rates.push_back(static_cast<double>(count) / n);
}

}  // namespace ndnf
