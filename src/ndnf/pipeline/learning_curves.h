#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/report/curve_chart.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// The learning curves of runs, from their metrics.jsonl. Runs whose settings differ by nothing but the seed
/// form one curve. A run that stopped early keeps its last value. `metric` is a key of the metrics; by
/// default the returns of training episodes, or what all runs have instead. Returns are compared with the
/// optimum of the task, if all runs have the same and it is known at once.
struct LearningCurves {
  CurveChart chart;
  std::string env;  ///< Of the first run.
};

/// Throws Error if there is no run, one has no readable metrics, or not this metric.
LearningCurves learning_curves(const std::vector<Input>& runs, const std::optional<std::string>& metric);

}  // namespace ndnf
