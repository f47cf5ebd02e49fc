#include "ndnf/distributions/distribution_clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "distributions/distributions.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::UnorderedElementsAre;

Envelope envelope(const std::vector<std::vector<double>>& rows) {
  Envelope all;
  for (const std::vector<double>& row : rows) all.add(row);
  return all;
}

/// The mean is too far from the first row in one case, from the others in the other.
TEST(Envelope, HasACentreWithinEpsilonToTheLastBit) {
  for (const double odd : {0.52, 0.68}) {
    const std::vector<double> one{odd, 1 - odd};
    const std::vector<double> other{0.6, 0.4};
    const auto centre = envelope({one, other, other, other, other, other, other}).centre(0.05);
    ASSERT_TRUE(centre);
    EXPECT_LE(largest_difference(one, *centre), 0.05);
    EXPECT_LE(largest_difference(other, *centre), 0.05);
    EXPECT_GT(largest_difference(one, *centre), 0.05 - 1e-12);
  }
}

TEST(Envelope, ReachesAsFarAsTwiceEpsilon) {
  EXPECT_TRUE(envelope({{0.75, 0.25}, {0.625, 0.375}}).centre(0.0625));
  EXPECT_FALSE(envelope({{0.75, 0.25}, {0.625, 0.375}}).centre(0.0624));
}

TEST(Envelope, HasNoCentreWhereTheMostProbableActionDiffers) {
  EXPECT_FALSE(envelope({{0.51, 0.49}, {0.49, 0.51}}).centre(0.1));
  Envelope first = envelope({{0.51, 0.49}, {0.49, 0.51}});
  first.add(envelope({{0.51, 0.49}}));
  EXPECT_FALSE(first.centre(0.1));
}

TEST(Envelope, KeepsWhatIsImpossibleSomewhereImpossible) {
  const auto centre = envelope({{0.7, 0.3, 0}, {0.68, 0.28, 0.04}}).centre(0.05);
  ASSERT_TRUE(centre);
  EXPECT_EQ(centre->at(2), 0);
  EXPECT_FALSE(envelope({{0.7, 0.3, 0}, {0.65, 0.29, 0.06}}).centre(0.05));
}

TEST(Clusters, AreIntervalsOfProbabilityAndListPositionsInRisingOrder) {
  const Scope scope = testing::lettered_scope({5}, {{0}, {1}, {2}, {3}, {4}});
  const std::vector<double> first{0.6, 0.52, 0.9, 0.58, 0.94};
  Matrix<double> p(5, 2);
  for (std::size_t i = 0; i < 5; ++i) {
    p(i, 0) = first[i];
    p(i, 1) = 1 - first[i];
  }
  const std::vector<std::size_t> all{0, 1, 2, 3, 4};
  using Cluster = std::vector<std::size_t>;
  EXPECT_THAT(cluster_distributions(scope, p, all, 0.05),
              UnorderedElementsAre(Cluster{0, 1, 3}, Cluster{2, 4}));
  EXPECT_THAT(cluster_distributions(scope, p, std::vector<std::size_t>{1, 3, 4}, 0.05),
              UnorderedElementsAre(Cluster{1, 3}, Cluster{4}));
}

/// Three actions: clusters that are not neighbours in the order of the most probable action's probability may
/// be joined.
RC_GTEST_PROP(Clusters, HaveEveryRowOnce, ()) {
  const Scope scope = testing::random_scope(24, 3);
  Matrix<double> p(scope.size(), 3);
  std::vector<std::size_t> all(scope.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    p(i, 0) = 0.5 + 0.01 * *rc::gen::inRange(-5, 6);
    p(i, 1) = 0.3 + 0.01 * *rc::gen::inRange(-5, 6);
    p(i, 2) = 1 - p(i, 0) - p(i, 1);
  }
  std::vector<std::size_t> seen;
  for (const std::vector<std::size_t>& cluster : cluster_distributions(scope, p, all, 0.03)) {
    Envelope rows;
    for (const std::size_t i : cluster) rows.add({p.row(i), 3});
    RC_ASSERT(rows.centre(0.03).has_value());
    seen.insert(seen.end(), cluster.begin(), cluster.end());
  }
  std::sort(seen.begin(), seen.end());
  RC_ASSERT(seen == all);
}

RC_GTEST_PROP(Clusters, NearestDistributionBetweenBoundsIsBetweenThemAndNoOtherIsNearer, ()) {
  const std::size_t actions = 2 + any_below<std::size_t>(4);
  const Scope scope = testing::random_scope(8, actions);
  const Matrix<double> P = testing::random_distributions(scope);
  const std::span<const double> p(P.row(0), actions);
  std::vector<double> q(P.row(P.rows() - 1), P.row(P.rows() - 1) + actions);
  for (double& x : q) x = 0.99 * x + 0.01 / static_cast<double>(actions);
  std::vector<double> low(actions);
  std::vector<double> high(actions);
  for (std::size_t a = 0; a < actions; ++a) {
    low[a] = std::max(p[a] - 0.1, 0.0);
    high[a] = std::min(p[a] + 0.1, 1.0);
  }
  std::vector<double> t(actions);
  nearest_between(low, high, q, t);
  RC_ASSERT(std::abs(std::accumulate(t.begin(), t.end(), 0.0) - 1) < 1e-12);
  const auto kl_to_q = [&](const std::vector<double>& from) {
    double sum = 0;
    for (std::size_t a = 0; a < actions; ++a) sum += from[a] > 0 ? from[a] * std::log(from[a] / q[a]) : 0;
    return sum;
  };
  // Moving along the straight line to any other allowed distribution, here p, does not come nearer.
  for (std::size_t a = 0; a < actions; ++a) RC_ASSERT(t[a] >= low[a] && t[a] <= high[a]);
  std::vector<double> moved = t;
  for (std::size_t a = 0; a < actions; ++a) moved[a] += 1e-3 * (p[a] - t[a]);
  RC_ASSERT(kl_to_q(moved) >= kl_to_q(t) - 1e-12);
}

}  // namespace
}  // namespace ndnf
