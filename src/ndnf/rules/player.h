#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/rules/rule_list.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// A series of episodes: number n of a series always has the same random numbers, whoever plays it, so two
/// lists can be compared on the same episodes.
struct EpisodeSeries {
  std::uint64_t seed = 0;    ///< Of the run.
  std::uint64_t number = 0;  ///< Of the series; series share no episode.
};

/// What is needed to play a task.
struct PlayedTask {
  EnvFactory environments;
  std::shared_ptr<const Features> features;
  double discount = 1;
  std::size_t lanes = 1;  ///< Episodes in lockstep: 1, unless a step costs more than it computes.
  std::optional<std::size_t> step_limit{};  ///< Without one, episodes are cut after kRolloutSteps.
};

/// Plays episodes, one of each lane at a time, and counts their steps. Not thread-safe: one per thread.
class Player {
 public:
  explicit Player(const PlayedTask& stage);

  std::size_t lanes() const { return lanes_; }
  const std::shared_ptr<const Features>& features() const { return features_; }
  /// All steps taken so far, those of lanes that waited for others included.
  std::uint64_t steps() const { return steps_; }
  /// Where an episode is cut at the latest.
  std::size_t longest() const { return longest_; }
  /// How many episodes were cut so far, in a task without a step limit: their returns are of what was played.
  std::uint64_t cut_episodes() const { return cut_episodes_; }

  /// The returns of the episodes first … first + count − 1. Both are multiples of lanes().
  std::vector<double> returns(const RuleList& list, EpisodeSeries series, std::uint64_t first,
                              std::size_t count);

  /// Called before each decision of a lane that is playing.
  using Visit = std::function<void(const ObservationTable& table, ObsId obs)>;
  /// Plays lanes() episodes and shows every decision.
  std::vector<double> watch(const RuleList& list, EpisodeSeries series, std::uint64_t first,
                            const Visit& visit);
  /// The same for a policy: its most probable action, or with probability `wandering` any action.
  /// `visit` may be empty.
  std::vector<double> watch(const Policy& policy, double wandering, EpisodeSeries series, std::uint64_t first,
                            const Visit& visit);
  /// The undiscounted returns of the episodes that were played last: those that training reports.
  std::span<const double> undiscounted() const { return undiscounted_; }

 private:
  /// `decide(lane, obs)` gives an action for each lane that is playing.
  template <class Decide>
  void play(EpisodeSeries series, std::uint64_t first, Decide decide, std::span<double> returns);

  std::unique_ptr<VectorEnv> env_;
  std::shared_ptr<const Features> features_;
  double discount_;
  std::size_t lanes_;
  std::size_t longest_;
  std::uint64_t steps_ = 0;
  std::uint64_t cut_episodes_ = 0;
  std::vector<ActionId> actions_;
  std::vector<std::uint8_t> playing_;
  std::vector<double> undiscounted_;
  std::vector<ObsId> seen_;
  std::vector<std::int32_t> row_;
};

}  // namespace ndnf
