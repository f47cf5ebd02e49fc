#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// One position of a run: a state, the action taken there and its reward.
struct TraceStep {
  StateId state = 0;
  std::optional<ActionId> action{};  ///< Nothing if none is taken, or if it no longer matters.
  std::optional<double> reward{};    ///< Of the step to the next position; nothing at the last one.
  bool end = false;                  ///< The episode is over here.
  std::int8_t tag = -1;              ///< How it ended: as in Outcome.
  bool truncated = false;            ///< The step limit stops the episode here.
};

/// A run of the model from a start: each step is an outcome of its action.
struct Trace {
  std::vector<TraceStep> steps;
  std::string note;  ///< An explanation if the last position is not enough; may be empty.
};

/// The shortest run from a start to a decision state in `target`, or nothing. With a policy only actions with
/// probability above 0 are taken; without one, any.
std::optional<Trace> shortest_trace(const FiniteModel& model, const PolicyTable* policy,
                                    const std::function<bool(StateId)>& target);

/// A way to a loop that an episode of the policy may never leave, once around: a shortest way, and a shortest
/// cycle. Nothing if every episode ends with probability 1. REQUIRES: the policy is defined on everything it
/// visits; the model is endless.
std::optional<Trace> loop_trace(const FiniteModel& model, const PolicyTable& policy);

/// One line per position: number, observation, action, reward.
std::string to_text(const Trace& trace, const FiniteModel& model);

}  // namespace ndnf
