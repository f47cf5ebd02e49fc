#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/mdp/induced_chain.h"

namespace ndnf {

/// The states that a policy visits and the moves between them, arranged for sweeps: numbered in the order in
/// which a breadth-first search finds them, with the moves into each of them side by side.
class VisitedChain {
 public:
  /// With a discount a visit after k steps counts discount^k: as if each step ended the episode with
  /// probability 1 − discount.
  explicit VisitedChain(const InducedChain& chain, double discount = 1);

  /// In the order of the search; no more steps from a start than the horizon allows.
  const std::vector<StateId>& states() const { return states_; }

  /// Per visited state: the expected number of decisions taken in it, step limit included. Infinite where an
  /// episode may stay for ever. Throws Error for an endless model that is too large (absorbing_chain.h).
  std::vector<double> expected_visits() const;

 private:
  /// A half-open range of visited states.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool empty() const { return begin >= end; }
  };

  void find_states(const InducedChain& chain);
  void gather_moves(const InducedChain& chain);
  std::vector<double> visits_within_horizon() const;
  /// Where episodes may be one step after being within `now`, in whole fours.
  Range after(Range now) const;

  const InducedChain chain_;
  const FiniteModel& model_;
  const double discount_;
  std::vector<StateId> states_;
  std::vector<std::uint32_t> number_;  ///< Per state of the model: its place in states_, if it is visited.
  /// The moves into states, four states side by side: entry begins_[c] + 4 k + l is the k-th move into state
  /// 4 c + l. States with fewer moves than others of their four have moves of probability 0.
  std::vector<double> probability_;
  std::vector<std::uint32_t> from_;
  std::vector<std::size_t> begins_;  ///< Per four states, and the end.
  /// The lowest state that a move from state i or a later one leads to, and the highest from i or an earlier.
  std::vector<std::uint32_t> lowest_;
  std::vector<std::uint32_t> highest_;
};

}  // namespace ndnf
