#pragma once

#include <cstddef>
#include <string>

#include "ndnf/report/estimate.h"

namespace ndnf {

/// The comparison of our value with the paper's, using both standard errors.
///  - "agrees": they differ by at most two standard errors of the difference, plus rounding;
///  - "better", "*worse*": they differ by more, in either direction;
///  - "*too uncertain*": they agree, but only because our error is more than three times the paper's. With
///    the same number of seeds this means that the variances differ (a ratio of 9 has a probability below
///    0.003 with ten seeds each), so agreement of the means would be meaningless.
enum class Comparison { kAgrees, kBetter, kWorse, kUncertain };
std::string to_text(Comparison comparison);

/// `rounding` is half a unit of the paper's last digit: the printed value may be off by this much.
Comparison judge(const Estimate& ours, const Estimate& paper, double rounding, bool more_is_better = true);

/// `some` of `all` runs.
struct Share {
  std::size_t some = 0;
  std::size_t all = 0;

  double rate() const { return static_cast<double>(some) / static_cast<double>(all == 0 ? 1 : all); }
  /// The binomial standard error of the rate, by Agresti and Coull: it is above 0 even for 0 of 10.
  double error() const;
};
/// Both errors are computed from the pooled rate, as under the hypothesis that the rates agree.
Comparison judge(const Share& ours, const Share& paper, bool more_is_better = true);

}  // namespace ndnf
