#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class ShieldOption : public Binary {
 protected:
  /// Every command that takes a shield, for Small Corridor.
  std::vector<Words> commands(const std::string& shield) const {
    write("program.lp", "action(right).");
    return {{"eval", "uniform", "--env", "small-corridor", "--shield", shield},
            {"train", "small-corridor-mlp", "--out", "run", "--shield", shield},
            {"compile", "program.lp", "--env", "small-corridor", "--shield", shield},
            {"check", "uniform", "--env", "small-corridor", "--shield", shield},
            {"check", "program.lp", "--env", "small-corridor", "--shield", shield},
            {"diff", "uniform", "program.lp", "--env", "small-corridor", "--shield", shield},
            {"explain", "uniform", "--env", "small-corridor", "--shield", shield},
            {"export", "uniform", "--env", "small-corridor", "--shield", shield, "--format", "drn", "-o",
             "chain.drn"},
            {"export", "program.lp", "--env", "small-corridor", "--shield", shield, "--format", "c", "-o",
             "policy.c"}};
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
      {"rules.lp", "action(left) :- in_s_0.", "rules.lp:1:1: action(left) is not allowed in a shield"},
      {"rules.lp", "forbidden(left) :- a. a :- a.", "recursion is not supported"},
      {"rules.lp", "forbidden(left). forbidden(right) :- in_s_1.", "every action is forbidden in in_s_1"},
      {"rules.lp", "", "rules.lp: forbids nothing"},
      {"rules.pl", "0.5::forbidden(left).", "rules.pl: has the extension of ProbLog"},
      {"rules.txt", "forbidden(left).", "rules.txt: has an unknown extension"}};
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
  const std::vector<std::pair<Words, std::string>> commands = {
      {{"eval", "uniform"}, "exact, shielded\n"},
      {{"check", "uniform"}, "sample, shielded, scope reachable\n"},
      {{"explain", "uniform"}, "sample, shielded\n"},
      {{"export", "uniform", "--format", "npz", "-o", "x.npz"}, "sample, shielded: x.npz"}};
  for (const auto& [command, text] : commands) {
    Words plain = command;
    plain.insert(plain.end(), {"--env", "small-corridor"});
    Words shielded = plain;
    shielded.insert(shielded.end(), {"--shield", "rules.lp"});
    EXPECT_EQ(json(plain).at("shielded"), false) << command[0];
    EXPECT_EQ(json(shielded).at("shielded"), true) << command[0];
    EXPECT_THAT(ndnf(shielded).output, HasSubstr(text));
  }
  const Words diff = {"diff", "uniform", "uniform", "--env", "small-corridor", "--shield", "rules.lp"};
  EXPECT_EQ(json(diff).at("shielded_a"), true);
  EXPECT_EQ(json(diff).at("shielded_b"), true);
  EXPECT_THAT(ndnf(diff).output, HasSubstr("A uniform, sample, shielded\nB uniform, sample, shielded\n"));
}

TEST_F(ShieldOption, ChecksWhatTheShieldLeaves) {
  write("rules.lp", "forbidden(left) :- not in_s_1.\nforbidden(right) :- in_s_1.");
  // Under the shield, a program with both actions takes the only way to the goal.
  write("any.lp", "% environment: small-corridor\naction(left).\naction(right).");
  EXPECT_EQ(ndnf({"check", "any.lp"}).exit_code, 1);
  EXPECT_EQ(ndnf({"check", "any.lp", "--shield", "rules.lp", "--property", "P>=1 [F<=3 \"goal\"]"}).exit_code,
            0);
  EXPECT_EQ(ndnf({"check", "uniform", "--env", "small-corridor", "--shield", "rules.lp", "--property",
                  "never action(left) when !in_s_1"})
                .exit_code,
            0);
  // Where all actions are forbidden the policy is undefined, and the message says why.
  write("left.lp", "% environment: small-corridor\naction(left).");
  const ProcessResult left = ndnf({"check", "left.lp", "--shield", "rules.lp"});
  EXPECT_EQ(left.exit_code, 1);
  EXPECT_THAT(left.output, HasSubstr("in in_s_0 the policy names no action under the shield"));
}

TEST_F(ShieldOption, ComparesBothPoliciesUnderTheShield) {
  write("rules.lp", "forbidden(left) :- not in_s_1.\nforbidden(right) :- in_s_1.");
  const Words diff = {"diff", "uniform", "optimal", "--env", "small-corridor"};
  EXPECT_GT(json(diff).at("changed_reachable").get<int>(), 0);
  Words shielded = diff;
  shielded.insert(shielded.end(), {"--shield", "rules.lp", "--fail-on-change"});
  EXPECT_EQ(json(shielded).at("changed_reachable"), 0);
  EXPECT_EQ(json(shielded).at("return_a"), -3);
}

TEST_F(ShieldOption, ExplainsTheShieldedPolicy) {
  write("rules.lp", "forbidden(left) :- in_s_2.");
  const Words explain = {"explain", "uniform", "--env", "small-corridor", "--obs", "in_s_2"};
  EXPECT_EQ(json(explain).at("explanations").at(0).at("row"), "left 0.5, right 0.5");
  Words shielded = explain;
  shielded.insert(shielded.end(), {"--shield", "rules.lp"});
  EXPECT_EQ(json(shielded).at("explanations").at(0).at("row"), "right");
}

TEST_F(ShieldOption, ExportsTheShieldedPolicyInEveryFormat) {
  write("rules.lp", "forbidden(left) :- not in_s_1.\nforbidden(right) :- in_s_1.");
  write("any.lp", "% environment: small-corridor\naction(left).\naction(right).");
  const auto exported = [&](const std::string& policy, const std::string& format) {
    json({"export", policy, "--env", "small-corridor", "--shield", "rules.lp", "--format", format, "-o",
          "file"});
    return read("file");
  };
  for (const std::string policy : {"uniform", "any.lp"}) {
    EXPECT_THAT(exported(policy, "drn"), HasSubstr("state 0 [-1] init start\n\taction 0 [0]\n\t\t1 : 1\n"))
        << policy;
    EXPECT_THAT(exported(policy, "prism"), HasSubstr("label \"action_left\" = s=1; // action(left)\n"));
    // A table, since the rules of the program alone would have two actions.
    EXPECT_THAT(exported(policy, "c"), HasSubstr("{0, 1},\n  {1, 0},\n  {0, 1},\n")) << policy;
  }
  const std::string npz = exported("uniform", "npz");
  json({"export", "uniform", "--env", "small-corridor", "--format", "npz", "-o", "plain"});
  EXPECT_NE(npz, read("plain"));
}

/// The shield of a run always applies, in addition to a given one.
TEST_F(ShieldOption, IsBesidesThatOfTheRun) {
  write("rules.lp", "forbidden(left) :- in_s_2.");
  write("more.lp", "forbidden(right) :- in_s_1.");
  ASSERT_EQ(ndnf({"train", "small-corridor-mlp", "--shield", "rules.lp", "--out", "run", "--set",
                  "ppo.total_timesteps=512"})
                .exit_code,
            0);
  EXPECT_EQ(ndnf({"check", "run", "--select", "sample", "--shield", "more.lp", "--property",
                  "never action(left) when in_s_2", "--property", "never action(right) when in_s_1"})
                .exit_code,
            0);
  write("none.lp", "forbidden(right) :- in_s_2.");
  const ProcessResult none = ndnf({"check", "run", "--shield", "none.lp"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("its own shield and the other leave no action in in_s_2"));
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
