#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/simulation/episode_sampler.h"

namespace ndnf {

struct SamplingOptions {
  std::size_t episodes = 1000000;
  std::uint64_t seed = 0;
  std::size_t jobs = 1;
  /// Called with the number of newly finished episodes, from any thread.
  std::function<void(std::size_t)> on_episodes;
  double discount = 1;  ///< Of simulated tasks; a finite model has its own.
};

/// The figures of evaluate_exactly estimated from simulated episodes, with the standard error. The result
/// depends on the seed and the number of episodes, not on `jobs`.
Evaluation evaluate_by_sampling(const FiniteModel& model, const PolicyTable& policy,
                                const SamplingOptions& options);

/// Sets the means over these episodes and the standard error of the return.
void set_means(Evaluation& result, const EpisodeTally& total);

}  // namespace ndnf
