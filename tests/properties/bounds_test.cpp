// Verdicts at the very edge of their bounds; tests/referee/bounds_test.py has random ones.
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/properties/check_property.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// "crash" with this probability, else "ok", in one step.
FiniteModelData gamble(double crash) {
  FiniteModelData data = testing::numbered_states(1, {"go"});
  data.tags = {"crash", "ok"};
  testing::add_row(data, {{crash, 0, 0, true, 0}, {1 - crash, 1, 0, true, 1}});
  data.starts = {{1, 0}};
  return data;
}

bool holds(const FiniteModel& model, const PolicyTable& policy, const std::string& text) {
  const PropertyResult result = check_property(EpisodeChain(model, policy), parse_property("", text, model));
  EXPECT_NE(result.verdict, Verdict::kUndecided) << text;
  return result.holds();
}

/// Expects a figure, "P" or "R{…}", to be exactly this number: no more, no less.
void expect_exactly(const FiniteModel& model, const PolicyTable& policy, const std::string& figure,
                    const std::string& number, const std::string& of) {
  for (const auto& [comparison, expected] :
       {std::pair(">=", true), {"<=", true}, {">", false}, {"<", false}}) {
    EXPECT_EQ(holds(model, policy, figure + comparison + number + " " + of), expected) << comparison;
  }
}

TEST(Bounds, ForgiveNothing) {
  const FiniteModel model(gamble(9e-10));
  const PolicyTable go(1, {1});
  EXPECT_FALSE(holds(model, go, "P<=1e-12 [F \"crash\"]"));
  EXPECT_FALSE(holds(model, go, "P<=8.9999999999e-10 [F \"crash\"]"));
  expect_exactly(model, go, "P", "9e-10", "[F \"crash\"]");
  EXPECT_FALSE(holds(model, go, "P>=0.9999999999 [G !\"crash\"]"));
}

/// The number in the property is the same double as the one in the model.
TEST(Bounds, AreReadLikeTheModelsNumbers) {
  for (const char* number : {"0.1", "0.3", "0.7", "1e-7", "0.123456789012345678"}) {
    const FiniteModel model(gamble(std::strtod(number, nullptr)));
    expect_exactly(model, PolicyTable(1, {1}), "P", number, "[F \"crash\"]");
  }
}

TEST(Bounds, AreMetExactly) {
  const FiniteModel model(testing::gambler());
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  // 1/4 reach 3 in two bets, 1/16 more in four.
  expect_exactly(model, bets, "P", "0.3125", "[F \"rich\"]");
  EXPECT_FALSE(holds(model, bets, "P<=0.31249999999999994 [F \"rich\"]"));
  EXPECT_FALSE(holds(model, bets, "R{\"return\"}>=1e-300 [C]"));
  const FiniteModel door = make_task("door-corridor").model();
  const PolicyTable optimal = find_optimum(door).policy;
  expect_exactly(door, optimal, "R{\"return\"}", "-8", "[C]");
  EXPECT_FALSE(holds(door, optimal, "R{\"return\"}>=-7.999999999999999 [C]"));
}

/// Sums that doubles cannot hold: two of three thirds of a third; and three thirds, which fall short of 1 by
/// 2^-54.
TEST(Bounds, AreComparedWithoutRoundingWhereRoundingMatters) {
  FiniteModelData data = testing::numbered_states(1, {"go"});
  data.tags = {"a", "b", "c"};
  const double third = 1.0 / 3;
  testing::add_row(data, {{third, third, 0, true, 0}, {third, third, 0, true, 1}, {third, 0, 0, true, 2}});
  data.starts = {{1, 0}};
  const FiniteModel model(std::move(data));
  const PolicyTable go(1, {1});
  const double nearest = 2 * third * third;
  const double rest = std::fma(2 * third, third, -nearest);
  ASSERT_NE(rest, 0);
  EXPECT_EQ(holds(model, go, fmt::format("R{{\"return\"}}>{} [C]", nearest)), rest > 0);
  EXPECT_EQ(holds(model, go, fmt::format("R{{\"return\"}}<{} [C]", nearest)), rest < 0);
  EXPECT_EQ(holds(model, go, fmt::format("R{{\"return\"}}>={} [C]", nearest)), rest > 0);
  EXPECT_EQ(holds(model, go, fmt::format("R{{\"return\"}}<={} [C]", nearest)), rest < 0);
  // Certain events are certain, whatever the sum of the doubles.
  EXPECT_TRUE(holds(model, go, "P>=1 [F \"end\"]"));
  EXPECT_TRUE(holds(model, go, "P>=0.9999999999999999 [F \"end\"]"));
  EXPECT_FALSE(holds(model, go, "P<=0.9999999999999999 [F \"end\"]"));
  EXPECT_TRUE(holds(model, go, "P<=1 [F \"end\"]"));
  EXPECT_FALSE(holds(model, go, "P>1 [F \"end\"]"));
  EXPECT_TRUE(holds(model, go, "P<1 [F \"a\" | \"b\"]"));
}

/// Rows of 0.3 and 0.7 lose 2^-54 per step, those of 0.1 and 0.9 gain as much. An episode of seven steps
/// still has length seven.
TEST(Bounds, OfRewardsKnowWhatAnEpisodeCanBring) {
  for (const double p : {0.3, 0.1}) {
    FiniteModelData data = testing::numbered_states(1, {"a", "b"});
    testing::add_row(data, {{p, -0.1, 0, false, -1}, {1 - p, -0.1, 0, false, -1}});
    testing::add_row(data, {{1, -0.1, 0, false, -1}});
    data.starts = {{1, 0}};
    data.step_limit = 7;
    const FiniteModel model(data);
    const PolicyTable policy(2, {p, std::nearbyint(10 - 10 * p) / 10});
    expect_exactly(model, policy, "R{\"length\"}", "7", "[C]");
    expect_exactly(model, policy, "R{\"length\"}", "3", "[C<=3]");
    expect_exactly(model, policy, "R{\"return\"}", "-0.1", "[C<=1]");
    expect_exactly(model, policy, "R{\"return\"}", "-0.2", "[C<=2]");
    // Three times the double 0.1 is neither the double 0.3 nor 0.30000000000000004, but between them.
    EXPECT_TRUE(holds(model, policy, "R{\"return\"}<-0.3 [C<=3]"));
    EXPECT_TRUE(holds(model, policy, "R{\"return\"}>-0.30000000000000004 [C<=3]"));
  }
}

/// Sums beyond the largest double, temporarily or finally, are still compared correctly.
// Rewards may be as large as a model allows: products and sums stay far from the largest double.
TEST(Bounds, SurviveTheLargestRewards) {
  FiniteModelData data = testing::numbered_states(3, {"go"});
  testing::add_row(data, {{1, 1e100, 1, false, -1}});
  testing::add_row(data, {{1, 1e100, 2, false, -1}});
  testing::add_row(data, {{0.5, -1e100, 0, true, -1}, {0.5, 0.5e100, 0, true, -1}});
  data.starts = {{1, 0}};
  const FiniteModel model(std::move(data));
  const PolicyTable go(1, {1, 1, 1});
  EXPECT_TRUE(holds(model, go, "R{\"return\"}>=1.99e100 [C<=2]"));
  EXPECT_FALSE(holds(model, go, "R{\"return\"}<=1.99e100 [C<=2]"));
  EXPECT_TRUE(holds(model, go, "R{\"return\"}>=1.74e100 [C]"));  // 2e100 - 0.25e100
  EXPECT_TRUE(holds(model, go, "R{\"return\"}<=1.76e100 [C]"));
}

TEST(Bounds, AreUndecidedBeyondTheStatedSizeOnly) {
  const FiniteModel model = make_task("small-corridor:wall,step_limit=40").model();
  const PolicyTable policy(2, {0.3, 0.7, 0.6, 0.4, 0.1, 0.9, 0.5, 0.5});
  const EpisodeChain chain(model, policy);
  const double value = check_property(chain, parse_property("", "P=? [F \"goal\"]", model)).value;
  const Property close = parse_property("", fmt::format("P>={} [F \"goal\"]", value), model);
  const PropertyResult open = check_property(chain, close, 10);
  EXPECT_EQ(open.verdict, Verdict::kUndecided);
  EXPECT_FALSE(open.holds());
  EXPECT_LT(open.error, 1e-14);
  EXPECT_GT(open.error, 0);
  EXPECT_NE(check_property(chain, close).verdict, Verdict::kUndecided);
  const Property far = parse_property("", fmt::format("P>={} [F \"goal\"]", value - 1e-13), model);
  EXPECT_EQ(check_property(chain, far, 0).verdict, Verdict::kHolds);
}

TEST(Bounds, ValuesAreShownOnTheirSide) {
  const FiniteModel model(gamble(9e-12));
  const auto shown = [&](const std::string& text) {
    const Property property = parse_property("", text, model);
    return value_text(check_property(EpisodeChain(model, PolicyTable(1, {1})), property).value, property);
  };
  EXPECT_EQ(shown("P=? [F \"ok\"]"), "0.99999999999");
  EXPECT_EQ(shown("P>=1 [F \"ok\"]"), "0.99999999999");
  EXPECT_EQ(shown("P>=0.9 [F \"ok\"]"), "0.99999999999");
  EXPECT_EQ(shown("P>=0.9999999999905 [F \"ok\"]"), "0.999999999991");
  EXPECT_EQ(shown("P<=8.9999999999e-12 [F \"crash\"]"), "9e-12");
  EXPECT_EQ(shown("R{\"return\"}>=1 [C]"), "0.99999999999");
  EXPECT_EQ(shown("R{\"return\"}>=0.5 [C]"), "1");
}

}  // namespace
}  // namespace ndnf
