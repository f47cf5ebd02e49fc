#include "ndnf/update/delta.h"

#include <algorithm>
#include <cstdint>

#include "ndnf/base/elementary.h"

namespace ndnf {

ConfigTable<DeltaOptions> delta_config() {
  return ConfigTable<DeltaOptions>()
      .real("initial", &DeltaOptions::initial, 0, 1, "Delta in the first iterations.")
      .integer("delay", &DeltaOptions::delay, 0, 1000000000, "Iterations before delta grows.")
      .integer("steps", &DeltaOptions::steps, 1, 1000000000, "Iterations between two increases.")
      .real("rate", &DeltaOptions::rate, 1, 1000, "The factor of one increase.");
}

double delta_in_iteration(const DeltaOptions& options, std::size_t i) {
  const auto finished = static_cast<std::int64_t>(i) - 1;  // the last iteration after which delta was updated
  if (finished < options.delay) return options.initial;
  const auto exponent = static_cast<std::uint64_t>((finished - options.delay) / options.steps + 1);
  return std::min(1.0, options.initial * power(options.rate, exponent));
}

}  // namespace ndnf
