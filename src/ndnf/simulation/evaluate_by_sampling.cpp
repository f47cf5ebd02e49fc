#include "ndnf/simulation/evaluate_by_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ndnf/base/parallel.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
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
  if (sampler.may_never_end() && model.discount() == 1) {
    result.endless = find_endless(model, policy);
    return result;
  }
  std::vector<EpisodeTally> tallies((options.episodes + kChunk - 1) / kChunk);
  parallel_for(tallies.size(), options.jobs, [&](std::size_t chunk) {
    const std::size_t episodes = std::min(kChunk, options.episodes - chunk * kChunk);
    tallies[chunk] = sampler.play(RandomStream(options.seed, chunk), episodes);
    if (options.on_episodes) options.on_episodes(episodes);
  });
  EpisodeTally total;
  for (const EpisodeTally& tally : tallies) total.add(tally);

  set_means(result, total);
  if (sampler.may_never_end()) result.length = std::numeric_limits<double>::infinity();
  return result;
}

void set_means(Evaluation& result, const EpisodeTally& total) {
  const auto n = static_cast<double>(total.episodes);
  result.mean_return = total.returns / n;
  const double variance = std::max(0.0, total.squares / n - result.mean_return * result.mean_return);
  result.standard_error = n > 1 ? std::sqrt(variance / (n - 1)) : std::numeric_limits<double>::quiet_NaN();
  result.length = static_cast<double>(total.steps) / n;
  result.terminated = static_cast<double>(total.terminated) / n;
  for (const std::size_t count : total.tags) result.tag_rates.push_back(static_cast<double>(count) / n);
}

}  // namespace ndnf
