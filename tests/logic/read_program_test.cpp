#include "ndnf/logic/read_program.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/solvers/grounder.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "solvers/raw_solver_text.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Task& blackjack() {
  static const Task environment = make_task("blackjack");
  return environment;
}
const Vocabulary& vocabulary() { return blackjack().model().observations().vocabulary(); }

Program ground(std::string_view text) { return ground_program("b.lp", text, Syntax::kAsp, vocabulary()); }
std::string errors(std::string_view text) {
  return testing::error_of([&] { ground(text); });
}

TEST(Grounding, RulesWithVariablesBecomeTheirInstances) {
  const Program program = ground(
      "% Early\n"
      "action(hit) :- hand(X), X < 2.  % always\n"
      "#show action/1.\n"
      "% Late\n"
      "  action(stick) :- hand(30..31), not usable_ace.\n"
      "action(hit) :- usable_ace.\n");
  ASSERT_EQ(program.statements.size(), 6U);
  EXPECT_EQ(to_text(program),
            "% Early\n"
            "action(hit) :- hand(0).  % always\n"
            "action(hit) :- hand(1).\n"
            "#show action/1.\n"
            "% Late\n"
            "action(stick) :- not usable_ace, hand(30).\n"
            "action(stick) :- not usable_ace, hand(31).\n"
            "action(hit) :- usable_ace.\n");
  const Rule& late = std::get<Rule>(program.statements[4].content);
  EXPECT_EQ(late.place.line, 5U);
  EXPECT_EQ(late.place.column, 3U);
}

TEST(Grounding, HelpersArithmeticAndComparisonsAgreeWithRealClingo) {
  const std::string text =
      "% The sum seen by a person.\n"
      "near(X+1) :- hand(X), X > 15. strong(9..10). strong(1).\n"
      "weak :- dealer(D), not strong(D), 2*D != 14.\n"
      "action(stick) :- near(Y), Y >= 18 - 1. action(stick) :- weak, hand(12;13).\n"
      "action(hit) :- not action(stick).\n";
  const ObservationTable& table = blackjack().model().observations();
  const BoundProgram program(ground(text), table.shared_vocabulary());
  const PolicyTable ours = tabulate(program, table);
  const std::vector<ObsId> ids = reachable(blackjack().model()).observations;
  const PolicyTable real = evaluate_with_clingo(raw_text(text), table, ids);
  std::size_t sticks = 0;
  for (const ObsId obs : ids) {
    ASSERT_TRUE(ours.defined(obs)) << table.describe(obs);
    EXPECT_EQ(ours.argmax(obs), real.argmax(obs)) << table.describe(obs);
    sticks += ours.argmax(obs) == 0 ? 1 : 0;
  }
  EXPECT_GT(sticks, 50U);
  EXPECT_LT(sticks, 250U);
}

TEST(Grounding, ARuleWithoutInstancesLeavesAComment) {
  EXPECT_EQ(to_text(ground("% Never\naction(hit) :- hand(X),\n X > 99.\naction(stick).")),
            "% Never\n% no instance: action(hit) :- hand(X), X > 99.\naction(stick).\n");
}

TEST(Grounding, TheLeastNumberOfClingoIsNamedWithTheFile) {
  EXPECT_THAT(errors("n(-2147483647-1). action(hit) :- n(X), X < 0. action(stick) :- not action(hit)."),
              HasSubstr("b.lp: a sum in it is -2147483648"));
}

TEST(Grounding, UnsafeVariablesAreNamedWhereTheyStand) {
  EXPECT_EQ(
      errors("action(stick).\n\n  action(hit) :- hand(Y),\n    not dealer(X), Y < 3. action(hit) :- Z < 3."),
      "b.lp:4:16: X is unsafe, expected it in a positive body atom, too\n"
      "b.lp:4:42: Z is unsafe, expected it in a positive body atom, too");
}

TEST(Grounding, APoolGivesAValueOnlyIfAllItsPartsDo) {
  EXPECT_EQ(errors("action(hit) :- hand((X;3)), X < 3."),
            "b.lp:1:22: X is unsafe, expected it in a positive body atom, too");
}

TEST(Grounding, ANegatedVariableGetsItsValueFromAnAtom) {
  EXPECT_EQ(errors("action(hit) :- hand(-X), X > -9. action(stick) :- hand(X), X >= 9."), "");
}

TEST(Grounding, UnknownAtomsAreReportedInsteadOfVanishing) {
  EXPECT_THAT(errors("action(hit) :- hnd(X), X < 3."),
              HasSubstr("b.lp:1:16: hnd(X) is neither observed nor the head of a rule; did you mean hand("));
  EXPECT_THAT(errors("action(hit) :- hand(X), dealer(11), X < 3."), HasSubstr("dealer(11) is neither"));
  EXPECT_THAT(errors("weak :- hand(3). action(hit) :- hand(X), not wek."), HasSubstr("did you mean weak?"));
  EXPECT_THAT(errors("weak(X) :- hand(X), X < 9. action(hit) :- hand(X), wek(X)."),
              HasSubstr("wek(X) is neither observed nor the head of a rule; did you mean weak(X)?"));
  EXPECT_THAT(errors("action(hit) :- hand(X), usable, X < 3."), HasSubstr("usable is neither"));
  EXPECT_EQ(errors("#defined extra/1. action(hit) :- hand(X), not extra(X)."), "");
  EXPECT_EQ(errors("ok :- usable_ace. action(hit) :- hand(X), ok, X = 3."), "");
}

TEST(Grounding, RefusesWhatMakesNoNormalRule) {
  EXPECT_THAT(errors("action(X) : hand(X)."), HasSubstr("b.lp:1:11: conditions in heads are not supported"));
  EXPECT_THAT(errors("a :- #count {X : hnd(X)} > 3."), HasSubstr("b.lp:1:18: hnd(X) is neither observed"));
  EXPECT_THAT(errors("a :- #count {X : hand(Y)} > 3."), HasSubstr("b.lp:1:14: X is unsafe"));
  EXPECT_THAT(errors("a :- hand(X) : dealer(Y); hand(3)."), HasSubstr("b.lp:1:11: X is unsafe"));
  EXPECT_THAT(errors("a :- #min {red : hand(3); 1 : hand(4)} = 1."),
              HasSubstr("b.lp:1:1: the terms of #min and #max must be"));
  EXPECT_THAT(errors("a(X) :- X = @f(1)."), HasSubstr("calls of scripts `@f(…)` are not supported"));
  EXPECT_THAT(errors("a(X) :- hand(X."), HasSubstr("because the bracket at 1:13 is not closed"));
  EXPECT_THAT(errors("a(X) ; b(X) :- hand(X)."), HasSubstr("disjunctions in heads are not supported"));
  EXPECT_THAT(errors("a :- hand(X), X."), HasSubstr("expected a comparison"));
}

/// The instances without comments, one per line.
std::string instances(std::string_view text) { return to_text(ground(text)); }

TEST(Grounding, AnUnderscoreIsAnotherVariableEachTime) {
  EXPECT_EQ(instances("p(1). p(2). q(A) :- p(A), p(_), A != 2."),
            "p(1).\np(2).\nq(1) :- p(1).\nq(1) :- p(2), p(1).\n");
  const Program hands = ground("action(hit) :- hand(_).");
  EXPECT_EQ(hands.statements.size(), 32U);
  const Program none = ground("action(hit) :- not hand(_), not dealer(_).");
  ASSERT_EQ(none.statements.size(), 1U);
  EXPECT_EQ(std::get<Rule>(none.statements[0].content).body.size(), 32U + 11U);
  EXPECT_THAT(errors("p(_) :- usable_ace."), HasSubstr("b.lp:1:3: this _ is unsafe"));
}

TEST(Grounding, UnderNotAnUnderscoreSaysThatNoSuchAtomHolds) {
  EXPECT_EQ(instances("at(1,2) :- usable_ace. at(1,3) :- hand(3). action(hit) :- not at(1,_), not at(2,_)."),
            "at(1,2) :- usable_ace.\nat(1,3) :- hand(3).\n"
            "action(hit) :- not at(1,2), not at(1,3).\n");
}

TEST(Grounding, TuplesAreTerms) {
  EXPECT_EQ(instances("at((X,Y)) :- X = 1..2, Y = (a;b), (X,Y) != (1,b). action(hit) :- at((1,_))."),
            "at((1,a)).\nat((2,a)).\nat((2,b)).\naction(hit) :- at((1,a)).\n");
}

TEST(Grounding, QuotedTextsKeepTheirOrderAndComeBack) {
  EXPECT_EQ(instances("p(\"a b\"). p(\"a!\"). p(\"a\"). q(X) :- p(X), X > \"a\", X != \"z \"."),
            "p(\"a b\").\np(\"a!\").\np(\"a\").\nq(\"a b\") :- p(\"a b\").\nq(\"a!\") :- p(\"a!\").\n");
}

TEST(Grounding, AHeadWithoutInstancesIsFalse) {
  const std::string text =
      "late(X) :- hand(X), X > 99.\naction(stick) :- late(3).\naction(hit) :- not late(3), not late(_).\n";
  EXPECT_EQ(instances(text),
            "% no instance: late(X) :- hand(X), X > 99.\naction(stick) :- late(3).\naction(hit).\n"
            "#defined late/1.\n");
  const Program again = parse_program("again", instances(text), Syntax::kAsp);
  for (const Program& program : {ground(text), again}) {
    const PolicyTable rows =
        tabulate(BoundProgram(program, blackjack().model().observations().shared_vocabulary()),
                 blackjack().model().observations());
    for (ObsId obs = 0; obs < rows.size(); ++obs) EXPECT_EQ(rows.argmax(obs), 1U);
  }
}

TEST(Grounding, AMisspeltNameUnderNotIsReported) {
  const auto unknown = [](std::string_view rest) {
    return HasSubstr(fmt::format("{} is neither observed nor the head of a rule", rest));
  };
  EXPECT_THAT(errors("action(hit) :- hand(X), X < 3, not usable_ac."), unknown("b.lp:1:32: usable_ac"));
  EXPECT_THAT(errors("action(hit) :- hand(X), X < 3, not dealer(11)."), unknown("b.lp:1:32: dealer(11)"));
  EXPECT_THAT(errors("strong(1). action(hit) :- hand(X), not strong(2)."), unknown("b.lp:1:36: strong(2)"));
  EXPECT_THAT(errors("action(hit) :- hand(X), not dealr(X)."), unknown("b.lp:1:25: dealr(X)"));
  EXPECT_THAT(errors("action(hit) :- hand(X), not dealer(X,1)."), unknown("b.lp:1:25: dealer(X,1)"));
  EXPECT_THAT(errors("action(hit) :- not dealer(10..11)."), unknown("b.lp:1:16: dealer(11)"));
  EXPECT_THAT(errors("action(hit) :- not dealer(5+6)."), unknown("b.lp:1:16: dealer(11)"));
  EXPECT_THAT(errors("action(hit) :- not dealer(1;12)."), unknown("b.lp:1:16: dealer(12)"));
  EXPECT_THAT(errors("action(A) :- go(A). go(hit) :- hand(1). go(stick) :- not action(hti)."),
              unknown("b.lp:1:54: action(hti)"));
  EXPECT_THAT(errors("action(hit) :- hand(X), X < 3. action(stick) :- not usabel_ace."),
              unknown("b.lp:1:49: usabel_ace"));
}

TEST(Grounding, OneMistakeIsReportedOnce) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n') + 1; };
  const std::string action = errors("action(hti) :- hand(X), X < 9.");
  EXPECT_EQ(action, "b.lp:1:1: the task has no action hti; did you mean hit?");
  EXPECT_THAT(errors("action(X) :- hand(X)."), HasSubstr("b.lp:1:1: the task has no action 0"));
  EXPECT_EQ(lines(errors("action(X) :- hand(X).")), 1);
  EXPECT_EQ(errors("hand(X) :- dealer(X)."),
            "b.lp:1:1: hand(0) is observed, expected an action or a new name as head");
  EXPECT_EQ(lines(errors("action(hit) :- hnd(X), X < 3. action(stick) :- hnd(X), X > 3.")), 1);
  const Program cycle = ground("p(X) :- q(X). q(X) :- hand(X), not p(X). action(hit) :- p(3).");
  EXPECT_EQ(
      testing::error_of([&] { BoundProgram(cycle, blackjack().model().observations().shared_vocabulary()); }),
      "b.lp:1:1: recursion is not supported: p(0) → q(0) → p(0); a policy has exactly one answer, and an "
      "atom "
      "that depends on itself may have none or several");
}

TEST(Grounding, WhatHasNoEndNamesItsRule) {
  const auto report = [](std::string_view text, GroundingLimits limits) {
    Mistakes mistakes("b.lp");
    ground(parse_open_program("b.lp", text, Syntax::kAsp, mistakes), vocabulary(), mistakes, limits);
    return testing::error_of([&] { mistakes.throw_if_any(); });
  };
  const GroundingLimits small{std::chrono::seconds(20), 1u << 20};
  EXPECT_THAT(
      report("p(0) :- usable_ace.\nq(X) :- hand(X).\n  p(X+1) :- p(X).\naction(hit) :- p(9).", small),
      ::testing::MatchesRegex("b.lp:3:3: grounding this rule does not terminate: it has at least [0-9]+ "
                              "instances, expected all rules together to take at most 20 seconds and 1 MB"));
  EXPECT_THAT(report("p(a).\np(f(X)) :- p(X).", small), HasSubstr("b.lp:2:1: grounding this rule"));
  EXPECT_THAT(report("q(X) :- hand(X).\np(A,B,C,D,E) :- hand(A), hand(B), hand(C), hand(D), hand(E).", small),
              HasSubstr("b.lp:2:1: grounding this rule"));
  const GroundingLimits brief{std::chrono::milliseconds(300), 1u << 20};
  EXPECT_THAT(report("q(X) :- hand(X).\np :- hand(A), hand(B), hand(C), hand(D), hand(E), hand(F), hand(G), "
                     "A+B+C+D+E+F+G < 0.",
                     brief),
              HasSubstr("b.lp:2:1: grounding this rule does not terminate: it has at least 0 instances"));
  EXPECT_EQ(report("p(0) :- usable_ace. p(X+1) :- p(X), X < 5. action(hit) :- p(3).", small), "");
}

TEST(Grounding, GroundProgramsNeedNoClingo) {
  ::setenv("NDNF_CLINGO", "/nowhere/clingo", 1);
  EXPECT_EQ(errors("action(hit) :- hand(3)."), "");
  EXPECT_THAT(errors("action(hit) :- hand(X)."), HasSubstr("install clingo"));
  ::unsetenv("NDNF_CLINGO");
}

class ProgramFile : public ::testing::Test {
 protected:
  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(ProgramFile, ItsNameTellsTheLanguage) {
  write_file(folder_ / "a.lp", "action(hit) :- not usable_ace.");
  write_file(folder_ / "a.pl", "0.5::action(hit) :- \\+ usable_ace.");
  write_file(folder_ / "a.txt", "");
  EXPECT_EQ(read_program(folder_ / "a.lp", vocabulary()).syntax, Syntax::kAsp);
  EXPECT_EQ(read_program(folder_ / "a.pl", vocabulary()).syntax, Syntax::kProbLog);
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "a.txt", vocabulary()); }),
              HasSubstr("ASP programs end in .lp"));
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "b.lp", vocabulary()); }),
              HasSubstr("cannot be read"));
}

TEST_F(ProgramFile, IsRefusedByItsSizeBeforeItIsRead) {
  std::ofstream(folder_ / "big.lp").put('a');
  std::filesystem::resize_file(folder_ / "big.lp", 100u << 20);  // takes no room on the disk
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "big.lp", vocabulary()); }),
              HasSubstr("the program has 104857600 bytes; the limit is 16 MB"));
}

}  // namespace
}  // namespace ndnf
