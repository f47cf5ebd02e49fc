#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/simulation/alias_table.h"

namespace ndnf {

/// Sums over finished episodes.
struct EpisodeTally {
  std::size_t episodes = 0;
  std::size_t steps = 0;
  std::size_t terminated = 0;
  std::vector<std::size_t> tags;  ///< Per tag of the model: how many episodes ended with it.
  double returns = 0;
  double squares = 0;  ///< Sum of the squared returns.

  void add(const EpisodeTally& other);
};

/// A model and a fixed policy, laid out for simulating whole episodes: action and outcome are sampled
/// jointly, so that a step costs one random word and one table lookup. Built once and shared by all threads.
class EpisodeSampler {
 public:
  /// REQUIRES: the policy is defined on every observation it visits.
  EpisodeSampler(const FiniteModel& model, const PolicyTable& policy);

  /// Plays this many episodes with the random numbers of one stream.
  EpisodeTally play(const RandomStream& random, std::size_t episodes) const;

 private:
  struct Step {
    double reward;
    StateId next;
    bool terminal;
    std::int8_t tag;
  };
  class Player;

  std::uint32_t step_limit_;
  std::size_t tag_count_;
  AliasTable rows_;          ///< One row per state; entries are indices into steps_.
  std::vector<Step> steps_;  ///< Per state: every outcome of every action the policy may take.
  AliasTable start_row_;     ///< One row; entries are indices into starts_.
  std::vector<StateId> starts_;
};

}  // namespace ndnf
