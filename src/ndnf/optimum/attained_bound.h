#pragma once

#include <optional>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// One action per observation such that every state visited from the starts takes an action that is optimal
/// for an agent that sees the state and counts the steps: a memoryless policy that attains the value of
/// `induct_backward`. (If any memoryless policy does, a deterministic one does.) Observations that it does
/// not visit get their `preferred` action; preferred actions are also tried first elsewhere. Empty if there
/// is no such policy or the search exceeds its limits.
std::optional<std::vector<ActionId>> attain_bound(const FiniteModel& model,
                                                  const std::vector<ActionId>& preferred);

}  // namespace ndnf
