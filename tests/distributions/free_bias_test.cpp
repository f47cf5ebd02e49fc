#include "ndnf/distributions/free_bias.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "distributions/distributions.h"

namespace ndnf {
namespace {

using testing::any_below;

/// The constant that a disjunction adds to Σ v c if an always-true conjunction with weight a is added.
double bias_with(std::vector<double> weights, double a) {
  weights.push_back(a);
  double sum = 0;
  double largest = 0;
  for (const double w : weights) {
    sum += std::abs(w);
    largest = std::max(largest, std::abs(w));
  }
  return a + sum - largest;
}

TEST(FreeBias, ReachesEveryValue) {
  for (const std::vector<double>& weights : {std::vector<double>{}, {0}, {3}, {1, -2}, {0.5, 4, -4}}) {
    for (double b = -12; b <= 12; b += 0.25) {
      EXPECT_NEAR(bias_with(weights, weight_for_bias(weights, b)), b, 1e-12);
    }
  }
}

RC_GTEST_PROP(FreeBias, MakesEveryAffineFunctionOfConjunctionsANetwork, ()) {
  const std::size_t actions = 2 + any_below<std::size_t>(3);
  const Scope scope = testing::random_scope(12, actions);
  std::vector<Conjunction> conjunctions(any_below<std::size_t>(5));
  for (auto& conjunction : conjunctions) {
    const std::size_t seed = any_below(scope.size());
    conjunction = literals(hull(scope, {{seed, any_below(scope.size())}}), scope);
  }
  const auto any_weight = [] { return 0.1 * static_cast<double>(any_below(100)) - 5; };
  Matrix<double> weights(conjunctions.size(), actions);
  std::vector<double> bias(actions);
  for (double& w : weights.values()) w = any_weight();
  for (double& b : bias) b = 4 * any_weight();

  Matrix<double> expected(scope.size(), actions);
  for (std::size_t i = 0; i < scope.size(); ++i) {
    double sum = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      double z = bias[a];
      for (std::size_t k = 0; k < conjunctions.size(); ++k) {
        const bool holds = contains(box_of(conjunctions[k], scope), scope.values(i));
        z += holds ? weights(k, a) : -weights(k, a);
      }
      sum += expected(i, a) = std::exp(z);
    }
    for (std::size_t a = 0; a < actions; ++a) expected(i, a) /= sum;
  }
  const Matrix<double> q = testing::distributions_of(
      affine_network(conjunctions, weights, bias, scope.vocabulary().atom_count()), scope);
  for (std::size_t i = 0; i < q.size(); ++i)
    RC_ASSERT(std::abs(q.values()[i] - expected.values()[i]) < 1e-12);
}

}  // namespace
}  // namespace ndnf
