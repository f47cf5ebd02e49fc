#include "ndnf/pipeline/check_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(const CheckedPolicy& result) {
  std::vector<std::string> all;
  for (const CheckResult& check : result.checks) all.push_back(check.name);
  return all;
}

TEST(CheckPolicy, ChecksATableOnBothScopesAndThenItsProperties) {
  CheckRequest request;
  request.policy = "optimal";
  request.env = "small-corridor";
  request.properties = {"P>=1 [F<=3 \"goal\"]", "R{\"return\"}>=-2 [C]"};
  const CheckedPolicy result = check_policy(request);
  EXPECT_THAT(names(result), ElementsAre("sums-to-1", "coverage", "sums-to-1", "coverage",
                                         "P>=1 [F<=3 \"goal\"]", "R{\"return\"}>=-2 [C]"));
  EXPECT_FALSE(result.holds());
  const auto json = to_json(result);
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["checks"][4]["holds"], true);
  EXPECT_EQ(json["checks"][4]["value"], 1.0);
  EXPECT_EQ(json["checks"][4]["trace"], nullptr);
  EXPECT_EQ(json["checks"][5]["witness"], "the value is -3, not >= -2");
  EXPECT_EQ(json["checks"][5]["trace"].size(), 4u);
  EXPECT_EQ(json["checks"][5]["trace"][0]["action"], "right");
  EXPECT_EQ(json["checks"][5]["trace"][3]["end"], true);
}

TEST(CheckPolicy, OnlyTheChosenScopeCounts) {
  CheckRequest request;
  request.policy = NDNF_SOURCE_DIR "/examples/always-right.json";
  request.env = "small-corridor:wall";
  CheckedPolicy result = check_policy(request);
  EXPECT_TRUE(result.holds());
  result.checks[0].verdict = Verdict::kFails;
  EXPECT_FALSE(result.holds());
  result.scope = CheckScope::kVisited;
  EXPECT_TRUE(result.holds());
}

TEST(CheckPolicy, WhatIsUndecidedIsNullUnlessSomethingFails) {
  CheckRequest request;
  request.policy = "uniform";
  request.env = "small-corridor";
  request.properties = {"P>=0.1 [F \"goal\"]", "P>=0.2 [F \"goal\"]"};
  CheckedPolicy result = check_policy(request);
  EXPECT_EQ(to_json(result)["holds"], true);
  EXPECT_FALSE(to_json(result)["checks"][4].contains("undecided"));
  result.checks[4].verdict = Verdict::kUndecided;
  EXPECT_EQ(to_json(result)["holds"], nullptr);
  EXPECT_FALSE(result.holds());
  EXPECT_EQ(to_json(result)["checks"][4]["holds"], nullptr);
  EXPECT_EQ(to_json(result)["checks"][4]["undecided"], true);
  result.checks[5].verdict = Verdict::kFails;
  EXPECT_EQ(to_json(result)["holds"], false);
}

TEST(CheckPolicy, AMisspeltPropertyIsAnErrorBeforeAnythingIsChecked) {
  CheckRequest request;
  request.policy = "uniform";
  request.env = "small-corridor";
  request.properties = {"P>=1 [F \"gaol\"]"};
  EXPECT_THROW(check_policy(request), Error);
}

}  // namespace
}  // namespace ndnf
