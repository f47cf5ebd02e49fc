#pragma once

#include <cstddef>

namespace ndnf {

/// An expected value: exact (up to rounding), or the mean over sampled episodes with its standard error.
struct Expectation {
  double value = 0;
  double standard_error = 0;  ///< 0 when exact, NaN for a single episode.
  std::size_t episodes = 0;   ///< 0 when exact.

  bool exact() const { return episodes == 0; }
};

}  // namespace ndnf
