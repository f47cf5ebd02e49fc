
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Eval : public Binary {};

std::string policy_file(const std::string& rest) {
  return R"({"format": "ndnf-policy", "version": 1, )" + rest + "}";
}

TEST_F(Eval, OptimalPolicyHasNoGap) {
  for (const char* env :
       {"small-corridor", "long-corridor-11:wall", "blackjack", "taxi", "door-corridor-ot"}) {
    const nlohmann::json result = json({"eval", "optimal", "--env", env});
    EXPECT_EQ(result.at("gap"), 0.0) << env;
    EXPECT_EQ(result.at("return"), result.at("optimum")) << env;
  }
}

TEST_F(Eval, ReportsTheFieldsOfTheContract) {
  const nlohmann::json result =
      json({"eval", "uniform", "--env", "blackjack:sab=false", "--select", "sample"});
  EXPECT_EQ(result.at("policy"), "uniform");
  EXPECT_EQ(result.at("env"), "blackjack:sab=false");
  EXPECT_EQ(result.at("select"), "sample");
  EXPECT_EQ(result.at("exact"), true);
  EXPECT_EQ(result.at("stderr"), 0);
  EXPECT_EQ(result.at("episodes"), 0);
  EXPECT_NEAR(result.at("terminated").get<double>(), 1, 1e-12);
  EXPECT_GT(result.at("length"), 1);
  EXPECT_NEAR(result.at("win").get<double>() - result.at("loss").get<double>(),
              result.at("return").get<double>(), 1e-12);
  EXPECT_NEAR(result.at("gap").get<double>(),
              result.at("optimum").get<double>() - result.at("return").get<double>(), 1e-15);
  EXPECT_TRUE(result.contains("draw"));
  EXPECT_TRUE(result.contains("seconds"));
}

/// The paper's rows for Q-tables on the wall corridors are this policy's exact returns.
TEST_F(Eval, AlwaysRightWithEpsilonGivesThePapersQTableRows) {
  write("right.json", policy_file(R"("default": [0, 1], "rows": [])"));
  const std::vector<std::pair<std::string, double>> rows = {{"small-corridor:wall", -30.682},
                                                            {"long-corridor-5:wall", -31.460},
                                                            {"long-corridor-11:wall", -31.235}};
  for (const auto& [env, value] : rows) {
    const nlohmann::json result = json({"eval", "right.json", "--env", env, "--select", "epsilon:0.1"});
    EXPECT_NEAR(result.at("return").get<double>(), value, 5e-4) << env;
    EXPECT_EQ(result.at("select"), "epsilon:0.1");
  }
}

TEST_F(Eval, OneEpisodeHasNoStandardError) {
  const ProcessResult result = ndnf({"eval", "uniform", "--env", "blackjack", "--episodes", "1"});
  EXPECT_THAT(result.output, HasSubstr("(1 episode in "));
  EXPECT_THAT(result.output, Not(HasSubstr("±")));
  EXPECT_EQ(json({"eval", "uniform", "--env", "blackjack", "--episodes", "1"}).at("stderr"), nullptr);
}

TEST_F(Eval, UsesTheEnvironmentThatThePolicyNames) {
  write("policy.json", policy_file(R"("env": "long-corridor-5", "default": [0.5, 0.5], "rows": [])"));
  EXPECT_EQ(json({"eval", "policy.json"}).at("env"), "long-corridor-5");
  EXPECT_EQ(json({"eval", "policy.json", "--env", "small-corridor"}).at("env"), "small-corridor");
}

TEST_F(Eval, SamplesAgreeWithTheExactFigure) {
  for (const std::string env : {"small-corridor:wall", "blackjack", "taxi", "door-corridor"}) {
    const double exact = json({"eval", "uniform", "--env", env, "--exact"}).at("return");
    const nlohmann::json sampled =
        json({"eval", "uniform", "--env", env, "--episodes", "2e4", "--seed", "3"});
    EXPECT_EQ(sampled.at("exact"), false);
    EXPECT_EQ(sampled.at("episodes"), 20000);
    EXPECT_GT(sampled.at("stderr"), 0);
    EXPECT_NEAR(sampled.at("return").get<double>(), exact, 4 * sampled.at("stderr").get<double>()) << env;
  }
}

TEST_F(Eval, SampledResultDependsOnTheSeedButNotOnTheJobs) {
  const auto sample = [&](const char* seed, const char* jobs) {
    nlohmann::json result = json(
        {"eval", "uniform", "--env", "blackjack", "--episodes", "30001", "--seed", seed, "--jobs", jobs});
    result.erase("seconds");
    return result;
  };
  EXPECT_EQ(sample("1", "1"), sample("1", "2"));
  EXPECT_NE(sample("1", "1"), sample("2", "1"));
}

TEST_F(Eval, TextNamesReturnErrorAndOptimum) {
  EXPECT_THAT(ndnf({"eval", "optimal", "--env", "taxi"}).output, HasSubstr("return      7.93\n"));
  EXPECT_THAT(ndnf({"eval", "uniform", "--env", "taxi", "--episodes", "1000"}).output, HasSubstr(" ± "));
  EXPECT_THAT(ndnf({"eval", "uniform", "--env", "blackjack"}).output, HasSubstr("optimum     -0.0431131"));
}

TEST_F(Eval, VisitingAnUndefinedRowExitsOneAndNamesTheObservation) {
  write("partial.json",
        policy_file(
            R"("env": "small-corridor", "rows": [{"observation": ["in_s_0"], "probabilities": [0, 1]}])"));
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--episodes", "100"}}) {
    std::vector<std::string> arguments = {"eval", "partial.json"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const ProcessResult text = ndnf(arguments);
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_EQ(text.errors, "ndnf: partial.json: names no action in a visited observation: in_s_1\n");
    EXPECT_THAT(text.output, Not(HasSubstr("return")));
    arguments.push_back("--json");
    const ProcessResult machine = ndnf(arguments);
    EXPECT_EQ(machine.exit_code, 1);
    const nlohmann::json result = nlohmann::json::parse(machine.output);
    EXPECT_TRUE(result.at("return").is_null());
    EXPECT_EQ(result.at("undefined").at("observation"), "in_s_1");
    EXPECT_EQ(result.at("undefined").at("reason"), "names no action");
  }
}

TEST_F(Eval, AnUndefinedRowThatIsNotVisitedDoesNotMatter) {
  write("enough.json", policy_file(R"("env": "small-corridor", "rows": [
    {"observation": ["in_s_0"], "probabilities": [0, 1]}, {"observation": ["in_s_1"], "probabilities": [1, 0]},
    {"observation": ["in_s_2"], "probabilities": [0, 1]}])"));
  EXPECT_EQ(json({"eval", "enough.json"}).at("return"), -3);
}

TEST_F(Eval, BadTablesAreErrors) {
  const std::vector<std::pair<std::string, std::string>> tables = {
      {policy_file(R"("default": [0.5, 0.4], "rows": [])"), "sum to 0.9"},
      {policy_file(R"("default": [2, -1], "rows": [])"), "bad.json"},
      {policy_file(R"("default": [NaN, 1], "rows": [])"), "bad.json"},
      {policy_file(R"("rows": [{"observation": ["in_s_9"], "probabilities": [1, 0]}])"), "in_s_9"},
      {policy_file(R"("actions": ["left", "up"], "rows": [])"), "there is no action up"},
      {"[1, 2", "bad.json"},
  };
  for (const auto& [text, complaint] : tables) {
    write("bad.json", text);
    const ProcessResult result = ndnf({"eval", "bad.json", "--env", "small-corridor"});
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1);
  }
}

TEST_F(Eval, ShowsProgressOnATerminalOnly) {
  const std::vector<std::string> arguments = {"eval", "uniform", "--env", "taxi", "--episodes", "20000"};
  EXPECT_EQ(ndnf(arguments).errors, "");
  const auto shown = on_terminal("eval uniform --env taxi --episodes 20000");
  if (!shown) return;
  EXPECT_THAT(*shown, HasSubstr("episodes █"));
}

TEST_F(Eval, StopsASolverThatTakesTooLong) {
  write("policy.lp", "action(right).");
  write("sleeper", "#!/bin/sh\nexec sleep 100\n");
  std::filesystem::permissions(path("sleeper"), std::filesystem::perms::owner_all);
  ::setenv("NDNF_CLINGO", path("sleeper").c_str(), 1);
  const ProcessResult result =
      ndnf({"eval", "policy.lp", "--env", "small-corridor", "--with", "clingo", "--solver-time", "1"});
  ::unsetenv("NDNF_CLINGO");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "ndnf: clingo: did not answer within 1 s\n");
  EXPECT_EQ(ndnf({"eval", "policy.lp", "--env", "small-corridor", "--solver-time", "1"}).exit_code, 2);
  EXPECT_EQ(ndnf({"eval", "policy.lp", "--env", "small-corridor", "--with", "clingo", "--solver-time", "60"})
                .exit_code,
            0);
}

}  // namespace
}  // namespace ndnf
