#include "ndnf/mdp/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

TEST(EvaluateExactly, MatchesTheHandComputedGambler) {
  // From 1 with four bets: ruin 1/2 + 1/8, rich 1/4 + 1/16, still playing 1/16 (at 1).
  const Evaluation result = evaluate_exactly(FiniteModel(testing::gambler()), testing::always_bet());
  EXPECT_TRUE(result.exact);
  EXPECT_DOUBLE_EQ(result.mean_return, 0);
  EXPECT_DOUBLE_EQ(result.tag_rates[0], 0.625);
  EXPECT_DOUBLE_EQ(result.tag_rates[1], 0.3125);
  EXPECT_DOUBLE_EQ(result.terminated, 0.9375);
  EXPECT_DOUBLE_EQ(result.length, 1 + 0.5 + 0.25 + 0.125);
  EXPECT_FALSE(result.undefined);
}

TEST(EvaluateExactly, CountsTheStepLimit) {
  FiniteModelData data = testing::gambler();
  data.step_limit = 1;
  const Evaluation result = evaluate_exactly(FiniteModel(data), testing::always_bet());
  EXPECT_DOUBLE_EQ(result.terminated, 0.5);
  EXPECT_DOUBLE_EQ(result.length, 1);
}

TEST(EvaluateExactly, NamesAVisitedUndefinedRowAndIgnoresOthers) {
  const FiniteModel model(testing::gambler());
  const Evaluation visited_row = evaluate_exactly(model, PolicyTable(2, {0, 0, 1, 0, 0, 0, 0, 0}));
  ASSERT_TRUE(visited_row.undefined);
  EXPECT_EQ(visited_row.undefined->state, 2u);
  EXPECT_EQ(visited_row.undefined->observation, 2u);
  EXPECT_FALSE(evaluate_exactly(model, PolicyTable(2, {0, 0, 0, 1, 0, 0, 0, 0})).undefined);
}

/// What an episode adds up to: a number per outcome.
using Gain = std::function<double(const Outcome&)>;

/// The textbook recursion V_t(s) = Σ_a π(a|s) Σ p (g + V_{t−1}(s')): an independent computation of an
/// expectation, in any kind of number.
template <class Number>
Number backward_value(const FiniteModel& model, const PolicyTable& policy, const Gain& gain) {
  std::vector<Number> value(model.state_count(), Number(0));
  for (std::size_t t = 0; t < model.horizon(); ++t) {
    const std::vector<Number> previous = value;
    for (StateId s = 0; s < model.state_count(); ++s) {
      value[s] = 0;
      for (ActionId a = 0; a < model.action_count(); ++a) {
        for (const Outcome& o : model.outcomes(s, a)) {
          value[s] += Number(policy.row(model.observation(s))[a]) * Number(o.probability) *
                      (Number(gain(o)) + (o.terminal ? Number(0) : previous[o.next]));
        }
      }
    }
  }
  Number total = 0;
  for (const Start& start : model.starts()) total += Number(start.probability) * value[start.state];
  return total;
}

double reward_of(const Outcome& outcome) { return outcome.reward; }

TEST(EvaluateExactly, EqualsTheBackwardRecursionOnRandomModels) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const FiniteModel model = testing::random_model(seed);
    const PolicyTable policy = testing::random_policy(model, seed);
    EXPECT_NEAR(evaluate_exactly(model, policy).mean_return, backward_value<double>(model, policy, reward_of),
                1e-12)
        << "seed " << seed;
  }
}

TEST(EvaluateExactly, IsCorrectToTwelveDigitsInEveryFigure) {
  using Rational = boost::multiprecision::cpp_rational;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const FiniteModel model = testing::random_model(seed);
    const PolicyTable policy = testing::random_policy(model, seed);
    const Evaluation result = evaluate_exactly(model, policy);
    const auto expect = [&](double figure, const Gain& gain, const std::string& name) {
      const Rational exact = backward_value<Rational>(model, policy, gain);
      // Rewards of both signs may cancel: the error is relative to their size.
      const Rational size =
          backward_value<Rational>(model, policy, [&](const Outcome& o) { return std::abs(gain(o)); });
      EXPECT_LE(abs(Rational(figure) - exact), size * Rational(1e-12)) << name << ", seed " << seed;
    };
    expect(result.mean_return, reward_of, "return");
    expect(
        result.length, [](const Outcome&) { return 1; }, "length");
    expect(
        result.terminated, [](const Outcome& o) { return o.terminal ? 1 : 0; }, "terminated");
    expect(
        result.tag_rates[1], [](const Outcome& o) { return o.tag == 1 ? 1 : 0; }, "tag y");
  }
}

// The limit of 200 steps is met by nearly every episode: sums of many equal terms.
TEST(EvaluateExactly, KeepsItsDigitsOnALargeMap) {
  const FiniteModel model = make_task("taxi:factored,rows=20,cols=20").model();
  const Evaluation result = evaluate_exactly(model, uniform_policy(model.observations()));
  const auto exact = backward_value<long double>;
  const PolicyTable uniform = uniform_policy(model.observations());
  EXPECT_NEAR(result.mean_return, static_cast<double>(exact(model, uniform, reward_of)), 1e-10);
  EXPECT_LE(result.length, 200);
}

// A long path, a few states at a time: the cost is that of the path, not of its square.
TEST(EvaluateExactly, WalksALongPathInLinearTime) {
  constexpr std::uint32_t kLength = 1'000'000;
  FiniteModelData data;
  auto table = std::make_shared<ObservationTable>(testing::numbered_vocabulary(1, {"go"}));
  data.observation.assign(kLength, table->intern(std::vector<std::uint32_t>{0}));
  data.observations = table;
  for (std::uint32_t s = 0; s < kLength; ++s)
    testing::add_row(data, {{1, 0.1, std::min(s + 1, kLength - 1), s + 1 == kLength, -1}});
  data.starts = {{1, 0}};
  const FiniteModel model(std::move(data));
  const Evaluation result = evaluate_exactly(model, PolicyTable(1, {1}));
  EXPECT_DOUBLE_EQ(result.mean_return, 100'000);
  EXPECT_EQ(result.length, kLength);
  EXPECT_EQ(result.terminated, 1);
}

// A walk that returns with probability 1e-200 soon underflows; states without mass must not cost time.
TEST(EvaluateExactly, ForgetsStatesWhoseProbabilityHasUnderflowed) {
  auto vocabulary = std::make_shared<Vocabulary>(std::vector{AtomGroup::numbered("s", "s", 3)},
                                                 std::vector<std::string>{"go"});
  auto table = std::make_shared<ObservationTable>(vocabulary);
  FiniteModelData data;
  for (std::uint32_t s = 0; s < 3; ++s)
    data.observation.push_back(table->intern(std::vector<std::uint32_t>{s}));
  data.observations = table;
  const double tiny = 1e-200;
  for (StateId s = 0; s < 2; ++s) {
    data.add_row(
        std::vector<Outcome>{{tiny, 0, 0, false, -1}, {tiny, 0, 1, false, -1}, {1, -1, 2, true, -1}});
  }
  data.add_row({});
  data.starts = {{1, 0}};
  data.step_limit = 100;
  const FiniteModel model(std::move(data));
  EXPECT_NEAR(evaluate_exactly(model, uniform_policy(model.observations())).mean_return, -1, 1e-12);
}

TEST(EvaluateExactly, TellsHowOftenEachObservationIsDecidedIn) {
  const FiniteModel model = make_task("small-corridor").model();
  const Evaluation result = evaluate_exactly(model, find_optimum(model).policy);
  EXPECT_NEAR(std::accumulate(result.visits.begin(), result.visits.end(), 0.0), result.length, 1e-12);
  EXPECT_NEAR(result.visits[model.observation(1)], 1, 1e-12);
}

TEST(TruncatedStates, AreThoseAfterTheLastStep) {
  FiniteModelData data = testing::gambler();
  const PolicyTable stops(2, {0, 1, 0, 1, 0, 1, 0, 1});
  for (const std::size_t limit : {1U, 2U, 3U, 4U}) {
    data.step_limit = limit;
    const FiniteModel model(data);
    // The gambler moves between 1 and 2 until the game is over.
    EXPECT_EQ(truncated_states(model, testing::always_bet()),
              (std::vector<StateId>{limit % 2 == 0 ? 1U : 2U}));
    EXPECT_TRUE(truncated_states(model, stops).empty());
  }
}

TEST(Reachable, CountsOnlyStatesWhereSomebodyDecidesInTime) {
  FiniteModelData data = testing::gambler();
  EXPECT_EQ(reachable(FiniteModel(data)).states, (std::vector<StateId>{1, 2}));
  data.step_limit = 1;
  EXPECT_EQ(reachable(FiniteModel(data)).states, (std::vector<StateId>{1}));
}

TEST(Visited, FollowsThePolicyOnly) {
  const FiniteModel model(testing::gambler());
  EXPECT_EQ(visited(model, testing::always_bet()).states, (std::vector<StateId>{1, 2}));
  EXPECT_EQ(visited(model, PolicyTable(2, {0, 1, 0, 1, 0, 1, 0, 1})).observations, (std::vector<ObsId>{1}));
}

}  // namespace
}  // namespace ndnf
