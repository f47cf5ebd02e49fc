#pragma once

#include <algorithm>
#include <cmath>

#include "ndnf/nn/matrix.h"

namespace ndnf::testing {

/// The root mean square of the numbers.
inline double deviation_of(const Matrix<double>& m) {
  double sum = 0;
  for (const double x : m.values()) sum += x * x;
  return std::sqrt(sum / static_cast<double>(m.size()));
}

inline double largest_of(const Matrix<double>& m) {
  double largest = 0;
  for (const double x : m.values()) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace ndnf::testing
