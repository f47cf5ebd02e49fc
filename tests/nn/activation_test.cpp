#include "ndnf/nn/activation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::as_matrix;
using testing::close;
using testing::is_gradient;
using testing::random_matrix;
using testing::weighted_sum;

template <class S>
Matrix<S> softmax(const Matrix<S>& d) {
  Matrix<S> p;
  softmax_forward(d, p);
  return p;
}

template <class S>
Matrix<S> softmax_gradients(const Matrix<S>& p, const Matrix<S>& dp) {
  Matrix<S> dd(p.rows(), p.cols());
  softmax_backward(p, dp, dd);
  return dd;
}

template <class S>
class MutexTanh : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MutexTanh, Scalars);

TYPED_TEST(MutexTanh, MatchesTheReference) {
  std::size_t number = 0;
  for (const auto& golden : testing::golden_cases("mutex_tanh.json")) {
    SCOPED_TRACE(number++);
    const auto raw = as_matrix<TypeParam>(golden.at("raw"));
    const auto p = softmax(raw);
    EXPECT_TRUE(close(p, as_matrix(golden.at("probs"))));
    Matrix<TypeParam> mutex(p.rows(), p.cols());
    Matrix<TypeParam> dp(p.rows(), p.cols());  // of L = Σ mutex-tanh · R, where mutex-tanh = 2 p − 1
    const auto R = as_matrix<TypeParam>(golden.at("R"));
    for (std::size_t i = 0; i < p.size(); ++i) {
      mutex.values()[i] = 2 * p.values()[i] - 1;
      dp.values()[i] = 2 * R.values()[i];
    }
    EXPECT_TRUE(close(mutex, as_matrix(golden.at("mutex_tanh"))));
    EXPECT_TRUE(close(softmax_gradients(p, dp), as_matrix(golden.at("draw_for_L"))));
    Matrix<TypeParam> y;
    tanh_forward(raw, y);
    EXPECT_TRUE(close(y, as_matrix(golden.at("tanh"))));
  }
}

/// PPO needs log p of the action taken. The reference suffers cancellation in (2 p − 1 + 1) / 2, so tiny p
/// are left out.
TEST(MutexTanhLogarithm, MatchesTheReferenceWhereProbabilitiesAreNotTiny) {
  std::size_t compared = 0;
  for (const auto& golden : testing::golden_cases("mutex_tanh.json")) {
    const auto p = softmax(as_matrix(golden.at("raw")));
    const Matrix<double> expected = as_matrix(golden.at("draw_for_sum_v_logprob"));
    for (std::size_t b = 0; b < p.rows(); ++b) {
      const auto action = golden.at("action")[b].get<std::size_t>();
      if (p(b, action) <= 1e-6) continue;
      ++compared;
      EXPECT_TRUE(close(std::log(p(b, action)), golden.at("log_prob")[b].get<double>(), 1e-9));
      Matrix<double> dp(p.rows(), p.cols());
      dp(b, action) = golden.at("v")[b].get<double>() / p(b, action);
      const Matrix<double> dd = softmax_gradients(p, dp);
      for (std::size_t j = 0; j < p.cols(); ++j) EXPECT_TRUE(close(dd(b, j), expected(b, j), 1e-9));
    }
  }
  EXPECT_GT(compared, 20u);
}

TEST(MutexTanhEntropy, MatchesTheReference) {
  for (const auto& golden : testing::golden_cases("mutex_tanh.json")) {
    const auto p = softmax(as_matrix(golden.at("raw")));
    Matrix<double> entropy(1, p.rows());
    Matrix<double> dp(p.rows(), p.cols());
    for (std::size_t b = 0; b < p.rows(); ++b) {
      for (std::size_t j = 0; j < p.cols(); ++j) {
        entropy(0, b) -= p(b, j) * std::log(p(b, j));
        dp(b, j) = -golden.at("v")[b].get<double>() * (std::log(p(b, j)) + 1);
      }
    }
    EXPECT_TRUE(close(entropy, as_matrix(golden.at("entropy"))));
    EXPECT_TRUE(close(softmax_gradients(p, dp), as_matrix(golden.at("draw_for_sum_v_entropy"))));
  }
}

TEST(SoftmaxBackward, MatchesFiniteDifferencesAndAdds) {
  Matrix<double> d = random_matrix(1, 4, 5);
  const Matrix<double> R = random_matrix(2, 4, 5);
  const auto loss = [&] { return weighted_sum(softmax(d), R); };
  Matrix<double> dd = softmax_gradients(softmax(d), R);
  EXPECT_TRUE(is_gradient(dd, d, loss));
  softmax_backward(softmax(d), R, dd);
  EXPECT_TRUE(is_gradient(dd, d, [&] { return 2 * loss(); }));
}

TEST(Softmax, StandsAnySize) {
  Matrix<float> d(1, 3);
  d(0, 0) = 3e38f;
  d(0, 1) = -3e38f;
  d(0, 2) = 3e38f;
  const Matrix<float> p = softmax(d);
  EXPECT_FLOAT_EQ(p(0, 0), 0.5f);
  EXPECT_NEAR(p(0, 1), 0, 1e-37);
}

TEST(TanhBackward, MatchesFiniteDifferences) {
  Matrix<double> z = random_matrix(1, 3, 11);
  const Matrix<double> R = random_matrix(2, 3, 11);
  Matrix<double> y;
  const auto loss = [&] {
    tanh_forward(z, y);
    return weighted_sum(y, R);
  };
  loss();
  Matrix<double> dz;
  tanh_backward(y, R, dz);
  EXPECT_TRUE(is_gradient(dz, z, loss));
}

TEST(ReluBackward, MatchesFiniteDifferences) {
  Matrix<double> z = random_matrix(1, 3, 11);
  const Matrix<double> R = random_matrix(2, 3, 11);
  Matrix<double> y;
  const auto loss = [&] {
    relu_forward(z, y);
    return weighted_sum(y, R);
  };
  loss();
  Matrix<double> dz;
  relu_backward(y, R, dz);
  EXPECT_TRUE(is_gradient(dz, z, loss));
}

TEST(Activation, WorksInPlace) {
  const Matrix<double> z = random_matrix(1, 2, 9);
  const Matrix<double> gradient = random_matrix(2, 2, 9);
  Matrix<double> y;
  Matrix<double> dz;
  tanh_forward(z, y);
  tanh_backward(y, gradient, dz);
  Matrix<double> same = z;
  tanh_forward(same, same);
  EXPECT_TRUE(close(same, y, 0));
  same = gradient;
  tanh_backward(y, same, same);
  EXPECT_TRUE(close(same, dz, 0));
}

TEST(Softmax, UnderAMaskIsThatOfTheAllowedOutputsAlone) {
  const Matrix<double> d = random_matrix(3, 2, 4);
  const std::vector<std::uint64_t> allowed = {0b1011, 0b0100};
  Matrix<double> p;
  masked_softmax_forward(d, std::span<const std::uint64_t>(allowed), p);
  const double sum = std::exp(d(0, 0)) + std::exp(d(0, 1)) + std::exp(d(0, 3));
  for (const std::size_t j : {0u, 1u, 3u}) EXPECT_NEAR(p(0, j), std::exp(d(0, j)) / sum, 1e-14);
  EXPECT_EQ(p(0, 2), 0);
  EXPECT_EQ(p(1, 2), 1);
  EXPECT_EQ(p(1, 0) + p(1, 1) + p(1, 3), 0);
}

TEST(Softmax, WhereEverythingIsAllowedIsTheSameToTheBit) {
  const Matrix<float> d = random_matrix<float>(4, 7, 6);
  const std::vector<std::uint64_t> allowed(7, 0b111111);
  Matrix<float> plain;
  Matrix<float> masked;
  softmax_forward(d, plain);
  masked_softmax_forward(d, std::span<const std::uint64_t>(allowed), masked);
  EXPECT_TRUE(std::equal(plain.values().begin(), plain.values().end(), masked.values().begin()));
}

// A forbidden output that is much larger than the others must not make them vanish.
TEST(Softmax, UnderAMaskDoesNotCareHowLargeForbiddenOutputsAre) {
  Matrix<float> d(1, 3);
  d(0, 0) = 1000;
  d(0, 1) = d(0, 2) = -1000;
  const std::vector<std::uint64_t> allowed = {0b110};
  Matrix<float> p;
  masked_softmax_forward(d, std::span<const std::uint64_t>(allowed), p);
  EXPECT_EQ(p(0, 1), 0.5f);
}

TEST(Step, CountsZeroAsTrueSoThatAnEmptyConjunctionHolds) {
  Matrix<float> z(1, 3);
  z(0, 0) = 0.01f;
  z(0, 2) = -5;
  Matrix<float> y;
  step_forward(z, y);
  EXPECT_EQ(y(0, 0), 1);
  EXPECT_EQ(y(0, 1), 1);
  EXPECT_EQ(y(0, 2), -1);
}

}  // namespace
}  // namespace ndnf
