#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The Markov chain that a policy induces on a model, with one merged row per state. States with undefined
/// rows (and end states) have no moves and no endings.
class InducedChain {
 public:
  struct Move {
    double probability;
    StateId next;
  };
  struct Ending {
    double probability;
    StateId next;     ///< The end state.
    std::int8_t tag;  ///< As in Outcome.
  };

  InducedChain(const FiniteModel& model, const PolicyTable& policy);

  std::size_t state_count() const { return rewards_.size(); }
  /// Expected reward of one step.
  double reward(StateId s) const { return rewards_[s]; }
  /// Steps after which the episode continues, one entry per next state, in increasing order.
  std::span<const Move> moves(StateId s) const { return slice(moves_, move_ends_, s); }
  /// Steps that end the episode, one entry per (next, tag), in increasing order.
  std::span<const Ending> endings(StateId s) const { return slice(endings_, ending_ends_, s); }

 private:
  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<std::size_t>& ends,
                                  StateId s) {
    const std::size_t begin = s == 0 ? 0 : ends[s - 1];
    return {all.data() + begin, ends[s] - begin};
  }

  std::vector<double> rewards_;
  std::vector<Move> moves_;
  std::vector<std::size_t> move_ends_;
  std::vector<Ending> endings_;
  std::vector<std::size_t> ending_ends_;
};

/// The chain as a discrete-time Markov chain in Storm's DRN format, for `stormpy.build_model_from_drn`, with
/// the reward model `return`, the model's labels, and `end` and the tags as labels of absorbing states. It
/// contains the visited states and those in which the step limit may truncate an episode. The format cannot
/// express the step limit itself: it is the largest step bound that a property may use (the second line of
/// the file says so where it matters). A single start state is labelled `init`; with several, a state
/// without reward precedes them, and step bounds grow by 1 (the first line says so). REQUIRES: the policy is
/// defined on every observation it visits.
std::string to_drn(const FiniteModel& model, const PolicyTable& policy);

}  // namespace ndnf
