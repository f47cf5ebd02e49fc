#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mdp/fractions.h"
#include "mdp/small_models.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/properties/check_property.h"
#include "properties/replay.h"

namespace ndnf {
namespace {

using testing::endless;
using testing::Fraction;
using testing::Fractions;
using testing::random_model;
using testing::random_policy;
using testing::replays;

PropertyResult check(const EpisodeChain& chain, const std::string& text) {
  return check_property(chain, parse_property("", text, chain.model()));
}

/// The gambler without a step limit, who bets for ever: rich with probability 1/3.
FiniteModel endless_gambler() { return endless(FiniteModel(testing::gambler())); }

TEST(EndlessProperties, TheGamblersRuin) {
  const FiniteModel model = endless_gambler();
  const EpisodeChain chain(model, testing::always_bet());
  EXPECT_NEAR(check(chain, "P=? [F \"ruin\"]").value, 2.0 / 3, 1e-15);
  EXPECT_NEAR(check(chain, "P=? [G !\"ruin\"]").value, 1.0 / 3, 1e-15);
  EXPECT_NEAR(check(chain, "P=? [!s2 U \"ruin\"]").value, 0.5, 1e-15);
  EXPECT_EQ(check(chain, "P=? [F \"end\"]").value, 1);
  EXPECT_TRUE(check(chain, "P>=1 [F \"end\"]").holds());
  EXPECT_NEAR(check(chain, "R{\"length\"}=? [C]").value, 2, 1e-15);
  EXPECT_NEAR(check(chain, "R{\"return\"}=? [C]").value, 0, 1e-15);
  EXPECT_NEAR(check(chain, "P=? [F<=2 \"rich\"]").value, 0.25, 1e-15);
}

TEST(EndlessProperties, VerdictsAtTheBoundAreThoseOfFractions) {
  const FiniteModel model = endless_gambler();
  const EpisodeChain chain(model, testing::always_bet());
  const double third = 1.0 / 3;  // as a double it is below 1/3
  EXPECT_TRUE(check(chain, fmt::format("P>{} [F \"rich\"]", third)).holds());
  EXPECT_FALSE(check(chain, fmt::format("P<={} [F \"rich\"]", third)).holds());
  EXPECT_TRUE(check(chain, fmt::format("P<{} [F \"rich\"]", std::nextafter(third, 1.0))).holds());
  EXPECT_TRUE(check(chain, "R{\"length\"}>=2 [C]").holds());
  EXPECT_TRUE(check(chain, "R{\"length\"}<=2 [C]").holds());
  EXPECT_FALSE(check(chain, "R{\"length\"}>2 [C]").holds());
  EXPECT_TRUE(check(chain, "R{\"return\"}>=0 [C]").holds());
}

/// The probability of reaching `goal`, be it as an end, by plain equations over the states that can.
Fraction until(const FiniteModel& model, const PolicyTable& policy, const std::vector<bool>& goal) {
  const std::size_t n = model.state_count();
  std::vector<bool> can = goal;
  for (std::size_t round = 0; round < n; ++round) {
    for (StateId s = 0; s < n; ++s) {
      for (ActionId a = 0; a < 2; ++a) {
        if (policy.row(model.observation(s))[a] == 0) continue;
        for (const Outcome& o : model.outcomes(s, a))
          can[s] = can[s] || (o.terminal ? goal[o.next] : can[o.next]);
      }
    }
  }
  std::vector<Fractions> a(n, Fractions(n, 0));
  Fractions b(n, 0);
  for (StateId s = 0; s < n; ++s) {
    a[s][s] = 1;
    if (goal[s]) b[s] = 1;
    if (goal[s] || !can[s]) continue;
    for (ActionId action = 0; action < 2; ++action) {
      Fraction all = 0;
      for (const Outcome& o : model.outcomes(s, action)) all += Fraction(o.probability);
      const auto row = policy.row(model.observation(s));
      const Fraction taken = Fraction(row[action]) / (Fraction(row[0]) + Fraction(row[1]));
      for (const Outcome& o : model.outcomes(s, action)) {
        const Fraction p = taken * Fraction(o.probability) / all;
        if (!o.terminal) a[s][o.next] -= p;
        if (o.terminal && goal[o.next]) b[s] += p;
      }
    }
  }
  return testing::from_starts(model, *testing::solve(std::move(a), std::move(b)));
}

TEST(EndlessProperties, AreThoseOfFractionsOnRandomModels) {
  int edges = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const FiniteModel model = endless(random_model(seed), 0.9);
    if (!model.endless()) continue;
    const PolicyTable policy = random_policy(model, seed);
    const EpisodeChain chain(model, policy);
    const StateId last = static_cast<StateId>(model.state_count() - 1);
    std::vector<bool> goal(model.state_count(), false);
    goal[last] = true;
    const Fraction wanted = until(model, policy, goal);
    const auto value = wanted.convert_to<double>();
    const PropertyResult reach = check(chain, fmt::format("P=? [F s{}]", last));
    EXPECT_NEAR(reach.value, value, 1e-13) << seed;
    EXPECT_LE(abs(Fraction(reach.value) - wanted), Fraction(reach.error) + Fraction(1e-300)) << seed;
    if (value > 0 && value < 1) {
      ++edges;
      EXPECT_EQ(check(chain, fmt::format("P>={} [F s{}]", value, last)).holds(), wanted >= Fraction(value));
      EXPECT_EQ(check(chain, fmt::format("P<={} [F s{}]", value, last)).holds(), wanted <= Fraction(value));
      EXPECT_EQ(check(chain, fmt::format("P<{} [G !s{}]", 1 - value, last)).holds(),
                1 - wanted < Fraction(1 - value));
    }
    const double mean = evaluate_exactly(model, policy).mean_return;
    EXPECT_NEAR(check(chain, "R{\"return\"}=? [C]").value, mean, 1e-12 * std::max(1.0, std::abs(mean)));
  }
  EXPECT_GT(edges, 15);
}

TEST(EndlessProperties, BoundedReturnsAreDiscountedToo) {
  FiniteModelData data = testing::gambler();
  data.discount = 0.5;
  data.outcomes[0].reward = -3;
  const FiniteModel model(data);
  const PolicyTable policy = testing::always_bet();
  const EpisodeChain chain(model, policy);
  EXPECT_DOUBLE_EQ(check(chain, "R{\"return\"}=? [C]").value, evaluate_exactly(model, policy).mean_return);
  EXPECT_DOUBLE_EQ(check(chain, "R{\"return\"}=? [C<=2]").value, -1 + 0.5 * 0.5 * 0);
  EXPECT_TRUE(check(chain, "R{\"return\"}>=-1.0625 [C]").holds());
  EXPECT_TRUE(check(chain, "R{\"return\"}<=-1.0625 [C]").holds());
}

TEST(EndlessProperties, FailuresAreShownByRunsThatReplay) {
  int shown = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const FiniteModel model = endless(random_model(seed));
    if (!model.endless()) continue;
    const PolicyTable policy = random_policy(model, seed);
    const EpisodeChain chain(model, policy);
    for (const char* text :
         {"P>=1 [F s1]", "P<=0 [F s1]", "P>=1 [G !s1]", "P>=1 [F \"x\"]", "P<=0 [s0 U s1]"}) {
      const PropertyResult result = check(chain, text);
      if (result.holds()) continue;
      ASSERT_TRUE(result.trace) << seed << ": " << text;
      EXPECT_TRUE(replays(*result.trace, model, &policy)) << seed << ": " << text;
      ++shown;
    }
  }
  EXPECT_GT(shown, 50);
}

TEST(EndlessProperties, TheLoopIsAShortestWayAndOnceAround) {
  FiniteModelData data = testing::numbered_states(5, {"a", "b"});
  const auto to = [](StateId next) { return Outcome{1, -1, next, false, -1}; };
  testing::add_row(data, {{0.5, 0, 1, false, -1}, {0.5, 0, 4, true, -1}});
  testing::add_row(data, {to(0)});
  for (const StateId next : {2, 3, 1}) {  // 1 → 2 → 3 → 1
    testing::add_row(data, {to(next)});
    testing::add_row(data, {{1, 0, 4, true, -1}});
  }
  for (int a = 0; a < 2; ++a) testing::add_row(data, {});
  data.starts = {{1, 0}};
  const FiniteModel model(data);
  const PolicyTable policy(2, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0});
  const auto loop = loop_trace(model, policy);
  ASSERT_TRUE(loop);
  std::vector<StateId> states;
  for (const TraceStep& step : loop->steps) states.push_back(step.state);
  EXPECT_EQ(states, (std::vector<StateId>{0, 1, 2, 3, 1}));
  EXPECT_TRUE(replays(*loop, model, &policy));
  EXPECT_EQ(loop->note, "it is back where it was at step 1, and no end can be reached from there");
  EXPECT_FALSE(loop_trace(model, PolicyTable(2, {1, 0, 0, 1, 1, 0, 1, 0, 1, 0})));
  EXPECT_FALSE(has_value(model, parse_property("", "R{\"return\"}=? [C]", model)));
  EXPECT_TRUE(has_value(model.discounted(0.9), parse_property("", "R{\"return\"}=? [C]", model)));
  EXPECT_FALSE(has_value(model.discounted(0.9), parse_property("", "R{\"length\"}=? [C]", model)));
  EXPECT_TRUE(has_value(model, parse_property("", "R{\"return\"}=? [C<=9]", model)));
}

}  // namespace
}  // namespace ndnf
