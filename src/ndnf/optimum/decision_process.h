#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// Everything that the return of a memoryless policy depends on, in compact form for repeated evaluation:
/// the reachable decision states, renumbered, with expected rewards and the moves after which the episode
/// continues. A state that is reached only with no step left has no decision and value 0, so moves into it
/// are omitted. The discount is part of the moves: they count as if each step ended the episode with
/// probability 1 − discount. In an endless process rows are rescaled to sum to 1.
class DecisionProcess {
 public:
  struct Move {
    double probability;
    std::uint32_t next;
  };

  explicit DecisionProcess(const FiniteModel& model);

  std::size_t horizon() const { return horizon_; }
  bool endless() const { return horizon_ == FiniteModel::kEndless; }
  std::size_t state_count() const { return slot_.size(); }
  std::size_t action_count() const { return actions_; }
  /// The reachable observations, in increasing order; a *slot* is an index into them.
  const std::vector<ObsId>& observations() const { return observations_; }
  std::size_t slot(std::size_t s) const { return slot_[s]; }
  std::span<const Move> starts() const { return starts_; }
  double reward(std::size_t s, std::size_t a) const { return rewards_[s * actions_ + a]; }
  /// The probability that the episode does not go on.
  double leaves(std::size_t s, std::size_t a) const { return leaves_[s * actions_ + a]; }
  std::span<const Move> moves(std::size_t s, std::size_t a) const {
    const std::size_t row = s * actions_ + a;
    return {moves_.data() + row_begins_[row], row_begins_[row + 1] - row_begins_[row]};
  }
  /// Extracts the rows of the slots from a table with one row per observation; `scatter` is the reverse.
  std::vector<double> gather(const std::vector<double>& rows) const;
  void scatter(const std::vector<double>& slots, std::vector<double>& rows) const;
  /// The cost of evaluating one policy, in moves processed; of an endless process about that of solving its
  /// equations.
  std::size_t work() const {
    return (endless() ? state_count() : horizon_) * (rewards_.size() + moves_.size());
  }

 private:
  std::size_t horizon_;
  std::size_t actions_;
  std::vector<ObsId> observations_;
  std::vector<std::uint32_t> slot_;  // per state: its slot
  std::vector<Move> starts_;
  std::vector<double> rewards_;  // (states, actions)
  std::vector<double> leaves_;   // (states, actions)
  std::vector<Move> moves_;
  std::vector<std::size_t> row_begins_;  // (states × actions + 1)
};

}  // namespace ndnf
