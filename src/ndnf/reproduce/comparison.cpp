#include "ndnf/reproduce/comparison.h"

#include <algorithm>
#include <cmath>

namespace ndnf {
namespace {

constexpr double kErrors = 2;        // standard errors of the difference
constexpr double kLargestRatio = 3;  // ratio of our error to the paper's
constexpr double kAddedTrials = 4;   // Agresti and Coull: two additional successes and two failures

}  // namespace

std::string to_text(Comparison comparison) {
  switch (comparison) {
    case Comparison::kAgrees:
      return "agrees";
    case Comparison::kBetter:
      return "better";
    case Comparison::kWorse:
      return "*worse*";
    case Comparison::kUncertain:
      break;
  }
  return "*too uncertain*";
}

Comparison judge(const Estimate& ours, const Estimate& paper, double rounding, bool more_is_better) {
  const double difference = ours.mean - paper.mean;
  if (std::abs(difference) > kErrors * std::hypot(ours.error, paper.error) + rounding) {
    return (difference > 0) == more_is_better ? Comparison::kBetter : Comparison::kWorse;
  }
  return ours.error > kLargestRatio * std::max(paper.error, rounding) ? Comparison::kUncertain
                                                                      : Comparison::kAgrees;
}

double Share::error() const {
  const double trials = static_cast<double>(all) + kAddedTrials;
  const double p = (static_cast<double>(some) + kAddedTrials / 2) / trials;
  return std::sqrt(p * (1 - p) / trials);
}

Comparison judge(const Share& ours, const Share& paper, bool more_is_better) {
  const Share both{ours.some + paper.some, ours.all + paper.all};
  const double deviation = std::sqrt(both.rate() * (1 - both.rate()));
  const auto error = [&](const Share& share) {
    return deviation / std::sqrt(static_cast<double>(std::max<std::size_t>(share.all, 1)));
  };
  return judge(Estimate{ours.rate(), error(ours)}, Estimate{paper.rate(), error(paper)}, 0, more_is_better);
}

}  // namespace ndnf
