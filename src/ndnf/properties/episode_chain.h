#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// An induced chain (mdp/induced_chain.h) whose places remember what properties ask about. After each number
/// of steps an episode is at a *position*:
///  - a state and the action taken next in it, so that properties can refer to actions;
///  - an end state, where it stays;
///  - or the state in which the step limit stops it (`is_last`): part of the episode, but not a decision
///    state, so the policy may be undefined there. Only the last step leads to such a position.
/// A step has two halves. An outcome leads from a position to an *arrival*, a state or an end state; there
/// the next action is drawn, unless the episode is over. Keeping them apart keeps the chain small, and its
/// probabilities are the original numbers of model and policy, without rounding.
class EpisodeChain {
 public:
  using PositionId = std::uint32_t;
  using ArrivalId = std::uint32_t;
  static constexpr ActionId kNoAction = std::numeric_limits<ActionId>::max();

  struct Position {
    StateId state;
    ActionId action;  ///< kNoAction except at decision states.
    bool end;
    std::int8_t tag;  ///< At an end state: as in Outcome.

    bool is_end() const { return end; }
    bool is_last() const { return !end && action == kNoAction; }
  };
  struct Move {
    double probability;  ///< The outcome's.
    double reward;
    ArrivalId arrival;
  };
  struct Choice {
    double probability;  ///< The action's.
    PositionId position;
  };
  struct Start {
    double probability;
    ArrivalId arrival;
  };

  /// REQUIRES: the policy is defined on everything it visits; the model outlives the chain.
  EpisodeChain(const FiniteModel& model, const PolicyTable& policy);

  const FiniteModel& model() const { return model_; }
  std::size_t size() const { return positions_.size(); }
  std::size_t arrival_count() const { return lasts_.size(); }
  const Position& operator[](PositionId p) const { return positions_[p]; }
  /// Whether the step limit can stop an episode.
  bool truncates() const { return truncates_; }

  /// One per outcome. Empty except at decision states.
  std::span<const Move> moves(PositionId p) const { return slice(moves_, move_ends_, p); }
  /// The possible positions of an episode that has just arrived after `steps` steps: one per action, or the
  /// single one where it is over.
  std::span<const Choice> choices(ArrivalId arrival, std::size_t steps) const {
    if (steps < model_.horizon()) return slice(choices_, choice_ends_, arrival);
    return {&lasts_[arrival], lasts_[arrival].probability > 0 ? std::size_t{1} : std::size_t{0}};
  }
  std::span<const Start> starts() const { return starts_; }
  /// Expected reward of the step from here.
  double reward(PositionId p) const;

 private:
  class Builder;

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<std::size_t>& ends,
                                  std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {all.data() + begin, ends[i] - begin};
  }

  const FiniteModel& model_;
  bool truncates_ = false;
  std::vector<Position> positions_;
  std::vector<Move> moves_;
  std::vector<std::size_t> move_ends_;  ///< Per position.
  std::vector<Choice> choices_;
  std::vector<std::size_t> choice_ends_;  ///< Per arrival.
  std::vector<Choice> lasts_;  ///< Per arrival: where the last step leads; probability 0 if it never does.
  std::vector<Start> starts_;
};

}  // namespace ndnf
