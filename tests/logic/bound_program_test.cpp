#include "ndnf/logic/bound_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/undefined.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

/// Three independent atoms and two actions; observation i has the bits of i.
class Small : public ::testing::Test {
 protected:
  Small() {
    for (std::uint32_t i = 0; i < 8; ++i)
      table_.intern(std::vector<std::uint32_t>{i & 1U, i >> 1U & 1U, i >> 2U & 1U});
  }

  BoundProgram bind(std::string_view text, Syntax syntax) const {
    return {parse_program("p", text, syntax), vocabulary_};
  }
  std::vector<double> row(const BoundProgram& program, ObsId obs) const {
    std::vector<double> row(2);
    program.probabilities(table_, std::vector<ObsId>{obs}, row);
    return row;
  }
  std::string asp_errors(std::string_view text) const {
    return testing::error_of([&] { bind(text, Syntax::kAsp); });
  }
  std::string problog_errors(std::string_view text) const {
    return testing::error_of([&] { bind(text, Syntax::kProbLog); });
  }

  std::shared_ptr<const Vocabulary> vocabulary_ = std::make_shared<Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::single("x"), AtomGroup::single("y"), AtomGroup::single("level(1)")},
      std::vector<std::string>{"left", "right"});
  ObservationTable table_{vocabulary_};
};

TEST_F(Small, ActionsHoldWhereABodyHolds) {
  const BoundProgram program =
      bind("action(left) :- x, not y. action(right) :- level(1). action(right) :- y.", Syntax::kAsp);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 0));
  EXPECT_THAT(row(program, 1), ElementsAre(1, 0));
  EXPECT_THAT(row(program, 5), ElementsAre(1, 1));
  EXPECT_THAT(row(program, 7), ElementsAre(0, 1));
}

TEST_F(Small, DerivedAtomsMayComeInAnyOrderAndUnderNegation) {
  const BoundProgram program =
      bind("action(left) :- not c. c :- a, not b. b :- y. a :- x. a :- not level(1).", Syntax::kAsp);
  for (ObsId obs = 0; obs < 8; ++obs) {
    const bool x = obs & 1U, y = obs >> 1U & 1U, level = obs >> 2U & 1U;
    EXPECT_EQ(row(program, obs)[0], (x || !level) && !y ? 0 : 1) << obs;
  }
}

TEST_F(Small, ABodyMayAskForAnAction) {
  const BoundProgram program = bind("action(right) :- not action(left). action(left) :- x.", Syntax::kAsp);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 1));
  EXPECT_THAT(row(program, 1), ElementsAre(1, 0));
}

TEST_F(Small, AContradictionNeverHoldsAndAFactAlways) {
  const BoundProgram program = bind("action(left) :- x, not x. action(right).", Syntax::kAsp);
  for (ObsId obs = 0; obs < 8; ++obs) EXPECT_THAT(row(program, obs), ElementsAre(0, 1));
}

TEST_F(Small, OverlappingDisjunctionsAreANoisyOr) {
  const BoundProgram program =
      bind("0.3::action(left) ; 0.7::action(right) :- x. 0.6::action(left) ; 0.4::action(right) :- y.",
           Syntax::kProbLog);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 0));
  EXPECT_THAT(row(program, 1), ElementsAre(0.3, 0.7));
  EXPECT_THAT(row(program, 3), Pointwise(DoubleEq(), {0.72, 0.82}));
}

TEST_F(Small, FactsWhoseNumbersAddUpToOneAreNoDistribution) {
  const BoundProgram program = bind("0.3::action(left). 0.7::action(right).", Syntax::kProbLog);
  EXPECT_THAT(row(program, 0), ElementsAre(0.3, 0.7));
  const PolicyTable rows = tabulate(program, table_);
  EXPECT_FALSE(rows.defined(0));
  EXPECT_EQ(rows.defect(0), "takes exactly one action with a probability of 0.58 only");
  const PolicyTable best = select(rows, Selection::parse("", "argmax"));
  EXPECT_FALSE(best.defined(0));
  const ActionMask all(2, std::vector<std::uint64_t>(8, 3));
  EXPECT_FALSE(all.apply(rows).defined(0));
}

TEST_F(Small, WhatIsCertainMayBeSaidTwice) {
  const BoundProgram program = bind(
      "action(left) :- x. 0.25::action(left) :- y. 0::action(right) :- y. 0.5::action(right) :- level(1).",
      Syntax::kProbLog);
  const PolicyTable rows = tabulate(program, table_);
  EXPECT_TRUE(rows.defined(1));
  EXPECT_TRUE(rows.defined(3));
  EXPECT_FALSE(rows.defined(2));
  EXPECT_FALSE(rows.defined(5));
  const ActionMask left(2, std::vector<std::uint64_t>(8, 1));
  EXPECT_TRUE(left.apply(rows).defined(5));
  EXPECT_FALSE(left.apply(rows).defined(2));
}

TEST_F(Small, TwoCertainActionsAreTwo) {
  const PolicyTable rows = tabulate(bind("action(left) :- x. action(right) :- x.", Syntax::kProbLog), table_);
  EXPECT_EQ(rows.defect(1), "names 2 actions");
}

TEST_F(Small, AlternativesForOneActionAddUpAndNoAnnotationMeansCertain) {
  const BoundProgram program = bind(
      "0.25::action(left) ; 0.5::action(left) :- d.\nd :- \\+ x.\naction(right) :- y.\n0.125::action(right).",
      Syntax::kProbLog);
  EXPECT_THAT(row(program, 0), ElementsAre(0.75, 0.125));
  EXPECT_THAT(row(program, 3), ElementsAre(0, 1));
}

TEST_F(Small, TellsWhichStatementsFire) {
  const BoundProgram program = bind(
      "#show action/1. action(left) :- c. c :- x. c :- y. action(right) :- not action(left).", Syntax::kAsp);
  EXPECT_THAT(program.fired(table_, 0), ElementsAre(4));
  EXPECT_THAT(program.fired(table_, 1), ElementsAre(1, 2));
  EXPECT_THAT(program.fired(table_, 3), ElementsAre(1, 2, 3));
}

TEST_F(Small, UnknownNamesComeWithTheNearest) {
  EXPECT_EQ(asp_errors("action(lfet) :- leve(1).\naction(right) :- helper, not helpers. helper :- x."),
            "p:1:1: the task has no action lfet; did you mean left?\n"
            "p:1:17: leve(1) is neither observed nor the head of a rule; did you mean level(1)?\n"
            "p:2:26: helpers is neither observed nor the head of a rule; did you mean helper?");
}

TEST_F(Small, DefinedAtomsMayBeMissing) {
  const BoundProgram program =
      bind("#defined p/1. action(left) :- not p(1). action(right) :- p(2).", Syntax::kAsp);
  EXPECT_THAT(row(program, 0), ElementsAre(1, 0));
  EXPECT_THAT(asp_errors("#defined p/2. action(left) :- not p(1)."), HasSubstr("p(1) is neither"));
}

TEST_F(Small, AViolatedConstraintLeavesNoAction) {
  const BoundProgram program =
      bind("action(left) :- x. action(right) :- not x.\n:- action(left), y.\n:- level(1), not x, not y.",
           Syntax::kAsp);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 1));
  EXPECT_THAT(row(program, 1), ElementsAre(1, 0));
  EXPECT_THAT(row(program, 3), ElementsAre(0, 0));
  EXPECT_THAT(row(program, 4), ElementsAre(0, 0));
  EXPECT_THAT(program.fired(table_, 3), ElementsAre(0, 2));
  EXPECT_FALSE(program.decides_by_rules());
}

TEST_F(Small, HelpersWithProbabilitiesAreAveragedOverTheirWorlds) {
  const BoundProgram coin =
      bind("0.3::coin. action(left) :- coin. action(right) :- \\+ coin.", Syntax::kProbLog);
  EXPECT_THAT(row(coin, 0), ElementsAre(DoubleEq(0.3), DoubleEq(0.7)));
  EXPECT_THAT(coin.exactly_one(table_, std::vector<ObsId>{0})[0], DoubleEq(1));
  const BoundProgram chain = bind(
      "0.5::a ; 0.25::b :- x. 0.4::c :- a. 0.5::action(left) :- c. action(right) :- b. action(right) :- c.",
      Syntax::kProbLog);
  EXPECT_THAT(row(chain, 0), ElementsAre(0, 0));
  EXPECT_THAT(row(chain, 1), ElementsAre(DoubleEq(0.1), DoubleEq(0.45)));
  // a, c: both actions with 1/2, else right alone; b: right alone; otherwise none
  EXPECT_THAT(chain.exactly_one(table_, std::vector<ObsId>{1})[0], DoubleEq(0.1 + 0.25));
  const BoundProgram drawn = bind("0.3::action(left). action(right) :- \\+ action(left).", Syntax::kProbLog);
  EXPECT_THAT(row(drawn, 0), ElementsAre(DoubleEq(0.3), DoubleEq(0.7)));
}

TEST_F(Small, TooManyWorldsAreAnError) {
  std::string text = "action(left) :- x";
  std::string unused;
  for (int i = 0; i < 20; ++i) {
    text += fmt::format(", c({})", i);
    unused += fmt::format("0.5::d({}).\n", i);
  }
  text += ".\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("0.5::c({}) :- x.\n", i);
  const BoundProgram program = bind(text + unused, Syntax::kProbLog);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 0));
  EXPECT_THAT(testing::error_of([&] { row(program, 1); }), HasSubstr("more than 65536 possible worlds"));
}

TEST_F(Small, RecursionIsNamed) {
  EXPECT_EQ(
      asp_errors("a :- b. b :- not c. c :- x, a. action(left) :- a."),
      "p:1:1: recursion is not supported: a → b → c → a; a policy has exactly one answer, and an atom that "
      "depends on itself may have none or several");
  EXPECT_THAT(asp_errors("a :- a."), HasSubstr("a → a"));
  EXPECT_THAT(asp_errors("action(left) :- not action(right). action(right) :- not action(left)."),
              HasSubstr("action(left) → action(right) → action(left)"));
}

TEST_F(Small, RejectsHeadsThatMakeNoPolicy) {
  EXPECT_THAT(asp_errors("x :- y."), HasSubstr("x is observed, expected an action or a new name as head"));
  Program program = parse_program("p", "0.5::action(left).", Syntax::kProbLog);
  program.syntax = Syntax::kAsp;
  EXPECT_THAT(testing::error_of([&] { BoundProgram(program, vocabulary_); }),
              HasSubstr("expected none in ASP"));
  program.syntax = Syntax::kProbLog;
  std::get<Rule>(program.statements[0].content).heads[0].probability = 1.5;
  EXPECT_THAT(testing::error_of([&] { BoundProgram(program, vocabulary_); }),
              HasSubstr("expected one from 0 to 1"));
  program = parse_program("p", "0.5::action(left) ; 0.5::action(right).", Syntax::kProbLog);
  std::get<Rule>(program.statements[0].content).heads[0].probability = 0.75;
  EXPECT_THAT(testing::error_of([&] { BoundProgram(program, vocabulary_); }),
              HasSubstr("the probabilities sum to 1.25, expected at most 1"));
  std::get<Rule>(program.statements[0].content).heads[0].annotated = false;
  EXPECT_THAT(testing::error_of([&] { BoundProgram(program, vocabulary_); }),
              HasSubstr("action(left) has no probability, expected one for each alternative"));
  std::get<Rule>(program.statements[0].content).heads.clear();
  EXPECT_THAT(testing::error_of([&] { BoundProgram(program, vocabulary_); }),
              HasSubstr("the rule has 0 heads, expected one"));
}

TEST_F(Small, RefusesATableOfAnotherTask) {
  const BoundProgram program = bind("action(left).", Syntax::kAsp);
  const Task other = make_task("small-corridor");
  std::vector<double> out(2);
  EXPECT_THAT(testing::error_of(
                  [&] { program.probabilities(other.model().observations(), std::vector<ObsId>{0}, out); }),
              HasSubstr("another task"));
}

TEST_F(Small, ALongChainOfDefinitionsIsNoProblem) {
  std::string text = "action(left) :- a_0.\n";
  for (int i = 0; i < 100000; ++i)
    text += "a_" + std::to_string(i) + " :- not a_" + std::to_string(i + 1) + ".\n";
  const BoundProgram program = bind(text + "a_100000 :- x.", Syntax::kAsp);
  EXPECT_THAT(row(program, 0), ElementsAre(0, 0));
  EXPECT_THAT(row(program, 1), ElementsAre(1, 0));
}

/// Atoms are looked up 64 at a time; p_0 and p_69 are in different words.
TEST(ManyAtoms, RulesMayLookAtAnyNumberOfWords) {
  std::vector<AtomGroup> groups;
  for (int i = 0; i < 70; ++i) groups.push_back(AtomGroup::single("p_" + std::to_string(i)));
  const auto vocabulary = std::make_shared<Vocabulary>(groups, std::vector<std::string>{"left", "right"});
  ObservationTable table(vocabulary);
  std::vector<ObsId> ids;
  for (const auto& [first, last] : {std::pair{0U, 0U}, {1U, 0U}, {0U, 1U}, {1U, 1U}}) {
    std::vector<std::uint32_t> values(70, 0);
    values[0] = first;
    values[69] = last;
    ids.push_back(table.intern(values));
  }
  const auto rows = [&](std::string_view text) {
    std::vector<double> all(2 * ids.size());
    BoundProgram(parse_program("p", text, Syntax::kAsp), vocabulary).probabilities(table, ids, all);
    return all;
  };
  EXPECT_THAT(rows("action(left) :- p_0, p_69. action(right)."), ElementsAre(0, 1, 0, 1, 0, 1, 1, 1));
  EXPECT_THAT(rows("action(right). action(left) :- p_0, not p_69."), ElementsAre(0, 1, 1, 1, 0, 1, 0, 1));
  EXPECT_THAT(rows("a. b :- p_69, p_0. action(left) :- a. action(right) :- b, a."),
              ElementsAre(1, 0, 1, 0, 1, 0, 1, 1));
}

/// The paper's programs on the tasks they were made for.
PolicyTable policy(const Task& environment, std::string_view text, Syntax syntax) {
  const ObservationTable& table = environment.model().observations();
  return tabulate(BoundProgram(parse_program("paper", text, syntax), table.shared_vocabulary()), table);
}

TEST(PaperPrograms, SmallCorridorHasExactlyOneActionEverywhere) {
  const Task environment = make_task("small-corridor");
  const PolicyTable rows =
      policy(environment, "action(left) :- in_s_1.    action(right) :- not in_s_1.", Syntax::kAsp);
  EXPECT_EQ(
      find_undefined(rows, environment.model().observations(), reachable(environment.model()).observations),
      std::nullopt);
}

TEST(PaperPrograms, DoorCorridorNamesNoActionInTwelveReachableImages) {
  const Task environment = make_task("door-corridor");
  const PolicyTable rows =
      policy(environment,
             "action(turn_right) :- a_5, a_8. action(forward) :- a_2. action(toggle) :- a_3.\n"
             "a_2 :- top_right_corner_wall. a_3 :- one_step_ahead_closed_door.\n"
             "a_5 :- not curr_location_open_door,\n not one_step_ahead_closed_door.\n"
             "a_8 :- two_step_ahead_unseen.",
             Syntax::kAsp);
  const std::vector<ObsId> scope = reachable(environment.model()).observations;
  EXPECT_EQ(scope.size(), 27U);
  std::size_t none = 0;
  for (const ObsId obs : scope) none += rows.defect(obs) == "names no action" ? 1 : 0;
  EXPECT_EQ(none, 12U);
  const auto witness = find_undefined(rows, environment.model().observations(), scope);
  ASSERT_TRUE(witness.has_value());
  EXPECT_FALSE(rows.defined(witness->obs));
  EXPECT_THAT(witness->sentence, HasSubstr("the policy names no action"));
}

TEST(PaperPrograms, LongCorridorPoliciesAreWhatTheyAnnotate) {
  const Task environment = make_task("long-corridor-11:wall");
  const PolicyTable rows =
      policy(environment,
             "0.244::action(left) ; 0.756::action(right) :-\n    \\+ right_wall_present.\n"
             "0.756::action(left) ; 0.244::action(right) :-\n    right_wall_present.",
             Syntax::kProbLog);
  for (ObsId obs = 0; obs < rows.size(); ++obs) {
    EXPECT_THAT(rows.row(obs)[0], ::testing::AnyOf(0.244, 0.756));
    EXPECT_TRUE(rows.defined(obs));
  }
}

}  // namespace
}  // namespace ndnf
