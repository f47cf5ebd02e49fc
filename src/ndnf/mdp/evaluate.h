#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/expectation.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The expected return of a policy and related statistics, per episode.
struct Evaluation {
  /// A visit to an observation whose row is undefined; the other figures are then meaningless.
  struct Undefined {
    StateId state = 0;  ///< Only where there is a finite model.
    ObsId observation = 0;
    std::string described{};  ///< Only where there is none: the observation, and what is wrong with its row.
    std::string defect{};
  };

  bool exact = true;
  std::size_t episodes = 0;  ///< Sampled episodes; 0 when exact.
  double mean_return = 0;
  double standard_error = 0;  ///< Of mean_return; 0 when exact.
  double length = 0;
  double terminated = 0;          ///< Probability of ending within the step limit.
  std::vector<double> tag_rates;  ///< Per tag of the model: the probability of ending with it.
  std::vector<double> visits;     ///< Per observation: expected number of decisions; only when exact.
  std::optional<Undefined> undefined;

  /// The expected return.
  Expectation expected_return() const { return {mean_return, standard_error, episodes}; }
};

/// Exact expectation over all episodes, step limit included, when actions are sampled from the table's rows
/// (apply `select` first). Cost: horizon × outcomes.
Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy);

struct EpisodeTally;
/// Sets the means over these episodes and the standard error of the return.
void set_means(Evaluation& result, const EpisodeTally& total);

struct SamplingOptions {
  std::size_t episodes = 1000000;
  std::uint64_t seed = 0;
  std::size_t jobs = 1;
  /// Called with the number of newly finished episodes, from any thread.
  std::function<void(std::size_t)> on_episodes;
};

/// The same figures estimated from simulated episodes, with the standard error. The result depends on the
/// seed and the number of episodes, not on `jobs`.
Evaluation evaluate_by_sampling(const FiniteModel& model, const PolicyTable& policy,
                                const SamplingOptions& options);

}  // namespace ndnf
