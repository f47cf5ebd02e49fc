#include "ndnf/update/gae.h"

#include <gtest/gtest.h>

#include "ndnf/model/build.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/ppo.h"
#include "ndnf/train/rollout.h"
#include "ndnf/train/streams.h"

namespace ndnf {
namespace {

double explained(const std::vector<double>& values, const std::vector<double>& returns) {
  return explained_variance<double>(values, returns);
}

// 1 − Var(returns − values) / Var(returns), by hand: the residuals 0, 0, 0, −1 have variance 3/16, the
// returns 5/4.
TEST(ExplainedVariance, IsAsComputedByHand) {
  EXPECT_NEAR(explained({1, 2, 3, 5}, {1, 2, 3, 4}), 0.85, 1e-15);
}

TEST(ExplainedVariance, OfAPerfectCriticIsOneWhateverItsOffset) {
  EXPECT_NEAR(explained({1, 2, 3, 4}, {1, 2, 3, 4}), 1, 1e-15);
  EXPECT_NEAR(explained({4, 5, 6, 7}, {1, 2, 3, 4}), 1, 1e-12);
}

TEST(ExplainedVariance, IsZeroForAConstantAndNegativeForAHarmfulCritic) {
  EXPECT_NEAR(explained({2, 2, 2, 2}, {1, 2, 3, 4}), 0, 1e-15);
  EXPECT_NEAR(explained({4, 3, 2, 1}, {1, 2, 3, 4}), -3, 1e-12);  // the residuals are twice as wide
  EXPECT_EQ(explained({1, 2, 3, 4}, {2, 2, 2, 2}), 0);            // there is nothing to explain
}

/// Everything a training run needs, with defaults.
struct GaeTask {
  explicit GaeTask(const std::string& spec) : environment(make_task(spec)), sampler(environment.model()) {}

  ActorCritic<double> network() const {
    RandomSequence random(RandomStream(0, kFirstWeightsStream));
    return build_network(environment.model().observations(), {}, {}, {}, random);
  }
  std::unique_ptr<VectorEnv> env(std::size_t walkers) const {
    return std::make_unique<TableEnv>(sampler, walkers, kEnvironmentStream);
  }

  Task environment;
  TransitionSampler sampler;
};

// Before its first update the critic explains hardly anything of returns from −50 to −3. If the two were
// swapped, the result would be divided by the critic's own small variance.
TEST(ExplainedVariance, IsReportedOfTheReturnsByTheCritic) {
  const GaeTask task("small-corridor:wall");
  const PpoOptions ppo;
  PpoTrainer<double> trainer(task.env(static_cast<std::size_t>(ppo.num_envs)), task.network(), ppo, {}, {},
                             {}, 5);
  const IterationReport report = trainer.iterate();
  ASSERT_TRUE(report.explained_variance);
  EXPECT_GT(*report.explained_variance, -1);
  EXPECT_LT(*report.explained_variance, 1);
}

// One step from the goal with a limit of one step: to the right the episode is terminated and truncated at
// once, to the left only truncated. An end state that is reached has value 0, limit or not.
TEST(Collector, AnEpisodeThatEndsAtTheLimitIsNotBootstrapped) {
  const GaeTask task("small-corridor:start=2,step_limit=1");
  const ActorCritic<double> network = task.network();
  Collector<double> plain(task.env(8), 8, 1);
  Collector<double> bootstrapped(task.env(8), 8, 1);
  const Rollout<double> without = plain.collect(network, 8, 0);
  const Rollout<double> with = bootstrapped.collect(network, 8, 0, 0.5);
  const ActionId right = *task.environment.model().vocabulary().find_action("right");
  std::size_t terminated = 0;
  for (std::size_t i = 0; i < with.rewards.size(); ++i) {
    ASSERT_EQ(with.actions[i], without.actions[i]);
    EXPECT_EQ(with.rewards[i] == without.rewards[i], with.actions[i] == right);
    terminated += with.actions[i] == right ? 1 : 0;
  }
  EXPECT_GT(terminated, 0u);
  EXPECT_LT(terminated, with.rewards.size());
}

}  // namespace
}  // namespace ndnf
