#include "ndnf/nn/adam.h"

#include <cmath>

#include <gtest/gtest.h>

#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::close;
using testing::in_double;
using testing::random_matrix;

template <class S>
class Adam : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Adam, Scalars);

/// Kingma and Ba's Algorithm 1, literally.
struct PlainAdam {
  AdamOptions options;
  Matrix<double> w;
  Matrix<double> m{w.rows(), w.cols()};
  Matrix<double> v{w.rows(), w.cols()};

  void step(int t, double rate, const Matrix<double>& gradient, double scale) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double g = scale * gradient.values()[i];
      double& first = m.values()[i];
      double& second = v.values()[i];
      first = options.beta1 * first + (1 - options.beta1) * g;
      second = options.beta2 * second + (1 - options.beta2) * g * g;
      const double corrected_first = first / (1 - std::pow(options.beta1, t));
      const double corrected_second = second / (1 - std::pow(options.beta2, t));
      w.values()[i] -= rate * corrected_first / (std::sqrt(corrected_second) + options.epsilon);
    }
  }
};

TYPED_TEST(Adam, FollowsTheAlgorithmStepByStep) {
  auto weights = random_matrix<TypeParam>(1, 5, 7);
  PlainAdam plain{{}, in_double(weights)};
  AdamMoments<TypeParam> moments;
  for (int t = 1; t <= 20; ++t) {
    auto gradient = random_matrix<TypeParam>(static_cast<std::uint64_t>(100 + t), 5, 7);
    const double rate = 0.01 * (1 - t / 40.0);
    const double scale = t % 3 == 0 ? 0.1 : 1;
    plain.step(t, rate, in_double(gradient), scale);
    adam_step<TypeParam>({}, {{}, static_cast<std::uint64_t>(t)}, rate, scale, gradient.values(), moments,
                         weights.values());
    EXPECT_TRUE(close(weights, plain.w)) << "step " << t;
    EXPECT_EQ(squared_norm<TypeParam>(gradient.values()), 0) << "the gradient is used up";
  }
}

TYPED_TEST(Adam, FirstStepIsTheRateInTheDirectionOfTheSlope) {
  Matrix<TypeParam> weights(1, 2);
  Matrix<TypeParam> gradient(1, 2, TypeParam(3));
  gradient(0, 1) = TypeParam(-0.25);
  AdamMoments<TypeParam> moments;
  AdamOptions options;
  options.epsilon = 0;
  adam_step<TypeParam>(options, {options, 1}, 0.5, 1, gradient.values(), moments, weights.values());
  EXPECT_NEAR(weights(0, 0), -0.5, 1e-6);
  EXPECT_NEAR(weights(0, 1), 0.5, 1e-6);
}

TYPED_TEST(Adam, SquaredNormCountsEveryEntry) {
  for (const unsigned size : {0u, 1u, 7u, 8u, 9u, 31u}) {
    const auto gradient = random_matrix<TypeParam>(1, 1, size);
    double sum = 0;
    for (const TypeParam g : gradient.values()) sum += static_cast<double>(g) * static_cast<double>(g);
    EXPECT_TRUE(close(squared_norm<TypeParam>(gradient.values()), sum, testing::kTolerance<TypeParam>))
        << size;
  }
}

TEST(ClipFactor, BringsLongGradientsToTheLimitAndLeavesShortOnes) {
  EXPECT_EQ(clip_factor(0.16, 0.5), 1);
  EXPECT_EQ(clip_factor(0, 0.5), 1);
  EXPECT_DOUBLE_EQ(clip_factor(100, 0.5), 0.5 / (10 + 1e-6));
}

}  // namespace
}  // namespace ndnf
