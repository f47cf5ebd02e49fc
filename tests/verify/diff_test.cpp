#include "ndnf/verify/diff.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "mdp/fractions.h"
#include "mdp/small_models.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "properties/tasks.h"

namespace ndnf {
namespace {

/// `policy` with the rows of some observations replaced by those of another.
PolicyTable mixed(const PolicyTable& policy, const PolicyTable& other, std::uint64_t seed, double share) {
  RandomSequence random{RandomStream(seed, 2)};
  std::vector<double> rows;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    const auto row = random.uniform() < share ? other.row(obs) : policy.row(obs);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return {policy.action_count(), std::move(rows)};
}

std::set<ObsId> changed_by_brute_force(const FiniteModel& model, const PolicyTable& a, const PolicyTable& b) {
  std::set<ObsId> changed;
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (model.is_end(s)) continue;
    const ObsId obs = model.observation(s);
    for (ActionId action = 0; action < a.action_count(); ++action) {
      if (std::abs(a.row(obs)[action] - b.row(obs)[action]) > 1e-9) changed.insert(obs);
    }
  }
  return changed;
}

TEST(Diff, ContributionsAddUpWithoutAStepLimitAndWithADiscount) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const double discount : {1.0, 0.7}) {
      for (const bool limited : {false, true}) {
        const FiniteModel model = limited ? testing::random_model(seed).discounted(discount)
                                          : testing::endless(testing::random_model(seed), discount);
        const PolicyTable a = testing::random_policy(model, seed);
        const PolicyTable b = testing::random_policy(model, seed + 1000);
        const PolicyDiff diff = diff_policies(model, a, b);
        if (!diff.return_a || !diff.return_b) continue;
        double sum = 0;
        bool all = true;
        for (const ChangedObservation& change : diff.changed) {
          all = all && change.contribution.has_value();
          sum += change.contribution.value_or(0);
        }
        if (!all) continue;
        ++compared;
        EXPECT_NEAR(sum, *diff.return_b - *diff.return_a, 1e-9 * (1 + std::abs(*diff.return_b))) << seed;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(Diff, EqualsBruteForceOverAllObservationsOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    const PolicyTable a = testing::random_stochastic(model, 1);
    const PolicyTable b = mixed(a, testing::random_deterministic(model, 2), 3, 0.3);
    const PolicyDiff diff = diff_policies(model, a, b);
    EXPECT_EQ(diff.observations, model.decision_observations().size()) << spec;
    const Reach by_any = reachable(model);
    const Reach by_b = visited(model, b);
    std::set<ObsId> changed;
    for (const ChangedObservation& change : diff.changed) {
      EXPECT_TRUE(changed.insert(change.obs).second);
      const auto among = [&](const Reach& reach) {
        return std::count(reach.observations.begin(), reach.observations.end(), change.obs) > 0;
      };
      EXPECT_EQ(change.reachable, among(by_any)) << spec;
      EXPECT_EQ(change.visited_b, among(by_b)) << spec;
    }
    EXPECT_EQ(changed, changed_by_brute_force(model, a, b)) << spec;
  }
}

TEST(Diff, ContributionsSumToTheChangeOfReturnOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    for (const double share : {0.05, 0.5, 1.0}) {
      const PolicyTable a = testing::random_stochastic(model, 4);
      const PolicyTable b = mixed(a, testing::random_deterministic(model, 5), 6, share);
      const PolicyDiff diff = diff_policies(model, a, b);
      double sum = 0;
      for (const ChangedObservation& change : diff.changed) sum += change.contribution.value();
      const double change = evaluate_exactly(model, b).mean_return - evaluate_exactly(model, a).mean_return;
      EXPECT_NEAR(sum, change, 1e-9 * std::max(1.0, std::abs(change))) << spec << ' ' << share;
      EXPECT_NEAR(*diff.return_b - *diff.return_a, change, 1e-12) << spec;
    }
  }
}

/// A single change contributes all of the difference; the same policy twice, nothing.
TEST(Diff, OneChangeContributesAll) {
  const FiniteModel model(testing::gambler());
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  const PolicyTable stops_at_2(2, {1, 0, 1, 0, 0, 1, 1, 0});
  const PolicyDiff diff = diff_policies(model, bets, stops_at_2);
  ASSERT_EQ(diff.changed.size(), 1u);
  EXPECT_EQ(diff.changed[0].obs, 2u);
  EXPECT_NEAR(diff.changed[0].visits_b, 0.5, 1e-12);
  EXPECT_NEAR(*diff.changed[0].contribution, *diff.return_b - *diff.return_a, 1e-12);
  EXPECT_TRUE(diff_policies(model, bets, bets).changed.empty());
}

TEST(Diff, DifferencesBelowTheToleranceAreRounding) {
  const FiniteModel model(testing::gambler());
  const PolicyTable a(2, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  const PolicyTable b(2, {0.5, 0.5, 0.5 + 5e-10, 0.5 - 5e-10, 0.5 + 2e-9, 0.5 - 2e-9, 0.5, 0.5});
  const PolicyDiff diff = diff_policies(model, a, b);
  ASSERT_EQ(diff.changed.size(), 1u);
  EXPECT_EQ(diff.changed[0].obs, 2u);
  EXPECT_EQ(diff.within_rounding, 1u);
  EXPECT_EQ(diff_policies(model, a, a).within_rounding, 0u);
}

/// Where A is undefined and only B gets to, A has no value; the sum is still correct.
TEST(Diff, ContributionsSumAlsoWhereAIsUndefinedOnBsWay) {
  const FiniteModel model(testing::gambler());
  const PolicyTable stops(2, {1, 0, 0, 1, 0, 0, 1, 0});
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  const PolicyDiff diff = diff_policies(model, stops, bets);
  ASSERT_EQ(diff.changed.size(), 2u);
  double sum = 0;
  for (const ChangedObservation& change : diff.changed) sum += change.contribution.value();
  EXPECT_NEAR(sum, *diff.return_b - *diff.return_a, 1e-12);
}

TEST(Diff, APolicyThatVisitsUndefinedRowsHasNoReturnAndNoContributions) {
  const FiniteModel model(testing::gambler());
  const PolicyTable undefined(2, {1, 0, 1, 1, 1, 0, 1, 0});
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  const PolicyDiff diff = diff_policies(model, undefined, bets);
  EXPECT_FALSE(diff.return_a);
  EXPECT_TRUE(diff.return_b);
  ASSERT_EQ(diff.changed.size(), 1u);
  EXPECT_FALSE(diff.changed[0].contribution);
}

}  // namespace
}  // namespace ndnf
