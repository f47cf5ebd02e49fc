#pragma once

#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A set of decision states and the observations they show, each in increasing order.
struct Reach {
  std::vector<StateId> states;
  std::vector<ObsId> observations;
};

/// What *some* policy reaches from a start state within the step limit.
Reach reachable(const FiniteModel& model);

/// What this policy reaches, following every action with probability above 0. States with undefined rows are
/// included but not expanded.
Reach visited(const FiniteModel& model, const PolicyTable& policy);

/// The states in which the step limit may truncate an episode of the policy, in increasing order: those it
/// may be in after the last step. No decision is made there.
std::vector<StateId> truncated_states(const FiniteModel& model, const PolicyTable& policy);

/// Whether every episode that takes `actions`, one per observation, ends within the step limit, for all
/// random outcomes.
bool surely_finishes(const FiniteModel& model, std::span<const ActionId> actions);

}  // namespace ndnf
