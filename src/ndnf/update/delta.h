#pragma once

#include <cstddef>
#include <cstdint>

#include "ndnf/base/config.h"

namespace ndnf {

/// The section [delta] of a preset: how the strength of the logical bias grows.
struct DeltaOptions {
  double initial = 0.1;
  std::int64_t delay = 30;
  std::int64_t steps = 5;
  double rate = 1.1;
};
ConfigTable<DeltaOptions> delta_config();

/// The schedule of the paper's appendix: after iteration i (counted from 0) delta = initial · rate^(⌊(i −
/// delay)/steps⌋ + 1), from the delay on, capped at exactly 1. Returns the delta used *in* iteration i, i.e.
/// the one set after iteration i − 1.
double delta_in_iteration(const DeltaOptions& options, std::size_t i);

}  // namespace ndnf
