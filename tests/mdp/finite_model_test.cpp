#include "ndnf/mdp/finite_model.h"

#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

TEST(FiniteModel, GivesBackWhatItWasMadeOf) {
  const FiniteModel model(testing::gambler());
  EXPECT_EQ(model.state_count(), 4u);
  EXPECT_EQ(model.action_count(), 2u);
  EXPECT_TRUE(model.is_end(0));
  EXPECT_FALSE(model.is_end(1));
  ASSERT_EQ(model.outcomes(1, 0).size(), 2u);
  EXPECT_EQ(model.outcomes(1, 0)[1].next, 2u);
  EXPECT_TRUE(model.outcomes(2, 1)[0].terminal);
  EXPECT_EQ(model.horizon(), 4u);
  EXPECT_EQ(model.decision_state_count(), 2u);
  EXPECT_THAT(model.decision_observations(), ::testing::ElementsAre(1, 2));
}

TEST(FiniteModel, CountsAnObservationOnceThatSeveralDecisionStatesShow) {
  FiniteModelData data = testing::gambler();
  data.observation = {3, 2, 2, 2};  // the end state 0 alone shows 3; the end state 3 looks like 1 and 2
  EXPECT_THAT(FiniteModel(data).decision_observations(), ::testing::ElementsAre(2));
}

TEST(FiniteModel, WithoutStepLimitTheHorizonIsTheLongestPath) {
  FiniteModelData data = testing::numbered_states(3, {"go"});
  testing::add_row(data, {{0.5, 0, 1, false, -1}, {0.5, 0, 2, false, -1}});
  testing::add_row(data, {{1, 0, 2, false, -1}});
  testing::add_row(data, {{1, 0, 2, true, -1}});
  data.starts = {{1, 0}};
  EXPECT_EQ(FiniteModel(data).horizon(), 3u);
}

/// One way to make the gambler model invalid, and what the error must say.
struct Spoiled {
  std::string name;
  std::function<void(FiniteModelData&)> spoil;
  std::string complaint;
};

class FiniteModelRefuses : public ::testing::TestWithParam<Spoiled> {};

TEST_P(FiniteModelRefuses, WithOneClearSentence) {
  FiniteModelData data = testing::gambler();
  GetParam().spoil(data);
  try {
    const FiniteModel model(data);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().complaint));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Spoiled, FiniteModelRefuses,
    ::testing::Values(
        Spoiled{"NaN", [](auto& d) { d.outcomes[0].probability = std::nan(""); },
                "state 1, action bet: the probability nan"},
        Spoiled{"Negative", [](auto& d) { d.outcomes[0].probability = -0.5; }, "the probability -0.5"},
        Spoiled{"Sum", [](auto& d) { d.outcomes[0].probability = 0.4; },
                "state 1, action bet: the probabilities sum to 0.9"},
        Spoiled{"Dangling", [](auto& d) { d.outcomes[1].next = 9; },
                "leads to state 9, which does not exist; states are 0 to 3"},
        Spoiled{"Reward", [](auto& d) { d.outcomes[1].reward = INFINITY; },
                "the reward inf is not allowed; its magnitude is at most 1e+100"},
        Spoiled{"Tag", [](auto& d) { d.outcomes[1].tag = 2; }, "there is no tag 2"},
        Spoiled{"TagOnTheWay", [](auto& d) { d.outcomes[1].tag = 1; },
                "has the tag rich but does not end the episode"},
        Spoiled{"IntoEnd", [](auto& d) { d.outcomes[0].terminal = false; },
                "continues in state 0, which has no outcomes"},
        Spoiled{"StartEnd",
                [](auto& d) {
                  d.starts = {{1, 0}};
                },
                "start: state 0 has no outcomes"},
        Spoiled{"StartSum",
                [](auto& d) {
                  d.starts = {{0.5, 1}};
                },
                "start: the probabilities sum to 0.5"},
        Spoiled{"StartMissing",
                [](auto& d) {
                  d.starts = {{1, 7}};
                },
                "start: state 7 does not exist"},
        Spoiled{"Label", [](auto& d) { d.labels["rich"] = {4}; }, "label rich: state 4 does not exist"},
        Spoiled{"ReservedLabel", [](auto& d) { d.labels["end"] = {3}; }, "label end: is a reserved name"},
        Spoiled{"ReservedTag", [](auto& d) { d.tags[0] = "init"; }, "tag init: is a reserved name"},
        Spoiled{"ZeroLimit", [](auto& d) { d.step_limit = 0; }, "the step limit is 0"},
        Spoiled{"Discount", [](auto& d) { d.discount = 0; }, "discount: 0 is not allowed; it is above 0"},
        Spoiled{"Rows", [](auto& d) { d.row_ends.pop_back(); }, "4 states with 2 actions need 8"},
        Spoiled{"Observation", [](auto& d) { d.observation[2] = 12; }, "state 2: there is no observation 12"},
        Spoiled{"HalfEnd",
                [](auto& d) {
                  d.row_ends[3] = d.row_ends[2];
                  d.outcomes.erase(d.outcomes.begin() + 2);
                  for (std::size_t r = 4; r < 8; ++r) --d.row_ends[r];
                },
                "state 1, action stop: has no outcome"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ndnf
