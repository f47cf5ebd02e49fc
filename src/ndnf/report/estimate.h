#pragma once

namespace ndnf {

/// A mean with its standard error.
struct Estimate {
  double mean = 0;
  double error = 0;
};

}  // namespace ndnf
