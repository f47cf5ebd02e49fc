#pragma once

#include <memory>
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

struct RunMetrics;

/// The metrics of runs, read once, for several charts of them.
class TrainingRecord {
 public:
  /// Throws Error if there is no run, or one has no readable metrics.
  explicit TrainingRecord(const std::vector<Input>& runs);

  /// The keys that all runs have.
  std::vector<std::string> shared_metrics() const;
  /// Throws Error if a run does not have this metric.
  LearningCurves curves(const std::optional<std::string>& metric = std::nullopt) const;

 private:
  std::shared_ptr<const std::vector<RunMetrics>> runs_;
};

/// One chart. Throws Error as TrainingRecord does.
inline LearningCurves learning_curves(const std::vector<Input>& runs,
                                      const std::optional<std::string>& metric) {
  return TrainingRecord(runs).curves(metric);
}

}  // namespace ndnf
