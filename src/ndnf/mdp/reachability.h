#pragma once

#include <span>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/induced_chain.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A set of decision states and the observations they show, each in increasing order.
struct Reach {
  std::vector<StateId> states;
  std::vector<ObsId> observations;
};

/// What *some* policy reaches from a start state within the step limit.
Reach reachable(const FiniteModel& model);

/// Per state of the model: whether it is one of `states`, those visited by the policy, and no end can be
/// reached from it any more. Episodes that come there are endless if there is no step limit.
std::vector<bool> lost_states(const InducedChain& chain);
std::vector<bool> lost_states(const InducedChain& chain, const std::vector<StateId>& states);

/// What this policy reaches, following every action with probability above 0. States with undefined rows are
/// included but not expanded.
Reach visited(const FiniteModel& model, const PolicyTable& policy);

/// The states in which the step limit may truncate an episode of the policy, in increasing order: those it
/// may be in after the last step. No decision is made there. None without a step limit.
std::vector<StateId> truncated_states(const FiniteModel& model, const PolicyTable& policy);

/// Whether every episode that takes `actions`, one per observation, ends within the step limit, for all
/// random outcomes; without a limit, whether it ends with probability 1.
bool surely_finishes(const FiniteModel& model, std::span<const ActionId> actions);

}  // namespace ndnf
