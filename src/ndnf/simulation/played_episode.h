#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// One decision of an episode.
struct PlayedStep {
  StateId state = 0;  ///< Only where there is a finite model.
  ObsId observation = 0;
  std::optional<ActionId> action{};  ///< Nothing if the policy is undefined, and the episode stops.
  double reward = 0;
};

struct PlayedEpisode {
  std::shared_ptr<const ObservationTable> table;  ///< Of the observations.
  std::vector<PlayedStep> steps{};
  std::string ending{};                 ///< "win", "the episode is over", "the step limit", …
  std::optional<StateId> last_state{};  ///< Where the last step led; only where there is a finite model.

  double discounted_return(double discount) const;
};

/// Plays one episode of a finite task, with actions sampled from the policy's rows (apply `select` first). An
/// episode of an endless model is stopped after a hundred steps.
PlayedEpisode play_episode(const FiniteModel& model, const PolicyTable& policy, std::uint64_t seed);

/// The same for a task without a finite model: at most `most` steps of a simulated environment.
PlayedEpisode play_episode(const EnvFactory& environments, const Policy& policy, const Selection& selection,
                           std::uint64_t seed, std::size_t most);

}  // namespace ndnf
