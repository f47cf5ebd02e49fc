#pragma once

#include <vector>

#include "ndnf/report/estimate.h"

namespace ndnf {

/// One figure per seed.
struct Sample {
  std::vector<double> values{};

  bool empty() const { return values.empty(); }
  double mean() const;
  /// Standard error of the mean; 0 for a single value.
  double error() const;
  double least() const;
  double greatest() const;
  Estimate estimate() const { return {mean(), error()}; }
};

}  // namespace ndnf
