#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/mdp/absorbing_chain.h"
#include "ndnf/mdp/components.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/action_set.h"

namespace ndnf {

/// The reachable states of a model without a step limit, renumbered, with rows that sum to 1 and the discount
/// as a probability of leaving.
template <class Number>
class EndlessProcess {
 public:
  using Move = typename AbsorbingChain<Number>::Move;
  struct Row {
    Number reward{};  ///< Expected.
    std::vector<Move> moves;
    Number leaves{};
    bool ends = false;  ///< The episode may end with this step.
  };

  EndlessProcess(const FiniteModel& model, const std::vector<StateId>& states)
      : actions_(model.action_count()) {
    std::vector<std::uint32_t> number(model.state_count(), 0);
    for (std::uint32_t i = 0; i < states.size(); ++i) number[states[i]] = i;
    for (const StateId s : states) {
      for (ActionId a = 0; a < actions_; ++a) rows_.push_back(row_of(model, s, a, number));
    }
  }

  std::size_t size() const { return rows_.size() / actions_; }
  std::size_t action_count() const { return actions_; }
  const Row& row(std::size_t s, std::size_t a) const { return rows_[s * actions_ + a]; }

 private:
  static Row row_of(const FiniteModel& model, StateId s, ActionId a,
                    const std::vector<std::uint32_t>& number) {
    const Number kept(model.discount());
    Number all{};
    for (const Outcome& outcome : model.outcomes(s, a)) all += Number(outcome.probability);
    Row row;
    row.leaves = Number(1) - kept;
    for (const Outcome& outcome : model.outcomes(s, a)) {
      const Number share = Number(outcome.probability) / all;
      row.reward += share * Number(outcome.reward);
      row.ends = row.ends || outcome.terminal;
      if (outcome.terminal) {
        row.leaves += share * kept;
      } else {
        row.moves.push_back({number[outcome.next], share * kept});
      }
    }
    return row;
  }

  std::size_t actions_;
  std::vector<Row> rows_;  // (states, actions)
};

/// Howard's policy iteration: evaluate a policy exactly, switch to better actions wherever there are any,
/// repeat. `gain(row)` is what a step earns; only actions of `allowed` are taken.
template <class Number, class Gain>
class PolicyIteration {
 public:
  PolicyIteration(const EndlessProcess<Number>& process, const std::vector<ActionSet>& allowed, Gain gain,
                  std::vector<ActionId> policy)
      : process_(process), allowed_(allowed), gain_(gain), policy_(std::move(policy)) {}

  /// Sets the values of the policy. REQUIRES: it leaves the process with probability 1. False if `spend`
  /// stops it.
  template <class Spend>
  bool evaluate(Spend& spend) {
    AbsorbingChain<Number> chain;
    std::vector<Number> gains;
    for (std::size_t s = 0; s < process_.size(); ++s) {
      const auto& row = process_.row(s, policy_[s]);
      chain.add_state(row.moves, row.leaves);
      gains.push_back(gain_(row));
    }
    if (!chain.eliminate([&spend](const Number& number, std::size_t n) { return spend(number, n); }))
      return false;
    values_ = chain.values(std::move(gains));
    return true;
  }

  /// Switches to the best action wherever it is better by more than `tolerance`. Returns how many states
  /// switched.
  std::size_t improve(const Number& tolerance) {
    std::size_t switched = 0;
    for (std::size_t s = 0; s < process_.size(); ++s) {
      Number best = values_[s] + tolerance;
      const ActionId before = policy_[s];
      for (ActionId a = 0; a < process_.action_count(); ++a) {
        if ((allowed_[s] >> a & 1) == 0 || a == before) continue;
        const Number own = look_ahead(s, a);
        if (!(best < own)) continue;
        best = own;
        policy_[s] = a;
      }
      switched += policy_[s] != before ? 1 : 0;
    }
    return switched;
  }

  Number look_ahead(std::size_t s, ActionId a) const {
    const auto& row = process_.row(s, a);
    Number sum = gain_(row);
    for (const auto& move : row.moves) sum += move.probability * values_[move.next];
    return sum;
  }

  /// Whether the policy leaves the process with probability 1, from every state.
  bool leaves() const {
    std::vector<std::vector<std::uint32_t>> next(process_.size());
    std::vector<bool> out(process_.size(), false);
    for (std::size_t s = 0; s < process_.size(); ++s) {
      const auto& row = process_.row(s, policy_[s]);
      out[s] = Number() < row.leaves;
      for (const auto& move : row.moves) next[s].push_back(move.next);
    }
    for (const bool one : can_reach(next, std::move(out))) {
      if (!one) return false;
    }
    return true;
  }

  const std::vector<Number>& values() const { return values_; }
  const std::vector<ActionId>& policy() const { return policy_; }
  void set_policy(std::vector<ActionId> policy) { policy_ = std::move(policy); }

 private:
  const EndlessProcess<Number>& process_;
  const std::vector<ActionSet>& allowed_;
  Gain gain_;
  std::vector<ActionId> policy_;
  std::vector<Number> values_;
};

}  // namespace ndnf
