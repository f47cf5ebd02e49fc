#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The Markov chain that a policy makes of a model, with the action drawn together with the state: a
/// *position* is a state and the action taken next in it, or an end, so that properties can speak of actions.
/// It is the chain of `to_drn` with its states split by action: only visited states count, ends stay where
/// they are, and a state first entered with the last step (nobody decides there) is replaced by the position
/// before it.
class EpisodeChain {
 public:
  using PositionId = std::uint32_t;
  static constexpr ActionId kNoAction = std::numeric_limits<ActionId>::max();

  struct Position {
    StateId state;
    ActionId action;  ///< kNoAction at an end.
    std::int8_t tag;  ///< At an end: as in Outcome.

    bool is_end() const { return action == kNoAction; }
  };
  struct Move {
    double probability;
    double reward;
    PositionId next;
  };
  struct Start {
    double probability;
    PositionId position;
  };

  /// REQUIRES: the policy is defined on everything it visits; the model outlives the chain.
  EpisodeChain(const FiniteModel& model, const PolicyTable& policy);

  const FiniteModel& model() const { return model_; }
  std::size_t size() const { return positions_.size(); }
  const Position& operator[](PositionId p) const { return positions_[p]; }
  /// One per outcome and next action; an end moves to itself.
  std::span<const Move> moves(PositionId p) const {
    const std::size_t begin = p == 0 ? 0 : move_ends_[p - 1];
    return {moves_.data() + begin, move_ends_[p] - begin};
  }
  std::span<const Start> starts() const { return starts_; }
  /// Expected reward of the step.
  double reward(PositionId p) const;

 private:
  const FiniteModel& model_;
  std::vector<Position> positions_;
  std::vector<Move> moves_;
  std::vector<std::size_t> move_ends_;
  std::vector<Start> starts_;
};

}  // namespace ndnf
