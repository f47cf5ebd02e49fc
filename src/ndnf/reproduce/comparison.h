#pragma once

#include <cstddef>
#include <string>

#include "ndnf/report/bar_chart.h"

namespace ndnf {

/// How our figure compares with the paper's, by both standard errors.
///  - "agrees": they differ by no more than two standard errors of the difference, and by rounding;
///  - "better", "*worse*": they differ by more, to this side or that;
///  - "*too uncertain*": they would agree, but only since our error is more than three times the paper's.
///  With
///    the same number of seeds that means that the spreads differ (a ratio of 9 of the variances has a
///    probability below 0.003 with ten seeds each), so that agreement of the means would say nothing.
enum class Comparison { kAgrees, kBetter, kWorse, kUncertain };
std::string to_text(Comparison comparison);

/// `rounding` is half a unit of the paper's last digit, which its own error may hide in.
Comparison judge(const Estimate& ours, const Estimate& paper, double rounding, bool more_is_better = true);

/// `some` of `all` runs.
struct Share {
  std::size_t some = 0;
  std::size_t all = 0;

  double rate() const { return static_cast<double>(some) / static_cast<double>(all == 0 ? 1 : all); }
  /// The binomial standard error of the rate, by Agresti and Coull, so that none of 10 is not certain.
  double error() const;
};
/// Both errors are those of the rate that they have in common if they agree.
Comparison judge(const Share& ours, const Share& paper, bool more_is_better = true);

}  // namespace ndnf
