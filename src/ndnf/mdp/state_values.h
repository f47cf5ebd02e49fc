#pragma once

#include <vector>

#include "ndnf/mdp/induced_chain.h"

namespace ndnf {

/// Per state of the model: the expected return of an episode that begins there, step limit and discount
/// included, when actions are sampled from the policy's rows. NaN where there is none: in an end state, where
/// the policy may come to an undefined row, and, without a step limit and a discount, where the episode may
/// never end. Cost: horizon × outcomes; for an endless model that of solving linear equations, and Error if
/// it is too large for them (absorbing_chain.h).
std::vector<double> state_values(const FiniteModel& model, const PolicyTable& policy);

}  // namespace ndnf
