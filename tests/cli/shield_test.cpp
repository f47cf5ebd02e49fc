#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

using Words = std::vector<std::string>;

class ShieldOption : public Binary {
 protected:
  /// Every command that takes a shield, for Small Corridor.
  std::vector<Words> commands(const std::string& shield) const {
    write("program.lp", "action(right).");
    return {{"eval", "uniform", "--env", "small-corridor", "--shield", shield},
            {"train", "small-corridor-mlp", "--out", "run", "--shield", shield},
            {"compile", "program.lp", "--env", "small-corridor", "--shield", shield}};
  }
};

TEST_F(ShieldOption, RefusesBadRulesInOneSentenceAndTouchesNothing) {
  struct Case {
    const char* file;
    const char* rules;
    const char* complaint;
  };
  const std::vector<Case> cases = {
      {"rules.lp", "forbidden(lft).", "rules.lp:1:1: the task has no action lft; did you mean left?"},
      {"rules.lp", "forbidden(left) :- in_s_9.", "rules.lp:1:20: in_s_9 is neither observed"},
      {"rules.lp", "action(left) :- in_s_0.", "rules.lp:1:1: action(left) stands in a shield"},
      {"rules.lp", "forbidden(left) :- a. a :- a.", "recursion is not allowed"},
      {"rules.lp", "forbidden(left). forbidden(right) :- in_s_1.", "every action is forbidden in in_s_1"},
      {"rules.lp", "", "rules.lp: forbids nothing"},
      {"rules.pl", "0.5::forbidden(left).", "rules.pl: is ProbLog by its name"},
      {"rules.txt", "forbidden(left).", "rules.txt: is no program by its name"}};
  for (const Case& c : cases) {
    write(c.file, c.rules);
    for (const Words& command : commands(c.file)) {
      const std::size_t files = file_count();
      const ProcessResult result = ndnf(command);
      EXPECT_EQ(result.exit_code, 2) << command[0] << " " << c.rules;
      EXPECT_EQ(result.output, "");
      EXPECT_THAT(result.errors, HasSubstr(c.complaint));
      EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
      EXPECT_EQ(file_count(), files);
    }
  }
  for (const Words& command : commands("missing.lp")) {
    EXPECT_THAT(ndnf(command).errors, HasSubstr("missing.lp")) << command[0];
  }
}

TEST_F(ShieldOption, TellsThatAPolicyIsShielded) {
  write("rules.lp", "forbidden(left).");
  const Words eval = {"eval", "uniform", "--env", "small-corridor", "--shield", "rules.lp"};
  EXPECT_EQ(json(eval).at("shielded"), true);
  EXPECT_EQ(json({"eval", "uniform", "--env", "small-corridor"}).at("shielded"), false);
  EXPECT_THAT(ndnf(eval).output, HasSubstr("exact, shielded\n"));
}

TEST_F(ShieldOption, RunsKeepTheirShieldInEveryCommand) {
  write("rules.lp", "forbidden(left) :- in_s_2.");
  ASSERT_EQ(ndnf({"train", "small-corridor-mlp", "--shield", "rules.lp", "--out", "run", "--set",
                  "ppo.total_timesteps=5120"})
                .exit_code,
            0);
  EXPECT_EQ(ndnf({"check", "run", "--property", "never action(left) when in_s_2"}).exit_code, 0);
  const nlohmann::json explained = json({"explain", "run", "--obs", "in_s_2"});
  EXPECT_EQ(explained.at("explanations").at(0).at("row"), "right");
  ASSERT_EQ(ndnf({"extract", "run", "--as", "asp", "-o", "policy.lp"}).exit_code, 0);
  EXPECT_EQ(ndnf({"check", "policy.lp", "--property", "never action(left) when in_s_2"}).exit_code, 0);
  ASSERT_EQ(ndnf({"export", "run", "--format", "drn", "-o", "shielded.drn"}).exit_code, 0);
}

TEST_F(ShieldOption, EvaluationWithTheRealClingoObeysToo) {
  write("rules.lp", "forbidden(right) :- in_s_1.");
  write("program.lp", "action(right). action(left) :- in_s_1.");
  const Words eval = {"eval", "program.lp", "--env", "small-corridor", "--shield", "rules.lp"};
  Words with_clingo = eval;
  with_clingo.insert(with_clingo.end(), {"--with", "clingo"});
  EXPECT_EQ(json(eval).at("return"), json(with_clingo).at("return"));
}

}  // namespace
}  // namespace ndnf
