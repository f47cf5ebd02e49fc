#pragma once

#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The states in which somebody decides, and the observations they show, each in rising order.
struct Reach {
  std::vector<StateId> states;
  std::vector<ObsId> observations;
};

/// What *some* policy reaches from a start within the step limit.
Reach reachable(const FiniteModel& model);

/// What this policy reaches, counting every action of probability above 0. Undefined rows are reached but not
/// left.
Reach visited(const FiniteModel& model, const PolicyTable& policy);

/// The states in which the step limit may stop an episode of the policy, in rising order: those it may be in
/// after the last step. Nobody decides there.
std::vector<StateId> truncated_states(const FiniteModel& model, const PolicyTable& policy);

/// Whether every episode that takes `actions`, one per observation, is over within the step limit, whatever
/// chance does.
bool surely_finishes(const FiniteModel& model, std::span<const ActionId> actions);

}  // namespace ndnf
