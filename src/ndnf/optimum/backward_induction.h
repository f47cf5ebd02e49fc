#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/optimum/action_set.h"

namespace ndnf {

/// The value of a model for an agent that sees the state and counts the steps: an upper bound for every
/// policy. An endless model is solved by policy iteration instead (endless_optimum.h); steps do not matter
/// there.
struct BackwardInduction {
  double value;     ///< Expected return from the start states; infinite if an endless model is too hard.
  double scale;     ///< The largest reward or value seen: the scale of rounding errors.
  double rounding;  ///< Rounding error of `value`, or of a policy's computed return, at most.
  /// Per state, the optimal actions with the whole horizon to go (empty in an end state). Among actions that
  /// tie only because there is plenty of time, those that need the fewest steps: an agent without a clock
  /// could postpone the others forever.
  std::vector<ActionSet> actions;
};

/// Cost: at most horizon × outcomes, less if the values stop changing. Memory: linear in the states. Throws
/// NoOptimum if an endless model has none.
BackwardInduction induct_backward(const FiniteModel& model);

/// Per state, the optimal actions with the whole horizon to go that also need the fewest expected steps: the
/// best of (return, −steps) in lexicographic order. Empty in an end state.
std::vector<ActionSet> quickest_optimal_actions(const FiniteModel& model);

/// The optimal actions of every state with 1, 2, … steps to go; those of an endless model are always the
/// same.
class OptimalActions {
 public:
  explicit OptimalActions(const FiniteModel& model);

  /// REQUIRES: steps_to_go is from 1 to the model's horizon.
  ActionSet at(std::size_t steps_to_go, StateId s) const {
    return layers_[std::min(steps_to_go, layers_.size()) - 1][s];
  }

 private:
  std::vector<std::vector<ActionSet>> layers_;  // up to the first layer that repeats
};

}  // namespace ndnf
