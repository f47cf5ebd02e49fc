#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ndnf/mdp/absorbing_chain.h"
#include "ndnf/mdp/induced_chain.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {

/// The linear equations of a policy's chain in a model without a step limit. With a discount, what happens
/// after k steps counts discount^k: as if each step ended the episode with probability 1 − discount. Without
/// one, states from which no end can be reached are *lost*: they have no equation, and a step into them
/// leaves the chain.
template <class Number>
class EndlessEquations {
 public:
  /// REQUIRES: the policy is defined in `states`, and leads from them to none but these.
  EndlessEquations(const InducedChain& chain, const std::vector<StateId>& states, double discount)
      : states_(states),
        lost_(discount < 1 ? std::vector<bool>(chain.model().state_count(), false)
                           : lost_states(chain, states)),
        number_(chain.model().state_count(), 0) {
    for (const StateId s : states) {
      if (!lost_[s]) number_[s] = count_++;
    }
    for (const StateId s : states) {
      if (!lost_[s]) add(chain, s, Number(discount));
    }
    equations_.eliminate(WorkLimit());
  }

  bool may_stay() const { return count_ < states_.size(); }

  /// Per state: the expected visits in episodes that begin with these starts; infinite in lost states.
  std::vector<Number> visits(std::span<const Start> starts) const {
    Number all{};
    for (const Start& start : starts) all += Number(start.probability);
    std::vector<Number> begin(count_);
    for (const Start& start : starts) {
      if (!lost_[start.state]) begin[number_[start.state]] += Number(start.probability) / all;
    }
    return spread(equations_.visits(std::move(begin)), Number(std::numeric_limits<double>::infinity()));
  }

  /// Per state: the expected return from there. REQUIRES: !may_stay().
  std::vector<Number> values() const { return spread(equations_.values(rewards_), Number()); }

 private:
  void add(const InducedChain& chain, StateId s, const Number& kept) {
    std::vector<typename AbsorbingChain<Number>::Move> moves;
    Number leaves = Number(1) - kept;
    Number reward{};
    chain.for_each_share<Number>(s, [&](const Number& share, const Outcome& outcome) {
      reward += share * Number(outcome.reward);
      if (outcome.terminal || lost_[outcome.next]) {
        leaves += share * kept;
      } else {
        moves.push_back({number_[outcome.next], share * kept});
      }
    });
    equations_.add_state(moves, leaves);
    rewards_.push_back(reward);
  }

  std::vector<Number> spread(const std::vector<Number>& found, const Number& otherwise) const {
    std::vector<Number> all;
    for (const StateId s : states_) all.push_back(lost_[s] ? otherwise : found[number_[s]]);
    return all;
  }

  std::vector<StateId> states_;
  std::vector<bool> lost_;             ///< Per state of the model.
  std::vector<std::uint32_t> number_;  ///< Per state of the model: that of its equation.
  std::uint32_t count_ = 0;
  AbsorbingChain<Number> equations_;
  std::vector<Number> rewards_;
};

}  // namespace ndnf
