#include "ndnf/verify/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/optimum.h"
#include "properties/replay.h"
#include "properties/tasks.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A program with everything that a check needs.
struct Subject {
  Subject(const std::string& spec, const std::string& text, Syntax syntax)
      : model(make_task(spec).model()),
        program(parse_program("test", text, syntax)),
        bound(program, model.observations().shared_vocabulary()),
        policy(tabulate(bound, model.observations())) {}

  std::vector<CheckResult> check(CheckScope scope, const std::string& property) const {
    const CheckSubject subject{model, policy, &program, &bound};
    std::vector<CheckResult> results = check_rows(subject, scope);
    std::vector<Property> properties;
    if (!property.empty()) properties.push_back(parse_property("", property, model));
    for (CheckResult& result : check_properties(subject, properties)) results.push_back(std::move(result));
    return results;
  }

  FiniteModel model;
  Program program;
  BoundProgram bound;
  PolicyTable policy;
};

std::vector<std::string> failed(const std::vector<CheckResult>& results) {
  std::vector<std::string> names;
  for (const CheckResult& result : results) {
    if (!result.holds()) names.push_back(result.name);
  }
  return names;
}

/// A good program and the requirement it meets.
struct Base {
  std::string name;
  std::string spec;
  std::string text;
  std::string property;
  CheckScope scope = CheckScope::kReachable;
  Syntax syntax = Syntax::kAsp;
};

std::string range(const std::string& before, int first, int last, const std::string& after) {
  std::string text;
  for (int i = first; i <= last; ++i) text += before + std::to_string(i) + after + "\n";
  return text;
}

/// One rule per reachable observation of the optimal policy.
std::string taxi_program() {
  const FiniteModel model = make_task("taxi:obs=factored").model();
  const PolicyTable policy = find_optimum(model).policy;
  std::string text;
  for (const ObsId obs : reachable(model).observations) {
    text += "action(" + model.vocabulary().action_name(policy.argmax(obs)) + ") :- " +
            model.observations().describe(obs) + ".\n";
  }
  return text;
}

const Base& base(const std::string& name) {
  static const std::vector<Base> bases = {
      {"corridor", "small-corridor", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n",
       "P>=1 [F<=3 \"goal\"]"},
      {"long corridor", "long-corridor-5", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n",
       "R{\"return\"}>=-4 [C]"},
      {"blackjack", "blackjack",
       range("action(hit) :- hand(", 4, 16, ").") + range("action(stick) :- hand(", 17, 21, ")."),
       "never action(hit) when hand(20) | hand(21)"},
      {"random blackjack", "blackjack",
       range("0.9::action(hit); 0.1::action(stick) :- hand(", 4, 16, ").") +
           range("action(stick) :- hand(", 17, 21, ")."),
       "P<=0.3 [F \"bust\"]", CheckScope::kReachable, Syntax::kProbLog},
      {"doors", "door-corridor",
       "action(turn_right) :- a_5, a_8.\naction(forward) :- a_2.\naction(toggle) :- a_3.\n"
       "a_2 :- top_right_corner_wall.\na_3 :- one_step_ahead_closed_door.\n"
       "a_5 :- not curr_location_open_door, not one_step_ahead_closed_door.\na_8 :- two_step_ahead_unseen.\n",
       "P>=1 [F<=8 \"goal\"]", CheckScope::kVisited},
      {"taxi", "taxi:obs=factored", taxi_program(), "P>=1 [F \"at_destination\"]"},
      {"careful taxi", "taxi:obs=factored", taxi_program(), "never action(dropoff) when !\"in_taxi\""}};
  return *std::find_if(bases.begin(), bases.end(), [&](const Base& b) { return b.name == name; });
}

/// A plausible manual edit: `before` becomes `after` (or `after` is added at the end).
struct Bug {
  std::string base;
  std::string before;
  std::string after;
  std::string check;    ///< The check that must fail; "property" for the base's own.
  std::string witness;  ///< Part of what it must say.

  friend std::ostream& operator<<(std::ostream& out, const Bug& bug) {
    return out << bug.base << ": " << bug.check << ": " << bug.after;
  }
};

std::string edited(const Bug& bug) {
  std::string text = base(bug.base).text;
  if (bug.before.empty()) return text + bug.after;
  const std::size_t at = text.find(bug.before);
  EXPECT_NE(at, std::string::npos) << bug.before;
  return text.replace(at, bug.before.size(), bug.after);
}

class PlantedBug : public ::testing::TestWithParam<Bug> {};

TEST_P(PlantedBug, IsFoundWithATraceThatReplays) {
  const Bug& bug = GetParam();
  const Base& good = base(bug.base);
  const Subject subject(good.spec, edited(bug), good.syntax);
  const auto results = subject.check(good.scope, good.property);
  const std::string name = bug.check == "property" ? good.property : bug.check;
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const CheckResult& result) { return result.name == name; });
  ASSERT_NE(found, results.end());
  EXPECT_FALSE(found->holds());
  EXPECT_THAT(found->witness, HasSubstr(bug.witness));
  if (name == "dead-rules") return;  // what never happens has no trace
  ASSERT_TRUE(found->trace);
  const bool any_action = !found->property && good.scope == CheckScope::kReachable;
  EXPECT_TRUE(testing::replays(*found->trace, subject.model, any_action ? nullptr : &subject.policy));
  if (name == "exactly-one" || name == "sums-to-1" || name == "coverage") {
    const ObsId obs = subject.model.observation(found->trace->steps.back().state);
    EXPECT_FALSE(subject.policy.defined(obs));
    EXPECT_THAT(found->witness, HasSubstr(subject.model.observations().describe(obs)));
  }
}

TEST(Check, EveryBaseOfTheBugsIsFlawless) {
  for (const char* name :
       {"corridor", "long corridor", "blackjack", "random blackjack", "doors", "taxi", "careful taxi"}) {
    const Base& good = base(name);
    const Subject subject(good.spec, good.text, good.syntax);
    EXPECT_THAT(failed(subject.check(good.scope, good.property)), IsEmpty()) << name;
  }
}

const std::string kTwo = "names 2 actions";
const std::string kNone = "names no action";

INSTANTIATE_TEST_SUITE_P(
    Check, PlantedBug,
    ::testing::Values(
        Bug{"corridor", "", "action(left) :- in_s_2.", "exactly-one", kTwo},
        Bug{"corridor", "not in_s_1", "not in_s_1, not in_s_2", "coverage", kNone},
        Bug{"corridor", "not in_s_1", "not in_s_0", "exactly-one", "in_s_0"},
        Bug{"corridor", "", "action(left) :- in_s_1, in_s_2.", "dead-rules", "line 3"},
        Bug{"corridor", "", "action(right) :- in_s_2.", "subsumed-rules", "line 3"},
        Bug{"corridor", "action(left) :- in_s_1.\naction(right) :- not in_s_1.", "action(right).", "property",
            "the value is 0, not >= 1"},
        Bug{"corridor", "action(left) :- in_s_1.\naction(right) :- not in_s_1.",
            "action(left) :- in_s_1.\naction(left) :- in_s_2.\naction(right) :- in_s_0.", "property",
            "value is 0"},
        Bug{"long corridor", "action(left) :- in_s_1.\naction(right) :- not in_s_1.",
            "action(left) :- in_s_0.\naction(right) :- not in_s_0.", "property", "not >= -4"},
        Bug{"long corridor", "", "lost :- in_s_1, not in_s_1.", "dead-rules", "line 3: lost"},
        Bug{"long corridor", "", "action(right) :- in_s_0, in_s_0.", "subsumed-rules",
            "never fires without `line 2: action(right) :- not in_s_1.`"},
        Bug{"blackjack", "", "action(stick) :- hand(16).", "exactly-one", kTwo},
        Bug{"blackjack", "action(hit) :- hand(12).\n", "", "coverage", "hand(12)"},
        Bug{"blackjack", "", "action(hit) :- hand(22).", "dead-rules", "hand(22)"},
        Bug{"blackjack", "", "action(hit) :- hand(12), dealer(6).", "subsumed-rules", "hand(12), dealer(6)"},
        Bug{"blackjack", "action(stick) :- hand(20)", "action(hit) :- hand(20)", "property", "not <= 0"},
        Bug{"blackjack", "action(stick) :- hand(21).",
            "action(hit) :- hand(21), dealer(1).\n"
            "action(stick) :- hand(21), not dealer(1).",
            "property", "not <= 0"},
        Bug{"random blackjack", "0.1::action(stick) :- hand(15)", "0.05::action(stick) :- hand(15)",
            "exactly-one", "hand(15)"},
        Bug{"random blackjack", "", "0.5::action(hit); 0.5::action(stick) :- hand(9), dealer(2).",
            "exactly-one", "hand(9), dealer(2)"},
        Bug{"random blackjack", "0.9::action(hit); 0.1::action(stick) :- hand(15)",
            "0.9::action(hit) :- hand(15).\n0.1::action(stick) :- hand(15)", "exactly-one",
            "`line 12: 0.9::action(hit) :- hand(15).` and `line 13: 0.1::action(stick) :- hand(15).` choose "
            "independently"},
        Bug{"random blackjack", "action(stick) :- hand(19)", "action(hit) :- hand(19)", "property",
            "not <= 0.3"},
        Bug{"random blackjack", "", "0.5::action(hit); 0.5::action(stick) :- hand(3).", "dead-rules",
            "hand(3)"},
        Bug{"doors", "action(toggle) :- a_3.\n", "", "coverage", kNone},
        Bug{"doors", "", "a_2 :- one_step_ahead_closed_door.", "exactly-one", kTwo},
        Bug{"doors", "action(forward)", "action(turn_left)", "property", "the value is 0"},
        Bug{"doors", "top_right_corner_wall.", "two_step_ahead_closed_door.", "coverage", kNone},
        Bug{"doors", "", "action(toggle) :- a_3, two_step_ahead_unseen.", "subsumed-rules", "line 8"},
        Bug{"doors", "", "action(turn_left) :- one_step_ahead_agent.", "dead-rules", "line 8"},
        Bug{"taxi", "", "action(up) :- taxi_row(2), taxi_col(2), passenger(4).", "exactly-one", kTwo},
        Bug{"taxi", "action(pickup) :- ", "action(pickup) :- destination(0), destination(1), ", "coverage",
            kNone},
        Bug{"taxi", "", "action(up) :- passenger(1), destination(1).", "dead-rules",
            "passenger(1), destination(1)"},
        Bug{"taxi", "action(pickup) :- ", "action(dropoff) :- ", "property", "not >= 1"},
        Bug{"careful taxi", "action(pickup) :- ", "action(dropoff) :- ", "property", "not <= 0"}));

TEST(Check, PropertiesOfAPolicyThatVisitsUndefinedRowsDoNotHold) {
  const Subject subject("small-corridor", "action(right) :- in_s_0.", Syntax::kAsp);
  const auto results = subject.check(CheckScope::kVisited, "P=? [F \"goal\"]");
  EXPECT_FALSE(results.back().holds());
  EXPECT_FALSE(results.back().value);
  EXPECT_THAT(results.back().witness, HasSubstr("in in_s_1, which it visits, the policy names no action"));
  EXPECT_TRUE(testing::replays(*results.back().trace, subject.model, &subject.policy));
}

TEST(Check, CoverageIsTheShareOfObservationsWithAnAction) {
  const Subject subject("door-corridor", base("doors").text, Syntax::kAsp);
  const auto results = subject.check(CheckScope::kReachable, "");
  EXPECT_NEAR(*results[1].value, 15.0 / 27, 1e-12);  // no action in 12 of 27 images
  EXPECT_THAT(results[1].witness, HasSubstr("12 of 27 reachable observations"));
}

TEST(Check, TracesToUndefinedRowsAreShortest) {
  const Subject subject("long-corridor-5", "action(right) :- in_s_0.\naction(left) :- in_s_1.", Syntax::kAsp);
  const auto results = subject.check(CheckScope::kReachable, "");
  EXPECT_EQ(results[0].trace->steps.size(), 3u);
}

TEST(RuleFirings, InstancesOfOneRuleAreOneRule) {
  Program program = parse_program("",
                                  "action(hit) :- hand(0).\naction(hit) :- hand(12).\n"
                                  "action(stick) :- hand(17).",
                                  Syntax::kAsp);
  std::get<Rule>(program.statements[1].content).place = std::get<Rule>(program.statements[0].content).place;
  const FiniteModel model = make_task("blackjack").model();
  const BoundProgram bound(program, model.observations().shared_vocabulary());
  const RuleFirings firings(program, bound, model.observations(), reachable(model).observations);
  EXPECT_THAT(firings.dead(), IsEmpty());
  EXPECT_THAT(firings.subsumed(), IsEmpty());
}

TEST(RuleFirings, OfTwoRulesThatAlwaysFireTogetherTheLaterIsSubsumed) {
  const Program program = parse_program(
      "", "action(hit) :- hand(12).\naction(hit) :- hand(12), not hand(13).\naction(stick) :- hand(12).",
      Syntax::kAsp);
  const FiniteModel model = make_task("blackjack").model();
  const BoundProgram bound(program, model.observations().shared_vocabulary());
  const auto subsumed =
      RuleFirings(program, bound, model.observations(), reachable(model).observations).subsumed();
  ASSERT_EQ(subsumed.size(), 1u);
  EXPECT_EQ(subsumed[0].rule.line, 2u);
  EXPECT_EQ(subsumed[0].by.line, 1u);
}

TEST(RuleFirings, OfAProgramThatNobodyWroteAreThoseOfItsStatements) {
  const FiniteModel model = make_task("small-corridor").model();
  Program program = parse_program(
      "", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\naction(left) :- in_s_1, in_s_2.",
      Syntax::kAsp);
  for (Statement& statement : program.statements) std::get<Rule>(statement.content).place = {};
  const BoundProgram bound(program, model.observations().shared_vocabulary());
  const RuleFirings firings(program, bound, model.observations(), reachable(model).observations);
  ASSERT_EQ(firings.dead().size(), 1u);
  EXPECT_EQ(to_string(firings.dead()[0]), "action(left) :- in_s_1, in_s_2.");
}

TEST(Check, NamesTheConstraintThatIsViolated) {
  const Subject subject("small-corridor",
                        "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n:- in_s_1.\n", Syntax::kAsp);
  const std::vector<CheckResult> results = subject.check(CheckScope::kReachable, "");
  EXPECT_THAT(failed(results), ::testing::ElementsAre("exactly-one", "coverage"));
  EXPECT_THAT(
      results[0].witness,
      HasSubstr("in in_s_1 the policy names no action, for it violates `line 3: :- in_s_1.` (1 of 3"));
}

}  // namespace
}  // namespace ndnf
