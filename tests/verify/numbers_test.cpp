#include <memory>

#include <gmock/gmock.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/verify/cells.h"
#include "ndnf/verify/check_numbers.h"
#include "ndnf/verify/number_reason.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::shared_ptr<const Vocabulary> cart() {
  static const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector{AtomGroup::single("windy")}, std::vector<std::string>{"left", "right"},
      std::vector{quantity("velocity", "m/s", -0.1, 0.1, 0.01), quantity("angle", "rad", -0.2, 0.2, 0.01)});
  return vocabulary;
}

/// A program over a grid that is small enough to list.
struct Small {
  explicit Small(const std::string& text, Syntax syntax = Syntax::kAsp)
      : program(ground_program("p", text, syntax, *cart())), bound(program, cart()) {}
  NumberSubject subject() const { return {*cart(), program, bound}; }

  /// All observations.
  static std::vector<QuantisedObservation> all() {
    std::vector<QuantisedObservation> list;
    const Grid v = *cart()->quantities()[0].grid;
    const Grid a = *cart()->quantities()[1].grid;
    for (std::int32_t x = v.lowest; x <= v.highest; ++x) {
      for (std::int32_t y = a.lowest; y <= a.highest; ++y) {
        for (std::uint32_t windy = 0; windy < 2; ++windy) list.push_back({{windy}, {x, y}});
      }
    }
    return list;
  }

  Program program;
  BoundProgram bound;
};

CheckResult named(const std::vector<CheckResult>& checks, const std::string& name) {
  for (const CheckResult& check : checks) {
    if (check.name == name) return check;
  }
  throw Error("", "no check " + name);
}

const std::string kGood =
    "fast :- velocity(V), V > 3.\n"
    "action(left) :- fast, not windy.\n"
    "action(left) :- velocity(V), angle(A), 2*V - 3*A <= -7, not fast.\n"
    "action(right) :- not action(left).\n";

TEST(CheckNumbers, ProvesWhatIsTrueOfEveryObservation) {
  const Small program(kGood);
  for (const CheckResult& check : check_numbers(program.subject()))
    EXPECT_TRUE(check.holds()) << check.name << check.witness;
}

TEST(CheckNumbers, NamesAnObservationWithoutAction) {
  const Small program("action(left) :- velocity(V), V > 3. action(right) :- velocity(V), V < 3.");
  const CheckResult check = named(check_numbers(program.subject()), "exactly-one");
  EXPECT_EQ(check.verdict, Verdict::kFails);
  EXPECT_THAT(check.witness, HasSubstr("velocity 0.03 m/s"));
  EXPECT_THAT(check.witness, HasSubstr("names no action"));
  EXPECT_EQ(named(check_numbers(program.subject()), "coverage").verdict, Verdict::kFails);
}

TEST(CheckNumbers, NamesTheRulesThatOverlap) {
  const Small program("action(left) :- velocity(V), V >= 3.\naction(right) :- velocity(V), V <= 3.");
  const auto checks = check_numbers(program.subject());
  EXPECT_THAT(named(checks, "exactly-one").witness, HasSubstr("several actions hold, by `line 1"));
  EXPECT_THAT(named(checks, "overlaps").witness, HasSubstr("both fire in"));
  EXPECT_TRUE(named(checks, "coverage").holds());
}

TEST(CheckNumbers, FindsDeadAndSubsumedRulesByArithmetic) {
  const Small program(
      "action(left) :- velocity(V), V > 3.\n"
      "action(left) :- velocity(V), angle(A), V > 5, A > 0.\n"
      "action(left) :- velocity(V), angle(A), V + A > 30.\n"
      "action(right) :- velocity(V), V <= 3.");
  const auto checks = check_numbers(program.subject());
  EXPECT_THAT(named(checks, "dead-rules").witness, HasSubstr("line 3"));
  EXPECT_THAT(named(checks, "subsumed-rules").witness, HasSubstr("line 2"));
  EXPECT_THAT(named(checks, "subsumed-rules").witness, ::testing::Not(HasSubstr("line 3")));
}

TEST(CheckNumbers, AgreesWithListingAllObservationsOfRandomPrograms) {
  std::uint32_t random = 1;
  const auto draw = [&](std::int32_t below) {
    random = random * 1664525U + 1013904223U;
    return static_cast<std::int32_t>((random >> 8) % static_cast<std::uint32_t>(below));
  };
  for (int round = 0; round < 30; ++round) {
    std::string text;
    for (int rule = 0; rule < 4; ++rule) {
      const char* sign = (const char*[]){">", "<=", "<", ">="}[draw(4)];
      text += fmt::format("action({}) :- velocity(V), angle(A), {}*V {} {}*A {} {}{}.\n",
                          rule % 2 ? "left" : "right", draw(4), draw(2) ? "+" : "-", 1 + draw(3), sign,
                          draw(30) - 15, draw(3) ? "" : ", windy");
    }
    const Small program(text);
    bool none = false;
    bool several = false;
    std::set<std::size_t> fired;
    for (const QuantisedObservation& at : Small::all()) {
      const std::vector<double> row = program.bound.row(at);
      none |= row[0] + row[1] == 0;
      several |= row[0] + row[1] == 2;
      for (const std::size_t s : program.bound.fired(at)) fired.insert(s);
    }
    const auto checks = check_numbers(program.subject());
    EXPECT_EQ(named(checks, "coverage").holds(), !none) << text;
    EXPECT_EQ(named(checks, "exactly-one").holds(), !none && !several) << text;
    EXPECT_EQ(named(checks, "overlaps").holds(), !several) << text;
    EXPECT_EQ(named(checks, "dead-rules").holds(), fired.size() == 4) << text;
  }
}

TEST(CheckNumbers, ChoicesOfProbLogCountAsOneDecision) {
  const Small good(
      "0.3::action(left) ; 0.7::action(right) :- velocity(V), V > 3. action(left) :- velocity(V), V =< 3.",
      Syntax::kProbLog);
  EXPECT_TRUE(named(check_numbers(good.subject()), "exactly-one").holds());
  const Small bad(
      "0.3::action(left) ; 0.7::action(right) :- velocity(V), V > 3. action(left) :- velocity(V), V =< 4.",
      Syntax::kProbLog);
  EXPECT_THAT(named(check_numbers(bad.subject()), "exactly-one").witness, HasSubstr("velocity 0.04 m/s"));
}

TEST(CheckNever, IsProvedOrHasAWitness) {
  const Small program(kGood);
  const auto never = [](const std::string& text) { return parse_property("property", text, *cart(), {}); };
  const auto checks =
      check_never(program.subject(), {never("never action(right) when velocity > 0.03 & !windy"),
                                      never("never action(left) when velocity <= 0.03, angle <= 0.02")});
  EXPECT_TRUE(checks[0].holds());
  EXPECT_EQ(checks[1].verdict, Verdict::kFails);
  EXPECT_THAT(checks[1].witness, HasSubstr("the policy takes left, by `line 3"));
}

TEST(DiffNumbers, ProvesEqualityAndNamesEveryRegionOtherwise) {
  const Small a(kGood);
  const Small same(
      "fast :- velocity(V), V >= 4.\naction(right) :- not action(left).\naction(left) :- fast, not windy.\n"
      "action(left) :- velocity(V), angle(A), 4*V - 6*A < -12, not fast.");
  EXPECT_THAT(diff_numbers(a.subject(), same.subject()), IsEmpty());
  const Small other(
      "action(left) :- velocity(V), V > 4, not windy.\n"
      "action(left) :- velocity(V), angle(A), 2*V - 3*A <= -7, V <= 3.\naction(right) :- not action(left).");
  const auto differences = diff_numbers(a.subject(), other.subject());
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].witness.places[0], 4);
  EXPECT_EQ(differences[0].row_a, "left");
  EXPECT_EQ(differences[0].row_b, "right");
}

TEST(Cells, AreExactlyThePossibleCombinations) {
  const Small program(kGood);
  const Cells cells(cart(), program.bound.comparisons());
  std::set<std::vector<bool>> possible;
  for (const QuantisedObservation& at : Small::all()) {
    std::vector<bool> signs{at.values[0] != 0};
    for (const auto& comparison : cells.comparisons()) signs.push_back(comparison.holds(at.places));
    possible.insert(signs);
    EXPECT_EQ(program.bound.row(at), program.bound.row(cells.observation(cells.find(at))));
  }
  EXPECT_EQ(cells.size(), possible.size());
  EXPECT_EQ(cells.table()->size(), possible.size());
}

TEST(Cells, AreListedIfTheyAreFew) {
  const Small program(kGood);
  std::vector<LinearComparison> comparisons = program.bound.comparisons();
  comparisons.push_back(comparisons.front());  // the same again tells nothing more apart
  const Cells cells(cart(), program.bound.comparisons());
  EXPECT_EQ(listed_kinds(cart(), comparisons)->size(), cells.size());
  std::vector<LinearComparison> many;
  for (std::int64_t bound = 0; bound < 60; ++bound) many.push_back({{{0, 1}, {1, bound + 1}}, bound});
  EXPECT_EQ(listed_kinds(cart(), many), nullptr);  // 60 lines may cut a plane into 1,831 parts
}

TEST(NumberReasons, AreSufficientAndMinimal) {
  const Small program(kGood);
  const NumberReasons reasons(program.bound, cart());
  const QuantisedObservation at{{0}, {7, 0}};
  EXPECT_EQ(reasons.reason(at).text, "velocity > 0.03 m/s, not windy");
  EXPECT_TRUE(reasons.reason(at).smallest);
  EXPECT_EQ(reasons.why_not(at, 1)->text, "velocity <= 0.03 m/s");
}

}  // namespace
}  // namespace ndnf
