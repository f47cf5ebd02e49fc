#include "ndnf/pipeline/diff_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;

class DiffPolicies : public ::testing::Test {
 protected:
  DiffResult diff(const std::string& a, const std::string& b, const std::string& env) const {
    DiffRequest request;
    request.a = folder_.write("a.lp", a).string();
    request.b = folder_.write("b.lp", b).string();
    request.env = env;
    return diff_policies(request);
  }

 private:
  const testing::TemporaryFolder folder_;
};

TEST_F(DiffPolicies, BlamesTheRulesThatFireOnOneSideOnly) {
  const DiffResult result = diff("action(left) :- in_s_1.\naction(right) :- not in_s_1.",
                                 "wait :- in_s_2.\naction(left) :- in_s_1.\naction(left) :- wait.\n"
                                 "action(right) :- not in_s_1, not wait.",
                                 "small-corridor");
  ASSERT_EQ(result.diff.changed.size(), 1u);
  const DiffExample& example = result.examples[0];
  EXPECT_EQ(example.observation, "in_s_2");
  EXPECT_EQ(example.a.row, "right");
  EXPECT_EQ(example.b.row, "left");
  EXPECT_THAT(example.a.rules, ElementsAre("line 2: action(right) :- not in_s_1."));
  EXPECT_THAT(example.b.rules, ElementsAre("line 1: wait :- in_s_2.", "line 3: action(left) :- wait."));
}

/// If a rule that blocked another one is removed, the unblocked rule is the one to blame.
TEST_F(DiffPolicies, BlamesTheActionsRuleWhenAllItsRulesFireOnBothSides) {
  const DiffResult result =
      diff("action(right).", "action(right).\naction(left) :- in_s_1.", "small-corridor");
  ASSERT_EQ(result.diff.changed.size(), 1u);
  EXPECT_THAT(result.examples[0].a.rules, ElementsAre("line 1: action(right)."));
  EXPECT_THAT(result.examples[0].b.rules, ElementsAre("line 2: action(left) :- in_s_1."));
  EXPECT_EQ(result.examples[0].b.row, "names 2 actions");
  EXPECT_FALSE(result.diff.return_b);
  EXPECT_EQ(to_json(result)["return_b"], nullptr);
}

TEST_F(DiffPolicies, ComparesPoliciesOfDifferentKinds) {
  DiffRequest request;
  request.a = "uniform";
  request.b = "optimal";
  request.env = "taxi";
  request.examples = 3;
  const DiffResult result = diff_policies(request);
  EXPECT_EQ(result.diff.changed.size(), 500u);
  EXPECT_EQ(result.changed_reachable, 400u);
  EXPECT_EQ(result.examples.size(), 3u);
  EXPECT_TRUE(result.examples[0].a.rules.empty());
  const auto json = to_json(result);
  EXPECT_EQ(json["changed"], 500);
  EXPECT_EQ(json["observations"], 500);
  EXPECT_NEAR(json["return_b"].get<double>(), 7.93, 1e-9);
}

}  // namespace
}  // namespace ndnf
