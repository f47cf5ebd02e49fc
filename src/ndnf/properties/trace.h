#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// One position of a run: a state, what is done there and what that brings.
struct TraceStep {
  StateId state = 0;
  std::optional<ActionId> action{};  ///< Nothing where nobody decides, or where it does not matter any more.
  std::optional<double> reward{};    ///< Of the step to the next position; nothing at the last.
  bool end = false;                  ///< The episode is over here.
  std::int8_t tag = -1;              ///< How it ended: as in Outcome.
  bool truncated = false;            ///< The step limit stops the episode here.
};

/// A run of the model from a start on: each step is an outcome of its action.
struct Trace {
  std::vector<TraceStep> steps;
  std::string note;  ///< What the run shows where its last position does not say so; may be empty.
};

/// The shortest run from a start to a state of `target` in which somebody decides, or nothing. With a policy
/// only actions of probability above 0 are taken; without one, any.
std::optional<Trace> shortest_trace(const FiniteModel& model, const PolicyTable* policy,
                                    const std::function<bool(StateId)>& target);

/// One line per position: number, observation, action, reward.
std::string to_text(const Trace& trace, const FiniteModel& model);

}  // namespace ndnf
