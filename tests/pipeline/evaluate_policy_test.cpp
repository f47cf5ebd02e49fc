#include "ndnf/pipeline/evaluate_policy.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/base/error.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

TEST(EvaluatePolicy, GapIsTheDistanceToTheOptimum) {
  EvaluationRequest request;
  request.policy = "uniform";
  request.env = "small-corridor";
  const PolicyEvaluation result = evaluate_policy(request);
  EXPECT_NEAR(result.optimum->found, -3, 1e-12);
  EXPECT_NEAR(result.evaluation.mean_return, -11.932977044107146, 1e-9);  // what Storm gives for this chain
  EXPECT_EQ(result.optimum->gap(result.evaluation.mean_return),
            result.optimum->found - result.evaluation.mean_return);
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
  add_tag_rates(json, {"win"}, {0.75});
  EXPECT_EQ(json, nlohmann::ordered_json({{"return", 1.5}, {"win", 0.75}}));
  EXPECT_EQ(testing::error_of([&] { add_tag_rates(json, {"return"}, {0.25}); }),
            "tag return: has the name of another figure; rename it");
}

/// No tag can have the name of a figure that is reported next to tags.
TEST(EvaluatePolicy, NoTagOfAModelFileIsCalledLikeAFigure) {
  const testing::TemporaryFolder folder;
  const std::string good = read_file(std::string(NDNF_SOURCE_DIR) + "/examples/two-rooms.json");
  const std::string tag = "\"tags\": [\"escaped\"";
  const auto refuses = [&](const std::string& name) {
    std::string text = good;
    text.insert(text.find(tag) + tag.size(), fmt::format(", \"{}\"", name));
    folder.write("task.json", text);
    return !testing::error_of([&] { make_task((folder.path() / "task.json").string()); }).empty();
  };
  EXPECT_FALSE(refuses("lost"));
  EvaluationRequest request;
  request.policy = "optimal";
  request.env = std::string(NDNF_SOURCE_DIR) + "/examples/two-rooms.json";
  std::vector<std::string> figures;
  const nlohmann::ordered_json evaluated = to_json(evaluate_policy(request));
  for (const auto& [name, value] : evaluated.items()) figures.push_back(name);
  const nlohmann::ordered_json described = to_json(describe(make_task("blackjack")));
  for (const auto& [name, value] : described.at("optimum").items()) figures.push_back(name);
  for (const char* name : {"with", "timeouts", "undefined"}) figures.emplace_back(name);
  EXPECT_GT(figures.size(), 15U);
  for (const std::string& name : figures) {
    const bool known = name == "escaped" || name == "win" || name == "draw" || name == "loss";
    EXPECT_TRUE(known || refuses(name)) << name;
  }
}

}  // namespace
}  // namespace ndnf
