#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A set of actions, one bit for each.
using ActionSet = std::uint64_t;

/// The value of a model to an agent that sees the state and counts the steps: no policy of any kind exceeds
/// it.
struct BackwardInduction {
  double value;     ///< Expected return from the starts.
  double scale;     ///< The largest reward or value met: what rounding is measured by.
  double rounding;  ///< How far `value`, or what a policy is computed to earn, may be off by rounding.
  /// Per state, the optimal actions with the whole horizon to go (empty in an end). Of actions that merely
  /// tie because time is plenty, those that need the fewest steps: an agent without a clock may put off the
  /// others for ever.
  std::vector<ActionSet> actions;
};

/// Cost: horizon × outcomes at most, less when the values stop changing. Memory: linear in the states.
BackwardInduction induct_backward(const FiniteModel& model);

/// The optimal actions of every state with 1, 2, … steps to go.
class OptimalActions {
 public:
  explicit OptimalActions(const FiniteModel& model);

  /// REQUIRES: steps_to_go is from 1 to the model's horizon.
  ActionSet at(std::size_t steps_to_go, StateId s) const {
    return layers_[std::min(steps_to_go, layers_.size()) - 1][s];
  }

 private:
  std::vector<std::vector<ActionSet>> layers_;  // up to the layer from which on all are alike
};

}  // namespace ndnf
