#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kProgram = NDNF_SOURCE_DIR "/examples/door-corridor/dc.lp";

class Edit : public Binary {
 protected:
  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(file_count(), 0u);
  }
};

TEST_F(Edit, OneRuleMovesThePolicyToAnotherDoor) {
  const ProcessResult result = ndnf({"edit", kProgram, "--when", "one_step_ahead_goal", "--do", "toggle",
                                     "--env", "door-corridor-t", "-o", "t.lp"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("when        one_step_ahead_goal\n"), HasSubstr("written     t.lp")));
  EXPECT_EQ(json({"eval", "t.lp"}).at("return"), -8);
  EXPECT_EQ(json({"eval", "t.lp"}).at("env"), "door-corridor-t");
  const nlohmann::json ot = json({"edit", kProgram, "--when", "curr_location_goal", "--do", "toggle", "--env",
                                  "door-corridor-ot", "-o", "ot.lp"});
  EXPECT_EQ(ot.at("predicates"), false);
  EXPECT_EQ(ot.at("observations"), 5);
  EXPECT_EQ(json({"eval", "ot.lp"}).at("return"), -9);
}

TEST_F(Edit, AConditionOfSeveralLiteralsGetsAName) {
  write("p.lp", "% environment: blackjack\naction(hit) :- not usable_ace.\naction(stick) :- usable_ace.\n");
  json({"edit", "p.lp", "--when", "hand(20), not dealer(1)", "--do", "stick", "-o", "q.lp"});
  json({"edit", "q.lp", "--when", "hand(19), not dealer(1)", "--do", "stick", "-o", "r.lp"});
  EXPECT_THAT(read("r.lp"),
              AllOf(HasSubstr("override_1 :- hand(20), not dealer(1).\n"),
                    HasSubstr("action(hit) :- not usable_ace, not override_1, not override_2.\n"),
                    HasSubstr("action(stick) :- override_1, not override_2.\n"),
                    HasSubstr("action(stick) :- override_2.\n"), Not(HasSubstr("edited from p.lp"))));
  EXPECT_EQ(ndnf({"check", "r.lp"}).exit_code, 0);
}

TEST_F(Edit, WorksOnProbLogToo) {
  write("p.pl", "% environment: small-corridor:wall\n0.3::action(left) ; 0.7::action(right).\n");
  json({"edit", "p.pl", "--when", "left_wall_present", "--do", "right", "-o", "q.pl"});
  EXPECT_EQ(json({"compile", "q.pl"}).at("agrees"), true);
  EXPECT_GT(json({"eval", "q.pl"}).at("return"), json({"eval", "p.pl"}).at("return"));
  EXPECT_THAT(read("q.pl"), HasSubstr(":- \\+ left_wall_present.\n"));
}

TEST_F(Edit, SaysTheConditionInPredicatesWhereTheyCan) {
  ASSERT_EQ(ndnf({"train", "door-corridor-ndnf-mt", "--out", "run"}).exit_code, 0);
  ASSERT_LE(ndnf({"extract", "run", "--over", "predicates"}).exit_code, 1);  // 1: only to truth values
  const nlohmann::json edit =
      json({"edit", "run/policy.lp", "--when", "one_step_ahead_goal", "--do", "toggle", "--env",
            "door-corridor-t", "--encoder", "run", "--scope", "visited", "-o", "t.lp"});
  EXPECT_EQ(edit.at("predicates"), true);
  EXPECT_THAT(edit.at("condition").get<std::string>(), Not(HasSubstr("goal")));
  json({"compile", "t.lp", "--encoder", "run", "-o", "t.safetensors", "--env", "door-corridor-t"});
  EXPECT_EQ(json({"eval", "t.safetensors"}).at("return"), -8);
  EXPECT_EQ(json({"eval", "t.lp"}).at("return"), -8);  // the program is self-contained
}

TEST_F(Edit, SaysWhatIsWrong) {
  const Words edit = {"edit", kProgram, "--env", "door-corridor-t", "-o", "t.lp"};
  const auto with = [&](const std::string& when, const std::string& action) {
    Words words = edit;
    words.insert(words.end(), {"--when", when, "--do", action});
    return words;
  };
  expect_refused(with("one_step_ahead_goa", "toggle"), "did you mean one_step_ahead_goal?");
  expect_refused(with("one_step_ahead_goal", "togle"), "did you mean toggle?");
  expect_refused(with("one_step_ahead_goal, one_step_ahead_wall", "toggle"),
                 "never holds in door-corridor-t");
  expect_refused(with("one_step_ahead_goal. action(forward)", "toggle"), "more than one condition");
  expect_refused(with("one_step_ahead_goal,", "toggle"), "--when:1:");
  expect_refused({"edit", kProgram, "--when", "one_step_ahead_goal", "--do", "toggle", "-o", "t.pl"},
                 "keep the extension");
}

}  // namespace
}  // namespace ndnf
