#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Four fields, one of which is worked for three steps. A bare field may be sown (−1), a sown one reaped (3);
/// sowing with the last step is a loss, but the clock is not observed. Sowing with probability p has the
/// return 3p − p² − p³, at best 1.2684; with an observed clock the optimum is 2. Four bare and four sown
/// fields are too many for a proof.
std::string fields() {
  std::string atoms, observations, states, starts;
  const auto join = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (int i = 0; i < 4; ++i) {
    const int bare = 2 * i, sown = 2 * i + 1;
    join(atoms, fmt::format(R"("bare_{0}", "sown_{0}")", i));
    join(observations, fmt::format(R"(["bare_{0}"], ["sown_{0}"])", i));
    join(states, fmt::format(R"({{"observation": {0}, "outcomes": {{"sow": [{{"next": {1}, "reward": -1}}],
      "reap": [{{"next": {0}, "reward": 0}}]}}}}, {{"observation": {1}, "outcomes": {{
      "sow": [{{"next": {1}, "reward": -1}}], "reap": [{{"next": {0}, "reward": 3}}]}}}})",
                             bare, sown));
    join(starts, fmt::format(R"({{"state": {}, "p": 0.25}})", bare));
  }
  return fmt::format(
      R"({{"format": "ndnf-model", "version": 1, "name": "fields", "actions": ["sow", "reap"],
      "groups": [{{"name": "field", "atoms": [{}]}}], "observations": [{}], "states": [{}], "starts": [{}],
      "step_limit": 3}})",
      atoms, observations, states, starts);
}

double best_without_clock() {
  const double p = (std::sqrt(40.0) - 2) / 6;  // where the derivative 3 − 2p − 3p² is 0
  return 3 * p - p * p - p * p * p;
}

class UnprovedOptimum : public Binary {
 protected:
  void SetUp() override { write("fields.json", fields()); }
};

TEST_F(UnprovedOptimum, EvalTellsTheGapToTheBoundBesideTheGapToTheBestFound) {
  const nlohmann::json result = json({"eval", "optimal", "--env", "fields.json"});
  EXPECT_EQ(result.at("optimum_proof"), "best-found");
  EXPECT_NEAR(result.at("optimum").get<double>(), best_without_clock(), 1e-6);
  EXPECT_NEAR(result.at("optimum_bound").get<double>(), 2, 1e-12);
  EXPECT_EQ(result.at("gap"), 0.0);
  EXPECT_NEAR(result.at("gap_bound").get<double>(), 2 - best_without_clock(), 1e-6);
  const std::string text = ndnf({"eval", "optimal", "--env", "fields.json"}).output;
  EXPECT_THAT(text, HasSubstr("(best-found, at most 2)\n"));
  EXPECT_THAT(text, HasSubstr("gap         0 to 0.73"));
}

TEST_F(UnprovedOptimum, EvalMeasuresBothGapsOfAnotherPolicy) {
  const nlohmann::json result = json({"eval", "uniform", "--env", "fields.json"});
  const double earned = result.at("return");
  EXPECT_EQ(result.at("gap").get<double>(), result.at("optimum").get<double>() - earned);
  EXPECT_EQ(result.at("gap_bound").get<double>(), result.at("optimum_bound").get<double>() - earned);
  EXPECT_GT(result.at("gap_bound"), result.at("gap"));
}

TEST_F(UnprovedOptimum, TrainTellsBothGaps) {
  std::vector<std::string> training = {"train", "small-corridor-q-table",  "--set", "env=fields.json",
                                       "--set", "q-learning.episodes=400", "--out", "run"};
  EXPECT_THAT(ndnf(training).output, ContainsRegex(" [0-9.]+ to [0-9.]+ "));
  training.push_back("--resume");
  const nlohmann::json run = json(training);
  EXPECT_EQ(run.at("optimum_proof"), "best-found");
  EXPECT_NEAR(run.at("optimum_bound").get<double>(), 2, 1e-12);
  EXPECT_EQ(run.at("gap_bound").get<double>(), 2 - run.at("return").get<double>());
  EXPECT_NEAR(run.at("gap_bound").get<double>() - run.at("gap").get<double>(), 2 - best_without_clock(),
              1e-6);
}

TEST_F(UnprovedOptimum, EnvsTellsTheBound) {
  EXPECT_THAT(ndnf({"envs", "fields.json"}).output, HasSubstr("(best-found, at most 2)\n"));
}

TEST_F(UnprovedOptimum, AProvedOptimumLeavesOneGap) {
  for (const char* env : {"small-corridor", "blackjack", "door-corridor-ot", "small-corridor:wall"}) {
    const nlohmann::json result = json({"eval", "optimal", "--env", env});
    EXPECT_NE(result.at("optimum_proof"), "best-found") << env;
    EXPECT_EQ(result.at("gap"), 0.0) << env;
    EXPECT_LE(result.at("gap_bound"), result.at("optimum_proof") == "global-search" ? 1e-6 : 0) << env;
    EXPECT_THAT(ndnf({"eval", "optimal", "--env", env}).output, Not(HasSubstr(" to "))) << env;
  }
}

}  // namespace
}  // namespace ndnf
