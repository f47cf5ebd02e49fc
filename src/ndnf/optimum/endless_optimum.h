#pragma once

#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/optimum/action_set.h"

namespace ndnf {

/// There is no best return: no policy ends with probability 1, or rewards can be collected for ever.
class NoOptimum : public Error {
 public:
  using Error::Error;
};

/// The best return in a model without a step limit, of an agent that sees the state. Without a discount only
/// policies count whose episodes end with probability 1.
struct EndlessOptimum {
  double value = 0;     ///< Of a known policy, from the start states.
  double bound = 0;     ///< No policy has a larger return. Infinite if that could not be shown.
  double scale = 0;     ///< The largest magnitude of rewards and values.
  double rounding = 0;  ///< Of `value`, and of a computed return of that policy, at most.
  /// Per state: the actions with the best value that need the fewest expected steps. Any choice among them is
  /// optimal, and ends if one can. All actions where it does not matter; none in an end state.
  std::vector<ActionSet> actions;
};

/// Throws NoOptimum.
EndlessOptimum endless_optimum(const FiniteModel& model);

}  // namespace ndnf
