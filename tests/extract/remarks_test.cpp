#include "ndnf/extract/remarks.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using ::testing::IsEmpty;

const Selection kArgmax{Selection::Kind::kArgmax, 0};
const Selection kSample{Selection::Kind::kSample, 0};

Program remarked(const std::string& text, Syntax syntax, const std::string& env, const Selection& selection) {
  Program program = parse_program("test", text, syntax);
  add_remarks(program, make_task(env).model(), selection);
  return program;
}

double share(const Statement& statement) { return std::stod(statement.remark); }

/// Three steps to the goal: right, left (swapped), right.
TEST(Remarks, SayHowManyDecisionsARuleTakesPartIn) {
  EXPECT_EQ(to_text(remarked("action(left) :- in_s_1.\naction(right) :- not in_s_1.\n", Syntax::kAsp,
                             "small-corridor", kArgmax)),
            "action(left) :- in_s_1.  % 33.3 % of decisions\n"
            "action(right) :- not in_s_1.  % 66.7 % of decisions\n");
}

TEST(Remarks, PutTheMostGeneralRuleOfEachKindFirst) {
  EXPECT_EQ(to_text(remarked("action(right) :- in_s_0.\n"
                             "odd :- in_s_1.\n"
                             "action(right) :- not odd.\n"
                             "action(left) :- odd.\n",
                             Syntax::kAsp, "small-corridor", kArgmax)),
            "action(right) :- not odd.  % 66.7 % of decisions\n"
            "action(right) :- in_s_0.  % 33.3 % of decisions\n"
            "odd :- in_s_1.  % 33.3 % of decisions\n"
            "action(left) :- odd.  % 33.3 % of decisions\n");
}

TEST(Remarks, OfExclusiveRulesSumUpToAllDecisions) {
  const Program program = remarked(
      "0.1::action(left) ; 0.9::action(right) :- left_wall_present, \\+ right_wall_present.\n"
      "0.6::action(left) ; 0.4::action(right) :- \\+ left_wall_present, \\+ right_wall_present.\n"
      "1::action(left) ; 0::action(right) :- right_wall_present.\n",
      Syntax::kProbLog, "small-corridor:wall", kSample);
  double sum = 0;
  for (const Statement& statement : program.statements) sum += share(statement);
  EXPECT_NEAR(sum, 100, 0.11);
  EXPECT_GT(share(program.statements[0]), 0);
  EXPECT_GT(share(program.statements[1]), 0);
}

/// A policy that always sticks decides once, on the first two cards.
TEST(Remarks, CountVisitsNotObservations) {
  const Program program = remarked("action(stick) :- hand(20).\naction(stick) :- not hand(20).\n",
                                   Syntax::kAsp, "blackjack", kArgmax);
  EXPECT_EQ(std::get<Rule>(program.statements[0].content).body[0].positive, false);
  EXPECT_NEAR(share(program.statements[0]) + share(program.statements[1]), 100, 0.11);
  // 20 of two cards: two ten-valued cards (16/169), or ace and nine (2/169).
  EXPECT_NEAR(share(program.statements[1]), 100 * 18.0 / 169, 0.06);
}

TEST(Remarks, LeaveAProgramThatIsUndefinedWhereItComes) {
  const Program program = remarked("action(right) :- in_s_0.\naction(right) :- not in_s_1.\n", Syntax::kAsp,
                                   "small-corridor", kArgmax);
  EXPECT_THAT(program.statements[0].remark, IsEmpty());
  EXPECT_EQ(std::get<Rule>(program.statements[0].content).body[0].atom, "in_s_0");
}

}  // namespace
}  // namespace ndnf
