#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/simulation/evaluate_by_sampling.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// The figures of a policy estimated from episodes of simulated environments, for tasks without a finite
/// model. Memory does not grow with the number of episodes. The result depends on the seed and the number of
/// episodes, not on `jobs`. The first visit to an observation in which the policy is undefined ends it.
Evaluation evaluate_by_simulation(const EnvFactory& environments, const Policy& policy,
                                  const Selection& selection, const SamplingOptions& options);

/// The probabilities with which actions are taken in these observations: one row each, those of the policy
/// restricted to what the environment offers, as ActionMask::apply does.
PolicyTable offered_rows(const VectorEnv& env, const Policy& policy, const Selection& selection,
                         std::span<const ObsId> seen);

/// Distinct observations that a policy decides in, collected from simulated episodes.
struct ObservationSample {
  std::shared_ptr<const ObservationTable> table;
  std::vector<double> visits;  ///< Per observation: the mean number of decisions in an episode.
  std::size_t episodes = 0;    ///< How many were played.
  /// The observation that ended the sample because the policy names no action there.
  std::optional<Evaluation::Undefined> undefined{};
  /// The actions that each observation offered, at some time at least; empty: all of them.
  std::optional<ActionMask> offered{};

  /// The policy's rows on the table, restricted to what was offered.
  PolicyTable rows_of(const Policy& policy) const;
};

/// Plays whole episodes until `most` distinct observations were seen, `options.episodes` episodes are over,
/// or the latter half of them (a thousand at least) has shown nothing new. Further observations of the last
/// episodes are left out.
ObservationSample sample_observations(const EnvFactory& environments, const Policy& policy,
                                      const Selection& selection, std::size_t most,
                                      const SamplingOptions& options);

/// The sampled decisions as a finite model: an episode is one decision, in an observation that comes as often
/// as it was met; it ends without reward. Everything that compares policies observation by observation can
/// use it, and weighs observations as the sampled episodes do. Its returns say nothing. REQUIRES: a sample
/// that is not empty.
FiniteModel decision_model(const ObservationSample& sample);

}  // namespace ndnf
