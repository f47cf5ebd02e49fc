#pragma once

#include <optional>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// One action per observation so that, from the starts on, every visited state gets an action that is optimal
/// for an agent that sees the state and counts the steps: a memoryless policy that reaches the value of
/// `induct_backward`. (If any does, a deterministic one does.) Actions of observations it does not visit are
/// `preferred`, which are also tried first elsewhere. Nothing if there is no such policy or the search grew
/// too long.
std::optional<std::vector<ActionId>> attain_bound(const FiniteModel& model,
                                                  const std::vector<ActionId>& preferred);

}  // namespace ndnf
