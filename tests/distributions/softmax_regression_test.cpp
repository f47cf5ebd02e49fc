#include "ndnf/distributions/softmax_regression.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "distributions/distributions.h"

namespace ndnf {
namespace {

using testing::any_below;

constexpr SoftmaxSolver kPrecise{.max_steps = 200, .min_decrease = 0};

Matrix<double> matrix(std::size_t rows, std::size_t cols, const std::vector<double>& values) {
  Matrix<double> m(rows, cols);
  std::copy(values.begin(), values.end(), m.values().begin());
  return m;
}

/// A column of ones and random columns of 0 and 1.
Matrix<double> random_features(std::size_t rows, std::size_t cols) {
  Matrix<double> X(rows, cols, 1.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 1; k < cols; ++k) X(i, k) = any_below(2);
  }
  return X;
}

TEST(SoftmaxRegression, WithABiasAloneFindsTheWeightedMean) {
  const Matrix<double> X(3, 1, 1.0);
  const Matrix<double> P = matrix(3, 2, {0.9, 0.1, 0.6, 0.4, 0.2, 0.8});
  const std::vector<double> importance{1, 2, 1};
  Matrix<double> W(1, 2);
  fit_softmax({X, P, importance}, kPrecise, W);
  EXPECT_NEAR(softmax_rows(X, W)(0, 0), (0.9 + 2 * 0.6 + 0.2) / 4, 1e-9);
}

TEST(SoftmaxRegression, ReturnsTheLossOfTheFit) {
  const Matrix<double> X(2, 1, 1.0);
  const Matrix<double> P = matrix(2, 2, {1, 0, 0, 1});
  Matrix<double> W(1, 2);
  EXPECT_NEAR(fit_softmax({X, P, std::vector<double>{1, 1}}, kPrecise, W), 2 * std::log(2), 1e-12);
}

TEST(SoftmaxRegression, WithToleranceLeavesCertainTargetsAtFiniteWeights) {
  const Matrix<double> X = matrix(2, 2, {1, 0, 1, 1});
  const Matrix<double> P = matrix(2, 2, {1, 0, 0, 1});
  Matrix<double> W(2, 2);
  EXPECT_LE(fit_softmax({X, P, std::vector<double>{1, 1}, 0.01}, kPrecise, W), 1e-12);
  EXPECT_LE(distance(P, softmax_rows(X, W)).max_dp, 0.01 + 1e-6);
  for (const double w : W.values()) EXPECT_LT(std::abs(w), 10);
}

RC_GTEST_PROP(SoftmaxRegression, EndsWhereTheSlopeIsZero, ()) {
  const std::size_t actions = 2 + any_below<std::size_t>(4);
  const Scope scope = testing::random_scope(20, actions);
  Matrix<double> P = testing::random_distributions(scope);
  for (double& p : P.values()) p = 0.9 * p + 0.1 / static_cast<double>(actions);
  const Matrix<double> X = random_features(P.rows(), 1 + any_below<std::size_t>(5));
  Matrix<double> W(X.cols(), actions);
  fit_softmax({X, P, std::vector<double>(P.rows(), 1)}, kPrecise, W);
  const Matrix<double> Q = softmax_rows(X, W);
  for (std::size_t k = 0; k < X.cols(); ++k) {
    for (std::size_t a = 0; a < actions; ++a) {
      double gradient = 0;
      for (std::size_t i = 0; i < P.rows(); ++i) gradient += X(i, k) * (P(i, a) - Q(i, a));
      RC_ASSERT(std::abs(gradient) < 1e-5);
    }
  }
}

RC_GTEST_PROP(SoftmaxRegression, NearestDistributionBetweenBoundsIsBetweenThemAndNoOtherIsNearer, ()) {
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
