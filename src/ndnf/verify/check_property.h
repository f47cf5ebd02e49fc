#pragma once

#include <optional>

#include "ndnf/verify/episode_chain.h"
#include "ndnf/verify/property.h"
#include "ndnf/verify/trace.h"

namespace ndnf {

/// Values this near to a bound count as equal to it: they come from sums of many roundings.
inline constexpr double kPropertyTolerance = 1e-9;

struct PropertyResult {
  double value = 0;  ///< The probability, or the expected return or length.
  bool holds = true;
  /// When it does not hold: a run that shows it. For a probability that is too high, a shortest run that
  /// satisfies the path formula; for one that is too low, the most probable run that does not, up to its
  /// end or where it comes back to a position from which nothing can change. For rewards the most
  /// probable run.
  std::optional<Trace> trace;
};

/// The exact value over all episodes by recursion over the steps; comparisons with the probabilities 0 and 1
/// are decided by the graph alone, without rounding.
PropertyResult check_property(const EpisodeChain& chain, const Property& property);

}  // namespace ndnf
