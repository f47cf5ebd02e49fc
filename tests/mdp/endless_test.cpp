#include <cmath>

#include <gtest/gtest.h>

#include "mdp/fractions.h"
#include "mdp/small_models.h"
#include "ndnf/base/error.h"
#include "ndnf/mdp/absorbing_chain.h"
#include "ndnf/mdp/bounded.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

using testing::add_row;
using testing::endless;
using testing::endless_values;
using testing::Fraction;
using testing::from_starts;
using testing::numbered_states;
using testing::random_model;
using testing::random_policy;

constexpr int kModels = 300;

double as_double(const Fraction& fraction) { return fraction.convert_to<double>(); }

/// Two states that take turns; each is left with the probability `out`.
FiniteModel seesaw(double out) {
  FiniteModelData data = numbered_states(3, {"go"});
  add_row(data, {{1 - out, 1, 1, false, -1}, {out, 0, 2, true, -1}});
  add_row(data, {{1 - out, 1, 0, false, -1}, {out, 0, 2, true, -1}});
  add_row(data, {});
  data.starts = {{1, 0}};
  return FiniteModel(data);
}

PolicyTable go_everywhere() { return {1, {1, 1, 1}}; }

TEST(Endless, FiguresAreThoseOfFractions) {
  int compared = 0;
  for (int seed = 0; seed < kModels; ++seed) {
    for (const double discount : {1.0, 0.95, 0.3}) {
      const FiniteModel model = endless(random_model(static_cast<std::uint64_t>(seed)), discount);
      const PolicyTable policy = random_policy(model, static_cast<std::uint64_t>(seed));
      const Evaluation found = evaluate_exactly(model, policy);
      if (!model.endless() || !found.has_return() || std::isinf(found.length)) continue;
      ++compared;
      const auto value = [&](double d, auto gain) {
        return as_double(from_starts(model, *endless_values(model, policy, d, gain)));
      };
      const double wanted = value(discount, [](const Outcome& o) { return o.reward; });
      EXPECT_NEAR(found.mean_return, wanted, 1e-12 * std::max(1.0, std::abs(wanted))) << seed;
      EXPECT_NEAR(found.length, value(1, [](const Outcome&) { return 1.0; }), 1e-11 * found.length) << seed;
      EXPECT_NEAR(found.terminated, 1, 1e-12);
      EXPECT_NEAR(found.tag_rates[0], value(1, [](const Outcome& o) { return o.tag == 0 ? 1.0 : 0.0; }),
                  1e-12);
    }
  }
  EXPECT_GT(compared, kModels);
}

TEST(Endless, AreTheLimitOfLongEpisodes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const FiniteModel model = endless(random_model(seed), 0.9);
    const PolicyTable policy = random_policy(model, seed);
    FiniteModelData limited;
    limited.observations = model.shared_observations();
    for (StateId s = 0; s < model.state_count(); ++s) {
      limited.observation.push_back(model.observation(s));
      for (ActionId a = 0; a < 2; ++a) limited.add_row(model.outcomes(s, a));
    }
    limited.starts.assign(model.starts().begin(), model.starts().end());
    limited.tags = model.tags();
    limited.step_limit = 1000;
    limited.discount = 0.9;
    EXPECT_NEAR(evaluate_exactly(model, policy).mean_return,
                evaluate_exactly(FiniteModel(limited), policy).mean_return, 1e-11);
  }
}

TEST(Endless, ARareEndCostsNoAccuracy) {
  for (const double out : {1e-3, 1e-9, 1e-15}) {
    const FiniteModel model = seesaw(out);
    const auto exact = endless_values(model, go_everywhere(), 1, [](const Outcome&) { return 1.0; });
    const double wanted = as_double((*exact)[0]);
    EXPECT_NEAR(evaluate_exactly(model, go_everywhere()).length, wanted, 1e-14 * wanted) << out;
  }
}

TEST(Endless, APolicyThatMayNeverEndHasNoReturnWithoutADiscount) {
  FiniteModelData data = numbered_states(3, {"stay", "leave"});
  for (int s = 0; s < 2; ++s) {
    add_row(data, {{1, 1, static_cast<StateId>(1), false, -1}});
    add_row(data, {{1, 0, 2, true, -1}});
  }
  add_row(data, {});
  add_row(data, {});
  data.starts = {{0.5, 0}, {0.5, 1}};
  const FiniteModel model(data);
  EXPECT_TRUE(model.endless());
  const PolicyTable stays_in_1(2, {0, 1, 1, 0, 0, 1});
  const Evaluation none = evaluate_exactly(model, stays_in_1);
  EXPECT_EQ(none.endless, std::optional<StateId>(1));
  EXPECT_FALSE(none.has_return());
  EXPECT_TRUE(std::isnan(none.expected_return().value));
  const Evaluation half = evaluate_exactly(model.discounted(0.5), stays_in_1);
  EXPECT_NEAR(half.mean_return, 0.5 * 2, 1e-15);  // 1 + 1/2 + 1/4 + … from state 1
  EXPECT_TRUE(std::isinf(half.length));
  EXPECT_NEAR(half.terminated, 0.5, 1e-15);
  EXPECT_TRUE(std::isinf(half.visits[1]));
  EXPECT_NEAR(half.visits[0], 0.5, 1e-15);
}

TEST(Endless, AStateThatOnlyOthersVisitMayLoop) {
  FiniteModelData data = numbered_states(3, {"on", "off"});
  add_row(data, {{1, 1, 1, false, -1}});
  add_row(data, {{1, 3, 2, true, -1}});
  add_row(data, {{1, 1, 1, false, -1}});
  add_row(data, {{1, 1, 1, false, -1}});
  add_row(data, {});
  add_row(data, {});
  data.starts = {{1, 0}};
  EXPECT_EQ(evaluate_exactly(FiniteModel(data), {2, {0, 1, 1, 0, 1, 0}}).mean_return, 3);
}

TEST(Discount, AppliesTogetherWithAStepLimit) {
  FiniteModelData data = testing::gambler();
  data.discount = 0.5;
  // Bets: −1 or +1 at once, then ∓1 at half, …; with the limit of 4 steps.
  const double first = 0.5 * -1 + 0.5 * 1;
  const double later = 0.5 * (-1 + 1) / 2;
  const Evaluation found = evaluate_exactly(FiniteModel(data), testing::always_bet());
  EXPECT_DOUBLE_EQ(found.mean_return, first + later);
  EXPECT_EQ(found.length, evaluate_exactly(FiniteModel(testing::gambler()), testing::always_bet()).length);
  data.outcomes[0].reward = -3;  // ruin in state 1
  const double unlike = 0.5 * -3 + 0.5 * 1 + 0.25 * 0.25 * (0.5 * -3 + 0.5 * 1);
  EXPECT_DOUBLE_EQ(evaluate_exactly(FiniteModel(data), testing::always_bet()).mean_return, unlike);
}

TEST(Discount, OutOfRangeIsRefused) {
  for (const double discount : {0.0, -0.5, 1.0000001, std::nan("")}) {
    FiniteModelData data = testing::gambler();
    data.discount = discount;
    EXPECT_THROW(FiniteModel{data}, Error) << discount;
    EXPECT_THROW(FiniteModel(testing::gambler()).discounted(discount), Error) << discount;
  }
}

TEST(AbsorbingChain, BoundsHoldTheFractions) {
  RandomSequence random(RandomStream(7, 0));
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t n = 1 + random.below(8);
    AbsorbingChain<Bounded> bounded;
    AbsorbingChain<Fraction> exact;
    std::vector<Bounded> rewards;
    std::vector<Fraction> gains;
    for (std::uint32_t s = 0; s < n; ++s) {
      std::vector<AbsorbingChain<Bounded>::Move> moves;
      std::vector<AbsorbingChain<Fraction>::Move> same;
      for (std::uint32_t k = 0; k < 3; ++k) {
        const double p = 0.3 * random.uniform();
        const std::uint32_t next = random.below(n);
        moves.push_back({next, Bounded(p)});
        same.push_back({next, Fraction(p)});
      }
      const double out = 1e-6 + 0.01 * random.uniform();
      bounded.add_state(moves, Bounded(out));
      exact.add_state(same, Fraction(out));
      const double reward = random.normal();
      rewards.emplace_back(reward);
      gains.emplace_back(reward);
    }
    ASSERT_TRUE(bounded.eliminate(WorkLimit()));
    ASSERT_TRUE(exact.eliminate(WorkLimit()));
    const auto found = bounded.values(rewards);
    const auto wanted = exact.values(gains);
    for (std::uint32_t s = 0; s < n; ++s) {
      EXPECT_LE(abs(Fraction(found[s].value) - wanted[s]), Fraction(found[s].error)) << s;
      EXPECT_LE(found[s].error, 1e-12 * (1 + std::abs(found[s].value)) * 1e3);
    }
  }
}

TEST(Reachability, AnEndlessModelHasNoTruncatedStates) {
  const FiniteModel model = seesaw(0.5);
  EXPECT_TRUE(truncated_states(model, go_everywhere()).empty());
  EXPECT_TRUE(surely_finishes(model, std::vector<ActionId>{0, 0, 0}));
}

}  // namespace
}  // namespace ndnf
