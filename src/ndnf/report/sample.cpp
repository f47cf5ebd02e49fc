#include "ndnf/report/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ndnf {

double Sample::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Sample::error() const {
  const auto n = static_cast<double>(values.size());
  if (n < 2) return 0;
  double squares = 0;
  for (const double value : values) squares += (value - mean()) * (value - mean());
  return std::sqrt(squares / (n - 1) / n);
}

double Sample::least() const { return *std::min_element(values.begin(), values.end()); }

double Sample::greatest() const { return *std::max_element(values.begin(), values.end()); }

}  // namespace ndnf
