#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/golden.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

using testing::elements;
using testing::read_golden;

/// Replays a recorded episode on a deterministic model. `expect_observation(id, recorded)` compares the
/// observations.
template <class ExpectObservation>
void replay(const FiniteModel& model, const nlohmann::json& trace, ExpectObservation expect_observation) {
  StateId state = model.starts()[0].state;
  expect_observation(model.observation(state), trace.at("reset_obs"));
  std::size_t count = 0;
  for (const nlohmann::json& step :
       elements(trace, "steps")) {  // action, observation, reward, terminated, truncated
    const auto outcomes = model.outcomes(state, step[0].get<ActionId>());
    ASSERT_EQ(outcomes.size(), 1u) << "step " << count;
    state = outcomes[0].next;
    ++count;
    expect_observation(model.observation(state), step[1]);
    EXPECT_EQ(outcomes[0].reward, step[2].get<double>()) << "step " << count;
    EXPECT_EQ(outcomes[0].terminal, step[3].get<bool>()) << "step " << count;
    EXPECT_EQ(count >= model.step_limit(), step[4].get<bool>()) << "step " << count;
  }
}

}  // namespace ndnf
