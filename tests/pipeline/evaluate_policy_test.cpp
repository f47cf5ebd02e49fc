#include "ndnf/pipeline/evaluate_policy.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/pipeline/describe_environment.h"

namespace ndnf {
namespace {

TEST(EvaluatePolicy, GapIsTheDistanceToTheOptimum) {
  EvaluationRequest request;
  request.policy = "uniform";
  request.env = "small-corridor";
  const PolicyEvaluation result = evaluate_policy(request);
  EXPECT_NEAR(result.optimum.found, -3, 1e-12);
  EXPECT_NEAR(result.evaluation.mean_return, -11.932977044107146, 1e-9);  // what Storm gives for this chain
  EXPECT_EQ(result.optimum.gap(result.evaluation.mean_return),
            result.optimum.found - result.evaluation.mean_return);
  EXPECT_FALSE(result.undefined);
}

TEST(EvaluatePolicy, TellsOfEveryEpisodeOnce) {
  std::atomic<std::size_t> told = 0;
  EvaluationRequest request;
  request.policy = "uniform";
  request.env = "blackjack";
  request.episodes = 12345;
  request.jobs = 2;
  request.on_episodes = [&told](std::size_t more) { told += more; };
  EXPECT_EQ(evaluate_policy(request).evaluation.episodes, 12345u);
  EXPECT_EQ(told, 12345u);
}

TEST(EvaluatePolicy, WithoutAnEnvironmentIsAnError) {
  EvaluationRequest request;
  request.policy = "uniform";
  EXPECT_THROW(evaluate_policy(request), Error);
}

TEST(TagRates, NeverHideAField) {
  nlohmann::ordered_json json = {{"return", 1.5}};
  add_tag_rates(json, {"return", "win"}, {0.25, 0.75});
  EXPECT_EQ(json, nlohmann::ordered_json({{"return", 1.5}, {"win", 0.75}}));
}

}  // namespace
}  // namespace ndnf
