#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kProgram = NDNF_SOURCE_DIR "/examples/door-corridor/dc.lp";

const std::string kPlayer =
    "% environment: blackjack\n"
    "% A careful player.\n"
    "strong :- dealer(7..10).   % or an ace\n"
    "strong :- dealer(1).\n"
    "\n"
    "action(stick) :- hand(X), X >= 17.          % enough\n"
    "action(stick) :- hand(12..16), not strong,  % the dealer may bust\n"
    "                 not usable_ace.\n"
    "action(hit) :- hand(X), X <= 11.\n"
    "action(hit) :- hand(12..16), strong.\n"
    "action(hit) :- hand(12..16), not strong, usable_ace.  % soft";

class Edit : public Binary {
 protected:
  /// A program that a person has written.
  void write_player() {
    write("player.lp", kPlayer);
    files_ = file_count();
  }

  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(file_count(), files_);
  }

  std::size_t files_ = 0;
};

/// The text with one line changed and lines added at its end.
std::string changed(std::string text, const std::string& line, const std::string& by,
                    const std::string& added) {
  text.replace(text.find(line), line.size(), by);
  return text + "\n" + added;
}

TEST_F(Edit, LeavesEveryOtherByte) {
  write_player();
  const nlohmann::json edit =
      json({"edit", "player.lp", "--when", "hand(X), X > 15, strong", "--do", "stick", "-o", "e.lp"});
  EXPECT_EQ(read("e.lp"), changed(kPlayer, "hand(12..16), strong.", "hand(12..16), strong, not override_1.",
                                  "\n% edit: stick when hand(X), X > 15, strong\n"
                                  "override_1 :- hand(X), X > 15, strong.\naction(stick) :- override_1.\n"));
  EXPECT_EQ(edit.at("observations"), 60);
  EXPECT_EQ(edit.at("changed"), 10);
  EXPECT_EQ(edit.at("exactly_one"), true);
  EXPECT_EQ(edit.at("return_before"), json({"eval", "player.lp"}).at("return"));
  EXPECT_EQ(edit.at("return_after"), json({"eval", "e.lp"}).at("return"));
  EXPECT_EQ(json({"diff", "player.lp", "e.lp"}).at("changed"), 10);
}

TEST_F(Edit, ARuleThatNothingStandsAgainstNeedsNoName) {
  write_player();
  EXPECT_EQ(ndnf({"edit", "player.lp", "--remove", "8", "-o", "x.lp"}).exit_code, 1);
  json({"edit", "x.lp", "--when", "hand(12..16)", "--do", "stick", "-o", "y.lp"});
  EXPECT_THAT(read("y.lp"), HasSubstr("action(stick) :- override_1.\n"));  // other rules give way
  write("nothing.lp", "% environment: blackjack\naction(hit) :- hand(4..17).\n");
  json({"edit", "nothing.lp", "--when", "hand(18..21)", "--do", "stick", "-o", "s.lp"});
  EXPECT_THAT(read("s.lp"),
              EndsWith("\n\n% edit: stick when hand(18..21)\naction(stick) :- hand(18..21).\n"));
}

TEST_F(Edit, WhatIsSoAlreadyAddsNoRule) {
  write_player();
  const Words edit = {"edit", "player.lp", "--when", "hand(18..20)", "--do", "stick", "-o", "s.lp"};
  EXPECT_THAT(ndnf(edit).output, AllOf(HasSubstr("rules       as they were: they do so already\n"),
                                       HasSubstr("changed     0 reachable observations\n")));
  EXPECT_EQ(read("s.lp"), kPlayer);
  EXPECT_EQ(json(edit).at("already"), true);
  const Words replaced = {
      "edit",   "player.lp",    "--replace", "9",    "--with", "action(hit) :- hand(4..10).",
      "--when", "hand(18..20)", "--do",      "stick"};
  EXPECT_EQ(nlohmann::json::parse(ndnf(with(replaced, {"--json"})).output).at("already"), false);
}

TEST_F(Edit, AConditionIsOneLineWithoutComments) {
  write_player();
  const auto edit = [&](const std::string& when) {
    return ndnf({"edit", "player.lp", "--when", when, "--do", "hit", "-o", "e.lp"});
  };
  const ProcessResult hidden = edit("hand(21) %*\naction(stick) :- hand(4). p(\"*%, 1 < 2 % \").\n");
  EXPECT_EQ(hidden.exit_code, 2);
  EXPECT_THAT(hidden.errors, HasSubstr("--when: a condition has no comments"));
  EXPECT_EQ(edit("hand(21),\n  dealer(2)").exit_code, 0);
  EXPECT_THAT(read("e.lp"), HasSubstr("% edit: hit when hand(21),   dealer(2)\n"));
}

TEST_F(Edit, ShowsTheDifferenceAndItsEffectBeforeItWrites) {
  write_player();
  const ProcessResult shown = ndnf({"edit", "player.lp", "--when", "dealer(1)", "--do", "hit"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(
      shown.output,
      AllOf(HasSubstr("--- player.lp\n+++ player.lp\n@@ -3,9 +3,12 @@\n"),
            HasSubstr("\n-action(stick) :- hand(X), X >= 17.          % enough\n"
                      "+action(stick) :- hand(X), X >= 17, not dealer(1).          % enough\n"),
            HasSubstr("changed     10 reachable observations\n"), HasSubstr("(before -0.0475438847)\n"),
            HasSubstr("check       exactly one action in every reachable observation\n"),
            HasSubstr("not written: name a file with -o\n")));
  EXPECT_EQ(file_count(), files_);
}

TEST_F(Edit, AddsRemovesAndReplacesRules) {
  write_player();
  json({"edit", "player.lp", "--replace", "9", "--with", "action(hit) :- hand(4..11)", "-o", "r.lp"});
  std::string replaced = kPlayer;
  replaced.replace(replaced.find("hand(X), X <= 11"), 16, "hand(4..11)");
  EXPECT_EQ(read("r.lp"), replaced);
  const ProcessResult removed = ndnf({"edit", "player.lp", "--remove", "8", "-o", "x.lp"});
  EXPECT_EQ(removed.exit_code, 1);
  EXPECT_THAT(removed.output,
              HasSubstr("check       FAILS: in hand(12), dealer(2) the policy names no action"));
  std::string without = kPlayer;
  const std::size_t begin = without.find("action(stick) :- hand(12..16)");
  EXPECT_EQ(read("x.lp"), without.erase(begin, without.find("action(hit)") - begin));
  json({"edit", "x.lp", "--add", "action(stick) :- hand(12..16), not strong, not usable_ace.", "-o", "y.lp"});
  EXPECT_EQ(json({"diff", "player.lp", "y.lp"}).at("changed"), 0);
}

TEST_F(Edit, ForbidsAndPrefersActions) {
  write_player();
  json({"edit", "player.lp", "--forbid", "hit", "--when", "hand(16), dealer(10)", "--do", "stick", "-o",
        "f.lp"});
  EXPECT_EQ(read("f.lp"), changed(kPlayer, "hand(12..16), strong.", "hand(12..16), strong, not override_1.",
                                  "\n% edit: not hit when hand(16), dealer(10)\n"
                                  "override_1 :- hand(16), dealer(10).\naction(stick) :- override_1.\n"));
  json({"edit", "player.lp", "--add", "action(stick) :- hand(16).", "--prefer", "stick", "--over", "hit",
        "-o", "p.lp"});
  EXPECT_THAT(read("p.lp"), AllOf(HasSubstr("action(hit) :- hand(12..16), strong, not action(stick).\n"),
                                  HasSubstr("action(hit) :- hand(X), X <= 11.\n")));
  EXPECT_EQ(ndnf({"check", "p.lp"}).exit_code, 0);
  const ProcessResult undefined =
      ndnf({"edit", "player.lp", "--forbid", "hit", "--when", "hand(16), dealer(10)"});
  EXPECT_EQ(undefined.exit_code, 1);
  EXPECT_THAT(undefined.output, HasSubstr("in hand(16), dealer(10) the policy names no action"));
}

TEST_F(Edit, GuardsWholeDisjunctionsAndWhatFollowsACondition) {
  write("d.pl",
        "% environment: blackjack\naction(hit) :- hand(4) ; hand(X), X < 17. % low\n"
        "action(stick) :- hand(X), X >= 17.\n");
  json({"edit", "d.pl", "--when", "dealer(X), X > 9", "--do", "stick", "-o", "e.pl"});
  EXPECT_THAT(read("e.pl"),
              HasSubstr("action(hit) :- ( hand(4) ; hand(X), X < 17), \\+ override_1. % low\n"));
  write("c.lp",
        "% environment: blackjack\naction(hit) :- #false : hand(X), X > 16.\naction(stick) :- not "
        "action(hit).\n");
  json({"edit", "c.lp", "--when", "dealer(10)", "--do", "stick", "-o", "f.lp"});
  EXPECT_THAT(read("f.lp"), HasSubstr("action(hit) :- #false : hand(X), X > 16; not dealer(10).\n"));
}

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
  EXPECT_THAT(
      read("r.lp"),
      AllOf(HasSubstr("override_1 :- hand(20), not dealer(1).\n"),
            HasSubstr("action(hit) :- not usable_ace, not override_1, not override_2.\n"),
            HasSubstr("action(stick) :- override_1.\n"), HasSubstr("action(stick) :- override_2.\n")));
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
  expect_refused(with("one_step_ahead_goal,", "toggle"), "--when:1:21: found .");
  expect_refused(with("not one_step_ahead_goa", "toggle"), "--when:1:1: one_step_ahead_goa is neither");
  expect_refused({"edit", kProgram, "--when", "one_step_ahead_goal", "--do", "toggle", "-o", "t.pl"},
                 "keep the extension");
  expect_refused({"edit", kProgram}, "nothing to change; give --when and --do, or one of --add");
  expect_refused({"edit", kProgram, "--do", "toggle"}, "--do: needs a condition");
  expect_refused({"edit", kProgram, "--remove", "99"}, "has no rule in line 99");
  expect_refused({"edit", kProgram, "--remove", "a_9"}, "has no rule for a_9");
  expect_refused({"edit", kProgram, "--replace", "3"}, "needs as many --with");
  expect_refused({"edit", kProgram, "--add", "a. b."}, "is not one rule");
  expect_refused({"edit", kProgram, "--add", "a_9 :- nowhere."}, "--add:1:8: nowhere is neither observed");
  expect_refused({"edit", kProgram, "--add", "a_9 :- one_step_ahead_goal", "--add", "a_8 :- nowhere"},
                 "--add:2:8: nowhere is neither observed");
  expect_refused({"edit", kProgram, "--prefer", "toggle"}, "needs two actions");
  expect_refused({"edit", kProgram, "--forbid", "togle"}, "did you mean toggle?");
}

}  // namespace
}  // namespace ndnf
