#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/verify/diff.h"
#include "properties/tasks.h"

namespace ndnf {
namespace {

/// Smaller comes first.
std::tuple<double, double, ObsId> rank(const ChangedObservation& change) {
  return {-std::abs(change.contribution.value_or(0)), -change.visits_b, change.obs};
}

TEST(DiffOrder, PutsTheLargestContributionFirstThenVisitsThenTheNumberOnEveryTask) {
  std::size_t harmful_before_helpful = 0;
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    const PolicyDiff diff =
        diff_policies(model, testing::random_stochastic(model, 1), testing::random_stochastic(model, 2));
    ASSERT_GT(diff.changed.size(), 1u) << spec;
    for (std::size_t i = 1; i < diff.changed.size(); ++i) {
      EXPECT_LT(rank(diff.changed[i - 1]), rank(diff.changed[i])) << spec << ' ' << i;
      if (*diff.changed[i - 1].contribution < 0 && *diff.changed[i].contribution > 0)
        ++harmful_before_helpful;
    }
  }
  EXPECT_GT(harmful_before_helpful, 0u);  // by size, not by sign
}

/// Without contributions, the visits of B decide.
TEST(DiffOrder, PutsWhatBVisitsMoreFirstWhereNothingCanBeSaidOfTheReturn) {
  FiniteModelData data = testing::gambler();
  data.starts = {{1, 2}};
  const FiniteModel model(std::move(data));
  const PolicyTable undefined(2, {1, 0, 0, 1, 1, 1, 1, 0});
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  const PolicyDiff diff = diff_policies(model, undefined, bets);
  ASSERT_EQ(diff.changed.size(), 2u);  // who bets is at 2 first, and at 1 half of the time
  EXPECT_EQ(diff.changed[0].obs, 2u);
  EXPECT_GT(diff.changed[0].visits_b, diff.changed[1].visits_b);
  for (const ChangedObservation& change : diff.changed) EXPECT_FALSE(change.contribution);
}

}  // namespace
}  // namespace ndnf
