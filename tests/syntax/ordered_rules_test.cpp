#include "ndnf/syntax/ordered_rules.h"

#include <gtest/gtest.h>

#include "ndnf/base/random.h"
#include "ndnf/syntax/comparison_atom.h"

namespace ndnf {
namespace {

const Vocabulary kCart({AtomGroup::single("windy")}, {"left", "right"},
                       {quantity("position", "m", -4.8, 4.8, 0.001),
                        quantity("velocity", "m/s", -10, 10, 0.001),
                        quantity("angle", "rad", -0.5, 0.5, 0.001),
                        quantity("spin", "rad/s", -10, 10, 0.01)});

BodyLiteral number(std::vector<LinearComparison::Term> terms, std::int64_t bound, bool positive = true) {
  NumericLiteral literal = canonical(std::move(terms), bound);
  if (!positive) literal.positive = !literal.positive;
  return comparison_literal(literal, kCart);
}

TEST(OrderedRules, PrintComparisonsWithTheirReadingInUnits) {
  const OrderedRules list{{{0, {number({{1, 1}}, 255)}},
                           {1, {number({{2, 100}, {3, 36}}, -1690, false), {"windy", false}}},
                           {0, {number({{2, 1}}, -19, false)}}},
                          1};
  EXPECT_EQ(to_text(ordered_program(list, kCart)), R"(case_1 :- velocity(V), V > 255.  % velocity > 0.255 m/s
action(left) :- case_1.
case_2 :- angle(A), spin(S), 100*A + 36*S <= -1690, not windy, not case_1.  % angle + 0.036*spin <= -0.0169
action(right) :- case_2.
action(left) :- angle(A), A <= -19, not case_1, not case_2.  % angle <= -0.019 rad
action(right) :- not case_2, not action(left).
)");
}

/// The list that a program says, as text; "none" if it is not a list.
std::string list_in(const Program& program) {
  const auto list = ordered_rules_of(program, kCart);
  if (!list) return "none";
  std::string text;
  for (const OrderedRule& rule : list->rules) {
    text += kCart.action_name(rule.action);
    for (const BodyLiteral& literal : rule.body) text += (literal.positive ? " " : " not ") + literal.atom;
    text += "; ";
  }
  return text + kCart.action_name(list->otherwise);
}

std::string list_in(const std::string& text) { return list_in(parse_program("text", text, Syntax::kAsp)); }

TEST(OrderedRules, AreReadBackAsTheyWere) {
  RandomSequence random(RandomStream(1, 0));
  for (int i = 0; i < 200; ++i) {
    OrderedRules list;
    for (std::uint32_t r = random.below(7); r > 0; --r) {
      list.rules.push_back({random.below(2), {number({{random.below(4), 1}}, random.below(100))}});
      if (random.below(2) == 0) list.rules.back().body.push_back({"windy", random.below(2) == 0});
    }
    list.otherwise = random.below(2);
    const Program program = ordered_program(list, kCart);
    const auto read = ordered_rules_of(program, kCart);
    ASSERT_TRUE(read) << to_text(program);
    EXPECT_EQ(to_text(ordered_program(*read, kCart)), to_text(program));
    EXPECT_EQ(read->rules.size(), list.rules.size());
  }
}

TEST(OrderedRules, MayBeWrittenByAnybody) {
  EXPECT_EQ(list_in("action(left) :- windy.\naction(right) :- not action(left).\n"), "left windy; right");
  EXPECT_EQ(list_in("first :- windy.\naction(left) :- first.\naction(right) :- not first.\n"),
            "left windy; right");
  EXPECT_EQ(list_in("action(left).\n"), "left");
}

TEST(OrderedRules, AreNotReadFromOtherPrograms) {
  EXPECT_EQ(list_in("action(left) :- windy.\naction(right) :- not windy.\n"), "none");  // no order in it
  EXPECT_EQ(list_in("fast :- windy.\naction(left) :- fast, windy.\naction(right) :- not action(left).\n"),
            "none");
  // the default does not exclude the first rule
  EXPECT_EQ(list_in("action(left) :- windy.\naction(right) :- not action(left).\naction(right).\n"), "none");
  EXPECT_EQ(list_in("action(left) :- windy.\naction(right) :- action(left).\n"), "none");
  EXPECT_EQ(list_in(":- windy.\naction(left).\n"), "none");
}

TEST(OrderedRules, TheUnitsCommentNamesWhatTheWholeNumbersMean) {
  EXPECT_EQ(units_comment(kCart),
            "position in 0.001 m, velocity in 0.001 m/s, angle in 0.001 rad, spin in 0.01 rad/s");
}

TEST(Canonical, TurnsTheFirstSignPositive) {
  const NumericLiteral literal = canonical({{3, 6}, {1, -4}}, 7);  // -4V + 6S > 7: not 4V - 6S > -8
  EXPECT_FALSE(literal.positive);
  EXPECT_EQ(literal.comparison, (LinearComparison{{{1, 4}, {3, -6}}, -8, false}));
  for (std::int32_t v = -5; v <= 5; ++v) {
    for (std::int32_t s = -5; s <= 5; ++s) {
      const std::vector<std::int32_t> places{0, v, 0, s};
      EXPECT_EQ(-4 * v + 6 * s > 7, literal.comparison.holds(places) == literal.positive) << v << " " << s;
    }
  }
}

TEST(Canonical, AnEquationWithoutSolutionStaysOne) {
  const NumericLiteral literal = canonical({{1, 2}}, 3, true);
  EXPECT_FALSE(literal.comparison.holds(std::vector<std::int32_t>{0, 1, 0, 0}));
  EXPECT_FALSE(literal.comparison.holds(std::vector<std::int32_t>{0, 2, 0, 0}));
}

}  // namespace
}  // namespace ndnf
