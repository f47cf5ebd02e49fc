#include "ndnf/nn/initialise.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "nn/golden.h"
#include "nn/statistics.h"

namespace ndnf {
namespace {

using testing::deviation_of;
using testing::largest_of;

using testing::close;

RandomSequence random_numbers() { return RandomSequence(RandomStream(7, 0)); }

double mean_of(const Matrix<double>& m) {
  double sum = 0;
  for (const double x : m.values()) sum += x;
  return sum / static_cast<double>(m.size());
}

/// Inner products of the columns.
Matrix<double> gram(const Matrix<double>& m) {
  Matrix<double> result(m.cols(), m.cols());
  for (std::size_t a = 0; a < m.cols(); ++a) {
    for (std::size_t b = 0; b < m.cols(); ++b) {
      for (std::size_t i = 0; i < m.rows(); ++i) result(a, b) += m(i, a) * m(i, b);
    }
  }
  return result;
}

Matrix<double> diagonal(std::size_t size, double value) {
  Matrix<double> m(size, size);
  for (std::size_t i = 0; i < size; ++i) m(i, i) = value;
  return m;
}

TEST(Initialise, NormalHasTheDeviationAsked) {
  RandomSequence random = random_numbers();
  Matrix<double> W(200, 200);
  fill_normal(random, 0.1, W);
  EXPECT_NEAR(mean_of(W), 0, 0.002);
  EXPECT_NEAR(deviation_of(W), 0.1, 0.002);
  EXPECT_GT(largest_of(W), 0.3);
}

TEST(Initialise, UniformFillsItsRange) {
  RandomSequence random = random_numbers();
  Matrix<double> W(200, 200);
  fill_uniform(random, 6, W);
  EXPECT_NEAR(mean_of(W), 0, 0.1);
  EXPECT_NEAR(deviation_of(W), 6 / std::sqrt(3.0), 0.05);
  EXPECT_LE(largest_of(W), 6);
  EXPECT_GT(largest_of(W), 5.99);
}

TEST(Initialise, XavierScalesWithInputsPlusOutputs) {
  RandomSequence random = random_numbers();
  Matrix<double> W(500, 64);
  const double deviation = 5.0 / 3 * std::sqrt(2.0 / 564);
  fill_xavier_normal(random, 5.0 / 3, W);
  EXPECT_NEAR(deviation_of(W), deviation, 0.02 * deviation);
  EXPECT_GT(largest_of(W), 3 * deviation);
  fill_xavier_uniform(random, 5.0 / 3, W);
  EXPECT_NEAR(deviation_of(W), deviation, 0.02 * deviation);
  EXPECT_LE(largest_of(W), std::sqrt(3.0) * deviation);
}

TEST(Initialise, UnitRowsGivesEveryOutputWeightsOfLengthOne) {
  RandomSequence random = random_numbers();
  Matrix<double> W(44, 64);
  fill_unit_rows(random, W);
  const Matrix<double> products = gram(W);
  for (std::size_t o = 0; o < W.cols(); ++o) EXPECT_NEAR(products(o, o), 1, 1e-12);
  EXPECT_NEAR(mean_of(W), 0, 0.01);
}

TEST(Initialise, OrthogonalHasOrthogonalRowsOrColumns) {
  RandomSequence random = random_numbers();
  const double gain = std::sqrt(2.0);
  Matrix<double> tall(50, 20);
  fill_orthogonal(random, gain, tall);
  EXPECT_TRUE(close(gram(tall), diagonal(20, 2)));
  Matrix<double> wide(20, 50);
  fill_orthogonal(random, gain, wide);
  Matrix<double> turned(50, 20);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t o = 0; o < 20; ++o) turned(i, o) = wide(o, i);
  }
  EXPECT_TRUE(close(gram(turned), diagonal(20, 2)));
}

TEST(Initialise, FloatNetworksStartLikeDoubleOnes) {
  Matrix<double> exact(9, 5);
  Matrix<float> rounded(9, 5);
  RandomSequence first = random_numbers();
  RandomSequence second = random_numbers();
  fill_orthogonal(first, 1, exact);
  fill_orthogonal(second, 1, rounded);
  EXPECT_TRUE(close(rounded, exact, 1e-7));
  fill_normal(first, 1, exact);
  fill_normal(second, 1, rounded);
  EXPECT_TRUE(close(rounded, exact, 1e-7));
}

}  // namespace
}  // namespace ndnf
