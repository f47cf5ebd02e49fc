#pragma once

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ndnf/properties/trace.h"

namespace ndnf::testing {

/// Whether the model allows this run; with a policy, with actions that it takes.
inline ::testing::AssertionResult replays(const Trace& trace, const FiniteModel& model,
                                          const PolicyTable* policy) {
  const auto fail = [](std::size_t i, const char* what) {
    return ::testing::AssertionFailure() << "step " << i << ": " << what;
  };
  if (trace.steps.empty()) return fail(0, "there is none");
  const auto starts = model.starts();
  if (std::none_of(starts.begin(), starts.end(),
                   [&](const Start& start) { return start.state == trace.steps[0].state; })) {
    return fail(0, "no start");
  }
  if (trace.steps.size() - 1 > model.horizon()) return fail(model.horizon(), "beyond the step limit");
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& now = trace.steps[i];
    if (now.action && policy != nullptr && !(policy->row(model.observation(now.state))[*now.action] > 0)) {
      return fail(i, "the policy does not do this");
    }
    if (now.truncated && (i < model.horizon() || now.action || now.end)) return fail(i, "not the step limit");
    if (i == model.horizon() && !now.end && !now.truncated) return fail(i, "the step limit is not told");
    if (i + 1 == trace.steps.size()) return ::testing::AssertionSuccess();
    if (!now.action || !now.reward) return fail(i, "nothing is done");
    const TraceStep& next = trace.steps[i + 1];
    const auto outcomes = model.outcomes(now.state, *now.action);
    if (std::none_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
          return outcome.next == next.state && outcome.reward == *now.reward &&
                 outcome.terminal == next.end && outcome.tag == next.tag;
        })) {
      return fail(i, "this cannot happen");
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace ndnf::testing
