#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/mdp/induced_chain.h"

namespace ndnf {

/// An induced chain with one merged row per state, for repeated sweeps over the states. States with undefined
/// rows (and end states) have no moves and no endings.
class MergedChain {
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

  explicit MergedChain(const InducedChain& chain);

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

}  // namespace ndnf
