#include <cmath>
#include <memory>
#include <random>

#include <gmock/gmock.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/solvers/indexed_rules.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/syntax/comparison_atom.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Vocabulary> cart() {
  static const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector{AtomGroup::single("windy"), AtomGroup::numbered("gear", "gear(", 4, ")")},
      std::vector<std::string>{"left", "right"},
      std::vector{quantity("position", "m", -4.8, 4.8, 0.001), quantity("velocity", "m/s", -10, 10, 0.001),
                  quantity("angle", "rad", -0.4, 0.4, 0.001), quantity("spin", "rad/s", -10, 10, 0.01)});
  return vocabulary;
}

Program read(const std::string& text, Syntax syntax = Syntax::kAsp) {
  return ground_program("cart", text, syntax, *cart());
}

std::string refusal(const std::string& text, Syntax syntax = Syntax::kAsp) {
  try {
    BoundProgram(read(text, syntax), cart());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Observations on the grid, beside it by the smallest step of a float, and anywhere; some beyond the ranges.
ObservationTable observations(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  ObservationTable table(cart(), 4);
  while (table.size() < count) {
    std::vector<float> numbers;
    for (const Quantity& quantity : cart()->quantities()) {
      const Grid& grid = *quantity.grid;
      std::uniform_int_distribution<int> place(grid.lowest - 3, grid.highest + 3);
      std::uniform_int_distribution<int> kind(0, 3);
      auto x = static_cast<float>(place(random) * grid.quantum);
      switch (kind(random)) {
        case 0:
          x = std::nextafter(x, 100.0F);
          break;
        case 1:
          x = std::nextafter(x, -100.0F);
          break;
        case 2:
          x += static_cast<float>(grid.quantum / 3);
          break;
        default:
          break;
      }
      numbers.push_back(x);
    }
    const std::vector<std::uint32_t> values{static_cast<std::uint32_t>(random() % 2),
                                            static_cast<std::uint32_t>(random() % 4)};
    table.intern(values, numbers);
  }
  return table;
}

std::vector<ObsId> all(const ObservationTable& table) {
  std::vector<ObsId> ids(table.size());
  for (ObsId i = 0; i < ids.size(); ++i) ids[i] = i;
  return ids;
}

const std::string kProgram = R"(#const fast = 255.
limit(-40). limit(300) :- windy.
swing :- angle(A), spin(S), 100*A + 36*S <= -1690, not windy.
swing :- angle(A), A = -19..-15.
ahead :- position(P), velocity(V), D = 3*P - V, D >= 12, D != 14.
near(G) :- gear(G), position(P), 100*G < P.
quick :- velocity(V), limit(T), V > 2*T+fast.
action(left) :- swing.
action(left) :- velocity(V), V > fast, not ahead.
action(left) :- quick, near(2), not velocity(300), position(_).
action(right) :- not action(left).
)";

TEST(Numbers, AVariableThatIsNotAQuantityMustBeBound) {
  EXPECT_THAT(refusal("action(left) :- velocity(V), V > T."), HasSubstr("T is unsafe"));
}

TEST(Numbers, ComparisonsHoldExactlyWhereTheQuantisedNumberSaysSo) {
  const BoundProgram bound(
      read("action(left) :- velocity(V), V > 255. action(right) :- velocity(V), V <= 255."), cart());
  for (const float x : {0.254F, 0.255F, 0.2550001F, 0.256F, -11.0F, 11.0F}) {
    ObservationTable table(cart(), 4);
    table.intern(std::vector<std::uint32_t>{0, 0}, std::vector<float>{0, x, 0, 0});
    std::vector<double> row(2);
    bound.probabilities(table, std::vector<ObsId>{0}, row);
    EXPECT_EQ(row[0], std::ceil(static_cast<double>(x) / 0.001) > 255 ? 1 : 0) << x;
    EXPECT_EQ(row[0] + row[1], 1);
  }
}

TEST(Numbers, GroundRulesOverQuantitiesNeedNoClingo) {
  const Program program =
      read("action(left) :- velocity(V), V >= 18, windy. action(right) :- not velocity(7).");
  EXPECT_EQ(to_text(program),
            "action(left) :- velocity(V), V > 17, windy.\naction(right) :- not velocity(7).\n");
  EXPECT_EQ(shown_text(std::get<Rule>(program.statements[0].content), Syntax::kAsp),
            "action(left) :- velocity(V), V >= 18, windy.");
}

TEST(Numbers, WhatIsPrintedReadsBackAsTheSameProgram) {
  const std::string program =
      "swing :- angle(A), spin(S), 100*A - 36*S <= -1690.\n"
      "action(left) :- swing, angle(A), spin(S), A + 2*S = 5, A > 3.\n"
      "action(right) :- not swing.\n";
  EXPECT_EQ(to_text(read(program)), program);
  EXPECT_EQ(to_text(read(to_text(read(kProgram)))), to_text(read(kProgram)));
}

TEST(Numbers, ClingoAgreesOnTwentyThousandObservationsOnAndBesideThresholds) {
  const ObservationTable table = observations(20000, 1);
  const PolicyTable own = tabulate(BoundProgram(read(kProgram), cart()), table);
  const SolverText rules = indexed_rules(parse_program_text("cart", kProgram, Syntax::kAsp));
  const PolicyTable real = evaluate_indexed_with_clingo(rules, table, all(table));
  std::size_t left = 0;
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    ASSERT_EQ(own.row(obs)[0], real.row(obs)[0]) << table.describe(obs);
    ASSERT_EQ(own.row(obs)[1], real.row(obs)[1]) << table.describe(obs);
    left += own.row(obs)[0] > 0 ? 1 : 0;
  }
  EXPECT_GT(left, table.size() / 20);
  EXPECT_LT(left, table.size() * 19 / 20);
}

TEST(Numbers, ProbLogAgreesIncludingProbabilities) {
  ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1);
  const std::string text = R"(swing :- angle(A), spin(S), 100*A + 36*S =< -1690, \+ windy.
swing :- velocity(V), V =:= 18.
0.25::action(left) ; 0.75::action(right) :- swing, position(P), D is 2*P, D > 100.
action(left) :- swing, position(P), 2*P =< 100.
action(right) :- \+ swing.
)";
  const ObservationTable table = observations(60, 2);
  const PolicyTable own = tabulate(BoundProgram(read(text, Syntax::kProbLog), cart()), table);
  const ProblogEvaluation real = evaluate_with_problog(
      solver_text(parse_program_text("cart", text, Syntax::kProbLog)), table, all(table));
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    ASSERT_NEAR(own.row(obs)[0], real.policy.row(obs)[0], 1e-12) << table.describe(obs);
    ASSERT_NEAR(own.row(obs)[1], real.policy.row(obs)[1], 1e-12) << table.describe(obs);
  }
}

TEST(Numbers, WhatIsNotLinearOrNotAComparisonIsRefusedWithItsPlace) {
  EXPECT_THAT(refusal("action(left) :- velocity(V), V*V > 3."), HasSubstr("V*V is not linear"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), |V| > 3."), HasSubstr("is not linear"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), 3 = V..5."), HasSubstr("an interval of a quantity"));
  EXPECT_THAT(refusal("fast(V) :- velocity(V). action(left) :- fast(3)."),
              HasSubstr("1:6: V is the value of a quantity, expected it in comparisons only"));
  EXPECT_THAT(refusal("velocity(3). action(left)."), HasSubstr("velocity(3) is observed"));
  EXPECT_THAT(refusal("action(left) :- 2 <= #count { V : velocity(V) }."),
              HasSubstr("quantities in aggregates"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), V > 1 : 2 < 1."), HasSubstr("aggregates and conditions"));
  EXPECT_THAT(refusal("action(left) :- not velocity(_)."), HasSubstr("velocity always has a value"));
  EXPECT_THAT(refusal("action(left) :- velocty(V), V > 3."), HasSubstr("did you mean velocity(V)?"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), V > 99999999999."),
              HasSubstr("expected a whole number up to 2147483647"));
}

TEST(Numbers, QuantitiesThatCancelAreComparedAsNumbers) {
  const auto accepted = [](const std::string& body) {
    return refusal("action(left) :- velocity(A), velocity(B), " + body + ".", Syntax::kProbLog);
  };
  for (const char* body : {"A \\== B", "A \\= B", "A =\\= B", "A =:= B", "A =< B", "X is A - B, X > 0"})
    EXPECT_EQ(accepted(body), "accepted") << body;
}

/// To clingo these compare a symbol with a number, which always holds, or never.
TEST(Numbers, NamesAreNotComparedWithNumbers) {
  EXPECT_THAT(refusal("action(left) :- velocity > 3."),
              HasSubstr("1:17: velocity is a quantity, expected its value: velocity(V), V > 5"));
  EXPECT_THAT(refusal("action(left) :- velocity = 3."), HasSubstr("velocity is a quantity"));
  EXPECT_THAT(refusal("action(left) :- velociti > 3."),
              HasSubstr("1:17: there is no quantity velociti; did you mean velocity?"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), V > 2*fast."), HasSubstr("there is no quantity fast"));
  EXPECT_EQ(refusal("#const fast = 3. action(left) :- velocity(V), V > 2*fast."), "accepted");
}

TEST(Numbers, NumbersThatClingoWouldWrapAreRefused) {
  EXPECT_EQ(refusal("action(left) :- velocity(V), 200000*V > 3."), "accepted");
  EXPECT_THAT(refusal("action(left) :- velocity(V), 214748*V + 7999*V - 7999*V > 3."),
              HasSubstr("expected less than 2^31"));
  EXPECT_THAT(refusal("action(left) :- velocity(V), 214749*V > 3."), HasSubstr("expected less than 2^31"));
  // Also where a variable of another atom has the large number.
  for (const char* rule : {"p(3). action(left) :- velocity(V), p(X), V > 800000000*X.",
                           "p(3). action(left) :- velocity(V), p(X), V - 800000000*X > 0.",
                           "p(2147483647). action(left) :- velocity(V), p(X), V > X + 1.",
                           "p(2147483647). action(left) :- velocity(V), p(X), V > 1 - X - X."})
    EXPECT_THAT(refusal(rule), HasSubstr("expected less than 2^31")) << rule;
  EXPECT_THAT(refusal("p(3). action(left) :- velocity(V), p(X), D = 800000000*X, V > D."),
              HasSubstr("expected less than 2^31"));
  EXPECT_THAT(refusal("p(3). action(left) :- velocity(V), p(X), D = X*X, V > D."),
              HasSubstr("X*X is not linear"));
  EXPECT_EQ(refusal("p(3). q(7). action(left) :- velocity(V), p(X), D = 2*X + 1, E = D - 3, q(D), V > E."),
            "accepted");
  EXPECT_EQ(refusal("p(-3). action(left) :- velocity(V), p(X), V > 2*X + 1, not velocity(X)."), "accepted");
  EXPECT_THAT(refusal("p(65536). action(left) :- velocity(V), p(X), V < X*X."),
              HasSubstr("X*X is not linear"));
  EXPECT_THAT(refusal("p(a). action(left) :- velocity(V), p(X), V < X."),
              HasSubstr("a quantity is compared with a"));
  EXPECT_THAT(refusal("limit(2147483000). action(left) :- velocity(V), limit(T), V > T."),
              HasSubstr("expected less than 2^31"));
}

}  // namespace
}  // namespace ndnf
