#include "ndnf/pieces/measure.h"

#include <gtest/gtest.h>

#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// The policy that always takes this action.
PolicyTable always(const Task& environment, ActionId action) {
  const std::size_t actions = environment.model().action_count();
  std::vector<double> rows(environment.model().observations().size() * actions, 0.0);
  for (std::size_t obs = 0; obs * actions < rows.size(); ++obs) rows[obs * actions + action] = 1;
  return {actions, std::move(rows)};
}

TEST(Measure, FindsNoDivergenceInBlackjacksOptimum) {
  const Task blackjack = make_task("blackjack");
  const Json measures = measure(find_optimum(blackjack.model()).policy, blackjack);
  EXPECT_EQ(measures.at("divergence").at("decisions"), 0.0);
  EXPECT_EQ(measures.at("hits").size(), 280u);
  EXPECT_NEAR(measures.at("argmax").at("return").get<double>(), -0.043113, 1e-6);
  EXPECT_NEAR(measures.at("argmax").at("win").get<double>(), 0.43290, 1e-5);
  EXPECT_EQ(measures.at("stuck_starts"), 0);
}

TEST(Measure, CountsBustHandsAsStick) {
  const Task blackjack = make_task("blackjack");
  const Json sticks = measure(always(blackjack, 0), blackjack).at("divergence");
  const Json hits = measure(always(blackjack, 1), blackjack).at("divergence");
  // The two differ in every observation, so what one gets right the other gets wrong.
  EXPECT_NEAR(sticks.at("decisions").get<double>() + hits.at("decisions").get<double>(), 1, 1e-12);
  EXPECT_NEAR(sticks.at("all").get<double>() * 380, sticks.at("decisions").get<double>() * 280, 1e-9);
  EXPECT_NEAR(hits.at("all").get<double>() * 380, hits.at("decisions").get<double>() * 280 + 100, 1e-9);
}

TEST(Measure, CountsEveryStartThatHasNoEnd) {
  const Task taxi = make_task("taxi:one-hot");
  EXPECT_EQ(measure(always(taxi, 0), taxi).at("stuck_starts"), 300);
  EXPECT_EQ(measure(find_optimum(taxi.model()).policy, taxi).at("stuck_starts"), 0);
}

TEST(Measure, HasNoReturnWhereThePolicyIsUndefined) {
  const Task corridor = make_task("small-corridor");
  const PolicyTable nothing(2, std::vector<double>(corridor.model().observations().size() * 2, 0.0));
  const Json measures = measure(nothing, corridor);
  EXPECT_TRUE(measures.at("argmax").at("return").is_null());
  EXPECT_EQ(measures.at("stuck_starts"), 1);
}

}  // namespace
}  // namespace ndnf
