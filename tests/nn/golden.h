#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/golden.h"
#include "ndnf/nn/matrix.h"

namespace ndnf::testing {

inline void flatten(const nlohmann::json& node, std::vector<double>& numbers) {
  if (!node.is_array()) return numbers.push_back(node.get<double>());
  for (const nlohmann::json& element : node) flatten(element, numbers);
}

/// A matrix as stored in the file; a plain list is one row, dimensions beyond the second are flattened.
template <class S = double>
Matrix<S> as_matrix(const nlohmann::json& node) {
  std::vector<double> numbers;
  flatten(node, numbers);
  const std::size_t rows = node.at(0).is_array() ? node.size() : 1;
  Matrix<S> m(rows, numbers.size() / rows);
  std::transform(numbers.begin(), numbers.end(), m.values().begin(),
                 [](double x) { return static_cast<S>(x); });
  return m;
}

/// Weights: the files have [output][input], ours are (inputs, outputs).
template <class S = double>
Matrix<S> as_weights(const nlohmann::json& node) {
  const Matrix<S> stored = as_matrix<S>(node);
  Matrix<S> W(stored.cols(), stored.rows());
  for (std::size_t o = 0; o < stored.rows(); ++o) {
    for (std::size_t i = 0; i < stored.cols(); ++i) W(i, o) = stored(o, i);
  }
  return W;
}

template <class S>
Matrix<double> in_double(const Matrix<S>& m) {
  Matrix<double> result(m.rows(), m.cols());
  std::transform(m.values().begin(), m.values().end(), result.values().begin(),
                 [](S x) { return static_cast<double>(x); });
  return result;
}

/// |a − b| ≤ tolerance · max(1, |b|): 1e-9 in double, 1e-4 in float.
template <class S>
inline constexpr double kTolerance = sizeof(S) == sizeof(double) ? 1e-9 : 1e-4;

inline ::testing::AssertionResult close(double actual, double expected, double tolerance) {
  if (std::abs(actual - expected) <= tolerance * std::max(1.0, std::abs(expected))) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "is " << actual << " instead of " << expected;
}

template <class S>
::testing::AssertionResult close(const Matrix<S>& actual, const Matrix<double>& expected,
                                 double tolerance = kTolerance<S>) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return ::testing::AssertionFailure() << "has another shape";
  }
  for (std::size_t r = 0; r < actual.rows(); ++r) {
    for (std::size_t c = 0; c < actual.cols(); ++c) {
      const auto same = close(static_cast<double>(actual(r, c)), expected(r, c), tolerance);
      if (!same) return ::testing::AssertionFailure() << "at (" << r << ", " << c << ") " << same.message();
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace ndnf::testing
