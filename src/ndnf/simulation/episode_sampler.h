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

/// In a model without a step limit an episode that does not end within this many steps is an Error.
inline constexpr std::uint32_t kLongestEpisode = 10'000'000;

/// A model and a fixed policy, laid out for simulating whole episodes: action and outcome are sampled
/// jointly, so that a step costs one random word and one table lookup. Built once and shared by all threads.
/// Returns are discounted as the model says. Without a step limit, an episode that can no longer end is over
/// when what follows counts nothing any more.
class EpisodeSampler {
 public:
  /// REQUIRES: the policy is defined on every observation it visits, and ends with probability 1 unless there
  /// is a step limit or a discount.
  EpisodeSampler(const FiniteModel& model, const PolicyTable& policy);

  /// Whether an episode may never end.
  bool may_never_end() const { return !lost_.empty(); }

  /// Plays this many episodes with the random numbers of one stream. Throws Error beyond kLongestEpisode.
  EpisodeTally play(const RandomStream& random, std::size_t episodes) const;

 private:
  struct Step {
    double reward;
    StateId next;
    bool terminal;
    std::int8_t tag;
  };
  class Player;

  /// Of an endless model: the steps after which it is time to see whether the episode is to go on.
  std::uint32_t step_limit_;
  double discount_;
  bool endless_;
  std::vector<bool> lost_;  ///< Per state: no end can be reached from there. Empty if there is none.
  std::size_t tag_count_;
  AliasTable rows_;          ///< One row per state; entries are indices into steps_.
  std::vector<Step> steps_;  ///< Per state: every outcome of every action the policy may take.
  AliasTable start_row_;     ///< One row; entries are indices into starts_.
  std::vector<StateId> starts_;
};

}  // namespace ndnf
