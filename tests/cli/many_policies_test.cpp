#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two runs of one task.
class ManyPolicies : public Binary {
 protected:
  void SetUp() override {
    ASSERT_EQ(ndnf({"train", "small-corridor", "--seeds", "9..10", "--out", "runs"}).exit_code, 0);
  }

  /// The objects of a command, one per line.
  std::vector<nlohmann::json> objects(Words arguments, int exit_code) const {
    arguments.push_back("--json");
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    std::vector<nlohmann::json> all;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
    return all;
  }
};

TEST_F(ManyPolicies, EvalShowsAFolderOfRunsInTheOrderOfTheirSeeds) {
  const ProcessResult result = ndnf({"eval", "runs"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_LT(result.output.find("runs/seed-9 "), result.output.find("runs/seed-10"));
  EXPECT_THAT(result.output,
              HasSubstr("2 policies: mean -3.00000 ± 0.00000, worst -3.00000, 2 of 2 at the optimum"));
}

TEST_F(ManyPolicies, EvalComparesSeveralPoliciesAndSumsThemUp) {
  const auto all = objects({"eval", "runs/seed-9", "uniform", "--env", "small-corridor"}, 0);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].at("policy"), "runs/seed-9");
  const double uniform = json({"eval", "uniform", "--env", "small-corridor"}).at("return");
  const nlohmann::json& summary = all[2].at("summary");
  EXPECT_EQ(summary.at("policies"), 2);
  EXPECT_EQ(summary.at("errors"), 0);
  EXPECT_EQ(summary.at("at_optimum"), 1);
  EXPECT_EQ(summary.at("worst").get<double>(), uniform);
  EXPECT_NEAR(summary.at("mean").get<double>(), (uniform - 3) / 2, 1e-12);
  EXPECT_NEAR(summary.at("stderr").get<double>(), (-3 - uniform) / 2, 1e-12);
}

TEST_F(ManyPolicies, OneThatCannotBeReadDoesNotLoseTheOthers) {
  std::filesystem::create_directory(path("runs/seed-11"));
  write("runs/seed-11/config.toml", "");
  for (const char* command : {"eval", "extract", "check"}) {
    const auto all = objects({command, "runs"}, 2);
    ASSERT_EQ(all.size(), 4u) << command;
    EXPECT_EQ(all[0].at("policy"), "runs/seed-9");
    EXPECT_THAT(all[2].at("error").get<std::string>(), HasSubstr("runs/seed-11: was stopped before it had a policy"));
    EXPECT_EQ(all[3].at("summary").at("errors"), 1);
  }
  EXPECT_THAT(ndnf({"eval", "runs"}).output, HasSubstr("1 of them without a result"));
}

TEST_F(ManyPolicies, IfNoneCanBeReadTheyComplainOnce) {
  const ProcessResult result = ndnf({"eval", "runs", "--env", "small-coridor"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
}

TEST_F(ManyPolicies, ReturnsOfDifferentTasksHaveNoMean) {
  ASSERT_EQ(ndnf({"train", "long-corridor-5", "--out", "long"}).exit_code, 0);
  const auto all = objects({"eval", "runs", "long"}, 0);
  EXPECT_TRUE(all.back().at("summary").at("mean").is_null());
  EXPECT_EQ(all.back().at("summary").at("at_optimum"), 3);
  EXPECT_THAT(ndnf({"eval", "runs", "long"}).output, HasSubstr("no mean: they are for different tasks"));
}

TEST_F(ManyPolicies, ExtractWritesOneProgramPerRun) {
  const auto all = objects({"extract", "runs"}, 0);
  ASSERT_EQ(all.size(), 3u);
  const nlohmann::json& summary = all[2].at("summary");
  EXPECT_EQ(summary.at("faithful"), 2);
  EXPECT_EQ(summary.at("rules").at("least"), 2);
  EXPECT_EQ(summary.at("rules").at("most"), 2);
  for (const char* run : {"runs/seed-9", "runs/seed-10"})
    EXPECT_EQ(json({"eval", std::string(run) + "/policy.lp"}).at("return"), -3);
  const ProcessResult refused = ndnf({"extract", "runs", "-o", "x.lp"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("-o: one file for 2 programs"));
}

TEST_F(ManyPolicies, CheckSaysWhatFailsForWhich) {
  const Words check = {"check",      "runs/seed-9",         "uniform", "--env", "small-corridor",
                       "--property", "P>=1 [F<=3 \"goal\"]"};
  const auto all = objects(check, 1);
  ASSERT_EQ(all.size(), 3u);
  const nlohmann::json& summary = all[2].at("summary");
  EXPECT_EQ(summary.at("hold"), 1);
  EXPECT_EQ(summary.at("fail"), 1);
  EXPECT_EQ(summary.at("failing")[0].at("policies"), nlohmann::json({"uniform"}));
  const ProcessResult result = ndnf(check);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("2 policies: 1 hold, 1 fail, 0 undecided"));
  EXPECT_THAT(result.errors, HasSubstr("uniform: 1 check does not hold"));
}

/// What the binary prints on a terminal with so many columns, without carriage returns. A minimal system has
/// no pseudo-terminals: there only what it prints into a pipe can be tested.
class OnATerminal : public Binary {
 protected:
  static bool has_terminals() { return std::filesystem::exists("/dev/pts/ptmx"); }
  std::string shown(const std::string& variables, int columns, const std::string& command) const {
    const std::string inner =
        "stty cols " + std::to_string(columns) + "; " + variables + " " NDNF_BINARY " " + command;
    std::string text = run({"script", "-qec", inner, "/dev/null"}).output;
    std::erase(text, '\r');
    return text;
  }
  static std::size_t widest(const std::string& text) {
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ndnf ")) continue;  // an example in a help text, to be copied as it is
      const auto wide = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      most = std::max(most, static_cast<std::size_t>(wide));
    }
    return most;
  }
};

TEST_F(OnATerminal, TablesFitItAndAreCompleteInAPipe) {
  EXPECT_GT(widest(ndnf({"presets"}).output), 120u);
  EXPECT_GT(widest(ndnf({"eval", "--help"}).output), 120u);
  if (!has_terminals()) return;
  for (const std::string command : {"envs", "presets", "envs taxi", "--help", "eval --help"}) {
    for (const int columns : {60, 80, 120}) {
      const std::string text = shown("TERM=xterm", columns, command);
      EXPECT_LE(widest(text), static_cast<std::size_t>(columns)) << command << "\n" << text;
    }
  }
}

TEST_F(OnATerminal, ColoursAreLeftOutIfNotWanted) {
  const std::string check = "check optimal --env small-corridor";
  EXPECT_THAT(ndnf({"check", "optimal", "--env", "small-corridor"}).output, Not(HasSubstr("\033[")));
  if (!has_terminals()) return;
  EXPECT_THAT(shown("TERM=xterm NO_COLOR=", 80, check), HasSubstr("\033[32mholds\033[0m"));
  EXPECT_THAT(shown("TERM=xterm NO_COLOR=1", 80, check), Not(HasSubstr("\033[")));
  EXPECT_THAT(shown("TERM=dumb NO_COLOR=", 80, check), Not(HasSubstr("\033[")));
  EXPECT_THAT(shown("TERM=xterm NO_COLOR=", 80, check + " --json"), Not(HasSubstr("\033[")));
  EXPECT_THAT(shown("TERM=xterm NO_COLOR=", 80, "eval nothing.lp"),
              HasSubstr("\033[31mndnf:\033[0m nothing.lp"));
}

}  // namespace
}  // namespace ndnf
