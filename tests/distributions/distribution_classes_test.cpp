#include "ndnf/distributions/distribution_classes.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "distributions/distributions.h"

namespace ndnf {
namespace {

using testing::any_below;
using testing::trained;

std::size_t box_count(const DistributionClasses& result) {
  return std::accumulate(result.classes.begin(), result.classes.end(), std::size_t{0},
                         [](std::size_t sum, const DistributionClass& one) { return sum + one.dnf.size(); });
}

std::size_t most_probable(const double* p, std::size_t actions) {
  return static_cast<std::size_t>(std::max_element(p, p + actions) - p);
}

/// Why these are not classes within epsilon of p; empty if they are.
std::string fault(const DistributionClasses& result, const Scope& scope, const Matrix<double>& p,
                  double epsilon) {
  for (std::size_t i = 0; i < scope.size(); ++i) {
    for (std::size_t m = 0; m < result.classes.size(); ++m) {
      const bool holds = members(result.classes[m].dnf, scope).contains(i);
      if (holds != (result.class_of[i] == m)) return "an observation is in a wrong class";
    }
    const std::vector<double>& q = result.classes[result.class_of[i]].distribution;
    if (std::abs(std::accumulate(q.begin(), q.end(), 0.0) - 1) > 1e-12) return "a sum is not 1";
    if (most_probable(q.data(), q.size()) != most_probable(p.row(i), p.cols())) return "an argmax changed";
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (std::abs(q[a] - p(i, a)) > epsilon + 1e-12) return "a probability is off";
    }
  }
  return "";
}

/// The largest difference between the classes' distributions and their network's.
double network_difference(const DistributionClasses& result, const Scope& scope) {
  const Matrix<double> q = testing::distributions_of(network(result, scope), scope);
  double largest = 0;
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t a = 0; a < q.cols(); ++a) {
      const double expected = result.classes[result.class_of[i]].distribution[a];
      largest = std::max(largest, std::abs(q(i, a) - expected));
    }
  }
  return largest;
}

TEST(DistributionClasses, OfBlackjackAreFewWithFewBoxes) {
  const auto [scope, p] = trained("bj_ndnf_1.json", "blackjack");
  struct Size {
    double epsilon;
    std::size_t classes;
    std::size_t boxes;
  };
  for (const Size& size : {Size{0.05, 12, 50}, {0.03, 18, 66}, {0.01, 40, 118}, {0.001, 145, 220}}) {
    const DistributionClasses result = distribution_classes(scope, p, size.epsilon);
    EXPECT_EQ(fault(result, scope, p, size.epsilon), "");
    EXPECT_LE(result.classes.size(), size.classes);
    EXPECT_LE(box_count(result), size.boxes);
    EXPECT_LE(result.max_dp, size.epsilon);
    EXPECT_LE(network_difference(result, scope), 1e-10);
  }
}

TEST(DistributionClasses, OfCorridorsWithWallsAreOnePerObservationOrFewer) {
  for (const auto& [file, env] : {std::pair{"sc_pomdp_ndnf_1.json", "small-corridor:wall"},
                                  std::pair{"lc11_pomdp_ndnf_1.json", "long-corridor-11:wall"}}) {
    const auto [scope, p] = trained(file, env);
    const DistributionClasses result = distribution_classes(scope, p, 0.001);
    EXPECT_EQ(fault(result, scope, p, 0.001), "");
    EXPECT_LE(result.classes.size(), scope.size());
  }
}

TEST(DistributionClasses, DoNotCrossTheBorderBetweenActions) {
  const Scope scope = testing::lettered_scope({4}, {{0}, {1}, {2}, {3}});
  Matrix<double> p(4, 2);
  const std::vector<double> first{0.48, 0.49, 0.51, 0.52};
  for (std::size_t i = 0; i < 4; ++i) {
    p(i, 0) = first[i];
    p(i, 1) = 1 - first[i];
  }
  const DistributionClasses result = distribution_classes(scope, p, 0.1);
  EXPECT_EQ(result.classes.size(), 2u);
  EXPECT_EQ(fault(result, scope, p, 0.1), "");
}

TEST(DistributionClasses, WithoutToleranceJoinEqualDistributionsOnly) {
  const Scope scope = testing::lettered_scope({4}, {{0}, {1}, {2}, {3}});
  Matrix<double> p(4, 2);
  for (std::size_t i = 0; i < 4; ++i) p(i, i % 2) = 1;
  const DistributionClasses result = distribution_classes(scope, p, 0);
  EXPECT_EQ(result.classes.size(), 2u);
  EXPECT_EQ(box_count(result), 2u);
  EXPECT_EQ(fault(result, scope, p, 0), "");
  EXPECT_LE(network_difference(result, scope), 2 * kLeastProbability);
}

// As under a shield: 0 may stand for 0.04, but 0.03 not for 0.
TEST(DistributionClasses, KeepImpossibleActionsImpossible) {
  const Scope scope = testing::lettered_scope({4}, {{0}, {1}, {2}, {3}});
  Matrix<double> p(4, 2);
  const std::vector<double> second{0, 0.04, 0.06, 0.15};
  for (std::size_t i = 0; i < 4; ++i) {
    p(i, 0) = 1 - second[i];
    p(i, 1) = second[i];
  }
  const DistributionClasses result = distribution_classes(scope, p, 0.05);
  EXPECT_EQ(result.classes[result.class_of[0]].distribution[1], 0);
  EXPECT_NE(result.class_of[0], result.class_of[2]);
  EXPECT_EQ(fault(result, scope, p, 0.05), "");
}

/// Each of two boxes is redundant while the other is there: only one of them may be removed.
TEST(DistributionClasses, LeaveOutABoxOnlyWhereThoseThatStayHoldAllOfIt) {
  const Scope scope = testing::lettered_scope({3, 3, 3}, {{0, 2, 2},
                                                          {1, 0, 0},
                                                          {1, 0, 2},
                                                          {0, 1, 2},
                                                          {0, 1, 0},
                                                          {0, 2, 1},
                                                          {1, 2, 0},
                                                          {1, 1, 1},
                                                          {0, 0, 1},
                                                          {2, 2, 1},
                                                          {2, 2, 2},
                                                          {1, 1, 0},
                                                          {1, 0, 1},
                                                          {1, 2, 2},
                                                          {2, 0, 0},
                                                          {0, 0, 0},
                                                          {0, 1, 1}});
  Matrix<double> p(scope.size(), 2);
  for (std::size_t i = 0; i < scope.size(); ++i) p(i, 0) = 0.25;
  for (const std::size_t i : {1U, 5U, 8U, 12U, 15U}) p(i, 0) = 0.75;
  for (std::size_t i = 0; i < scope.size(); ++i) p(i, 1) = 1 - p(i, 0);
  EXPECT_EQ(fault(distribution_classes(scope, p, 0), scope, p, 0), "");
}

RC_GTEST_PROP(DistributionClasses, AreWithinEpsilonAndEqualTheirNetwork, ()) {
  const std::size_t actions = 2 + any_below<std::size_t>(3);
  const Scope scope = testing::random_scope(20, actions);
  const Matrix<double> p = testing::random_distributions(scope);
  const double epsilon = std::pow(10, -static_cast<double>(any_below(5))) / 2;
  const DistributionClasses result = distribution_classes(scope, p, epsilon);
  RC_ASSERT(fault(result, scope, p, epsilon) == "");
  RC_ASSERT(box_count(result) <= scope.size());
  RC_ASSERT(network_difference(result, scope) <= 1e-10);
}

}  // namespace
}  // namespace ndnf
