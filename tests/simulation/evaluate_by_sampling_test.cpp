#include "ndnf/simulation/evaluate_by_sampling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

TEST(EvaluateBySampling, AgreesWithTheExactFiguresOnRandomModels) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const FiniteModel model = testing::random_model(seed);
    const PolicyTable policy = testing::random_policy(model, seed);
    const Evaluation exact = evaluate_exactly(model, policy);
    const Evaluation sampled = evaluate_by_sampling(model, policy, {200000, seed, 2, nullptr});
    const auto near_rate = [&](double a, double b) { return std::abs(a - b) < 5 * std::sqrt(0.25 / 200000); };
    EXPECT_NEAR(sampled.mean_return, exact.mean_return, 4.5 * sampled.standard_error) << "seed " << seed;
    EXPECT_TRUE(near_rate(sampled.terminated, exact.terminated));
    for (std::size_t t = 0; t < 2; ++t) EXPECT_TRUE(near_rate(sampled.tag_rates[t], exact.tag_rates[t]));
  }
}

TEST(EvaluateBySampling, DoesNotDependOnTheNumberOfThreads) {
  const FiniteModel model = testing::random_model(7);
  const PolicyTable policy = testing::random_policy(model, 7);
  const Evaluation one = evaluate_by_sampling(model, policy, {300001, 3, 1, nullptr});
  const Evaluation four = evaluate_by_sampling(model, policy, {300001, 3, 4, nullptr});
  EXPECT_EQ(one.mean_return, four.mean_return);
  EXPECT_EQ(one.standard_error, four.standard_error);
  EXPECT_EQ(one.length, four.length);
  EXPECT_NE(one.mean_return, evaluate_by_sampling(model, policy, {300001, 4, 1, nullptr}).mean_return);
}

TEST(EvaluateBySampling, PlaysExactlyTheEpisodesAskedForAndReportsThem) {
  const FiniteModel model(testing::gambler());
  for (const std::size_t episodes : {1u, 3u, 127u, 129u, 70000u}) {
    std::size_t reported = 0;
    const Evaluation result = evaluate_by_sampling(model, testing::always_bet(),
                                                   {episodes, 0, 1, [&](std::size_t n) { reported += n; }});
    EXPECT_EQ(reported, episodes);
    const double ruined = result.tag_rates[0] * static_cast<double>(episodes);
    EXPECT_NEAR(ruined, std::round(ruined), 1e-6);
  }
}

TEST(EvaluateBySampling, NamesAVisitedUndefinedRow) {
  const Evaluation result = evaluate_by_sampling(
      FiniteModel(testing::gambler()), PolicyTable(2, {0, 0, 1, 0, 1, 1, 0, 0}), {100, 0, 1, nullptr});
  ASSERT_TRUE(result.undefined);
  EXPECT_EQ(result.undefined->observation, 2u);
}

}  // namespace
}  // namespace ndnf
