#pragma once

#include <cstdint>
#include <span>

#include <gtest/gtest.h>

#include "ndnf/base/random.h"
#include "ndnf/nn/initialise.h"
#include "ndnf/nn/matrix.h"
#include "nn/golden.h"

namespace ndnf::testing {

/// Standard normal numbers, the same for the same seed.
template <class S = double>
Matrix<S> random_matrix(std::uint64_t seed, std::size_t rows, std::size_t cols) {
  RandomSequence random(RandomStream(seed, 0));
  Matrix<S> m(rows, cols);
  fill_normal(random, 1, m);
  return m;
}

/// Σ a b over all entries: a loss whose gradient with respect to `a` is `b`.
template <class S>
double weighted_sum(const Matrix<S>& a, const Matrix<S>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a.values()[i] * b.values()[i]);
  return sum;
}

/// Compares `gradient` with central differences of loss() in each of `parameters`, which are changed and
/// restored.
template <class Loss>
::testing::AssertionResult is_gradient(const Matrix<double>& gradient, Matrix<double>& parameters,
                                       Loss loss) {
  constexpr double kStep = 1e-5;
  Matrix<double> differences(parameters.rows(), parameters.cols());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    double& x = parameters.values()[i];
    const double before = x;
    x = before + kStep;
    const double above = loss();
    x = before - kStep;
    const double below = loss();
    x = before;
    differences.values()[i] = (above - below) / (2 * kStep);
  }
  return close(gradient, differences, 1e-7);
}

}  // namespace ndnf::testing
