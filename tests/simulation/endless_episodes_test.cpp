#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "mdp/fractions.h"
#include "mdp/small_models.h"
#include "ndnf/base/error.h"
#include "ndnf/simulation/evaluate_by_sampling.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::endless;
using testing::random_model;
using testing::random_policy;

TEST(EndlessEpisodes, SampledFiguresAreTheExactOnes) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const double discount : {1.0, 0.8}) {
      const FiniteModel model = endless(random_model(seed), discount);
      const PolicyTable policy = random_policy(model, seed);
      const Evaluation exact = evaluate_exactly(model, policy);
      const Evaluation sampled = evaluate_by_sampling(model, policy, {20000, 1, 1, nullptr});
      ASSERT_EQ(exact.endless, sampled.endless);
      if (exact.endless) continue;
      EXPECT_NEAR(sampled.mean_return, exact.mean_return, 5 * sampled.standard_error + 1e-9) << seed;
      EXPECT_NEAR(sampled.terminated, exact.terminated, 0.02) << seed;
      EXPECT_EQ(std::isinf(sampled.length), std::isinf(exact.length)) << seed;
    }
  }
}

/// One state, left with the probability `out`.
FiniteModel wait(double out, double discount = 1) {
  FiniteModelData data = testing::numbered_states(2, {"wait"});
  testing::add_row(data, {{1 - out, 1, 0, false, -1}, {out, 1, 1, true, -1}});
  testing::add_row(data, {});
  data.starts = {{1, 0}};
  data.discount = discount;
  return FiniteModel(data);
}

TEST(EndlessEpisodes, AnEpisodeThatDoesNotEndIsAnError) {
  const PolicyTable policy(1, {1, 1});
  EXPECT_THROW(evaluate_by_sampling(wait(1e-12), policy, {1, 0, 1, nullptr}), Error);
  EXPECT_NEAR(evaluate_exactly(wait(1e-12), policy).mean_return, 1e12, 1e-2);
}

/// Each of two actions with probability 1/2.
class Coin final : public Policy {
 public:
  std::size_t action_count() const override { return 2; }
  void probabilities(const ObservationTable&, std::span<const ObsId>, std::span<double> rows) const override {
    std::fill(rows.begin(), rows.end(), 0.5);
  }
};

TEST(Discount, OfSimulatedEpisodes) {
  const Task task = make_task("blackjack");
  const FiniteModel model = task.model().discounted(0.5);
  const Evaluation exact = evaluate_exactly(model, uniform_policy(model.observations()));
  const Evaluation sampled =
      evaluate_by_simulation(task.environments, Coin(), {}, {40000, 1, 1, nullptr, 0.5});
  EXPECT_NEAR(sampled.mean_return, exact.mean_return, 4 * sampled.standard_error);
  EXPECT_LT(std::abs(exact.mean_return),
            std::abs(evaluate_exactly(task.model(), uniform_policy(model.observations())).mean_return));
}

TEST(TableEnv, CutsEndlessEpisodesForTheRolloutAlone) {
  const FiniteModel model = wait(1e-12);
  const TransitionSampler sampler(model);
  TableEnv env(sampler, 1);
  env.reset(0);
  EXPECT_TRUE(env.cuts_episodes());
  for (std::uint32_t step = 1; step <= kRolloutSteps; ++step) {
    const VectorStep taken = env.step(std::vector<ActionId>{0});
    EXPECT_EQ(taken.truncated[0], step == kRolloutSteps ? 1 : 0);
    EXPECT_EQ(taken.terminated[0], 0);
  }
  const FiniteModel limited = make_task("small-corridor").model();
  const TransitionSampler other(limited);
  EXPECT_FALSE(TableEnv(other, 1).cuts_episodes());
}

}  // namespace
}  // namespace ndnf
