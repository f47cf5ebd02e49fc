#include "ndnf/pipeline/learning_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train_config.h"

namespace ndnf {

/// The metrics of one run: per key the points (steps, value).
struct RunMetrics {
  std::string run;
  TrainConfig settings;  ///< With seed 0.
  std::string env;       ///< As make_task reads it.
  std::map<std::string, std::vector<std::pair<double, double>>> points;
};

namespace {

constexpr std::size_t kPoints = 100;  ///< Of a curve.

/// A metric that is drawn by default, and what its axis is called.
struct KnownMetric {
  const char* key;
  const char* title;
  bool is_return;
};
constexpr std::array<KnownMetric, 3> kKnownMetrics = {
    {{"episodic_return", "mean return of training episodes", true},
     {"exact_return", "exact expected return", true},
     {"distillation_loss", "divergence from the teacher", false}}};

void add_line(const std::string& file, std::size_t number, const std::string& text, RunMetrics& metrics) {
  const nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
  const Where where(file, {static_cast<std::uint32_t>(number), 0});
  if (!line.is_object())
    throw Error(where, "this is not a JSON object", "metrics.jsonl has one in each line");
  const auto steps = line.find("steps");
  if (steps == line.end() || !steps->is_number()) throw Error(where, "the number \"steps\" is missing");
  constexpr double kMostSteps = 1e15;
  if (const auto count = steps->get<double>(); !(count >= 0 && count <= kMostSteps))
    throw Error(where, fmt::format("\"steps\" is {}", count), "it is a number of steps, up to 1e15");
  for (const auto& [key, value] : line.items()) {
    if (!value.is_number() || key == "steps" || !std::isfinite(value.get<double>())) continue;
    metrics.points[key].emplace_back(steps->get<double>(), value.get<double>());
  }
}

/// A line that is still being written does not count.
RunMetrics read_metrics(const std::string& run) {
  require_kind(run, {FileKind::kRun}, "a run");
  if (kind_of(run) != FileKind::kRun) throw Error(run, "there is no such run", "curves are drawn from runs");
  const RunFiles files{std::filesystem::path(run)};
  const std::string config_file = files.config_file().string();
  TrainConfig config = parse_train_config(config_file, read_file(files.config_file()));
  config.run.seed = 0;
  RunMetrics metrics{run, config, files.kept_task() ? files.kept_task()->string() : config.run.env, {}};
  const std::string file = files.metrics_file().string();
  const std::string text = read_file(files.metrics_file());
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    add_line(file, ++number, text.substr(begin, end - begin), metrics);
  if (number == 0) throw Error(file, "has no line yet", "training has not finished an iteration");
  return metrics;
}

/// Throws Error if a run does not have the metric.
void require_metric(const std::vector<RunMetrics>& runs, const std::string& metric) {
  for (const RunMetrics& run : runs) {
    if (run.points.contains(metric)) continue;
    std::vector<std::string> known;
    for (const auto& [key, points] : run.points) known.push_back(key);
    throw Error(argument("metric"), fmt::format("{} has no metric {}", run.run, metric),
                fmt::format("it has {}", fmt::join(known, ", ")));
  }
}

std::string chosen_metric(const std::vector<RunMetrics>& runs, const std::optional<std::string>& metric) {
  if (metric) return *metric;
  for (const KnownMetric& known : kKnownMetrics) {
    const auto has = [&](const RunMetrics& run) { return run.points.contains(known.key); };
    if (std::all_of(runs.begin(), runs.end(), has)) return known.key;
  }
  return kKnownMetrics[0].key;
}

/// The value of a run at this x: on straight lines between its points, and the last one after its end.
double value_at(const std::vector<std::pair<double, double>>& points, double x) {
  const auto after = std::lower_bound(points.begin(), points.end(), x,
                                      [](const auto& point, double at) { return point.first < at; });
  if (after == points.end()) return points.back().second;
  if (after == points.begin() || after->first == x) return after->second;
  const auto before = after - 1;
  const double share = (x - before->first) / (after->first - before->first);
  return before->second + share * (after->second - before->second);
}

/// The mean of the points in (from, to], or the value at `to` if there is none.
double mean_within(const std::vector<std::pair<double, double>>& points, double from, double to) {
  double sum = 0;
  double count = 0;
  for (const auto& [x, y] : points) {
    if (x > from && x <= to) sum += y, count += 1;
  }
  return count > 0 ? sum / count : value_at(points, to);
}

Curve curve_of(const std::vector<const RunMetrics*>& runs, const std::string& metric, std::string name) {
  Curve curve{std::move(name), runs.size(), {}};
  double first = 0;
  double last = 0;
  for (const RunMetrics* run : runs) {
    const auto& points = run->points.at(metric);
    first = std::max(first, points.front().first);
    last = std::max(last, points.back().first);
  }
  const std::size_t parts = last > first ? kPoints : 0;
  double from = -1;
  for (std::size_t i = 0; i <= parts; ++i) {
    const double to =
        parts == 0 ? last : first + (last - first) * static_cast<double>(i) / static_cast<double>(parts);
    CurvePoint point{to, 0, std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
    for (const RunMetrics* run : runs) {
      const double value = mean_within(run->points.at(metric), from, to);
      point.mean += value / static_cast<double>(runs.size());
      point.low = std::min(point.low, value);
      point.high = std::max(point.high, value);
    }
    curve.points.push_back(point);
    from = to;
  }
  return curve;
}

/// Runs that differ by nothing but the seed, in the order of the first of each group.
std::vector<std::vector<const RunMetrics*>> grouped(const std::vector<RunMetrics>& runs) {
  std::vector<std::vector<const RunMetrics*>> groups;
  for (const RunMetrics& run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&run](const auto& group) {
      return !first_difference(group.front()->settings, run.settings);
    });
    if (same == groups.end()) {
      groups.push_back({&run});
    } else {
      same->push_back(&run);
    }
  }
  return groups;
}

/// The folder of several runs, if it is one, otherwise the first run.
std::string name_of(const std::vector<const RunMetrics*>& runs) {
  const auto folder = [](const RunMetrics* run) {
    return std::filesystem::path(run->run).lexically_normal().parent_path().string();
  };
  const std::string first = folder(runs.front());
  const bool together =
      std::all_of(runs.begin(), runs.end(), [&](const RunMetrics* run) { return folder(run) == first; });
  if (runs.size() == 1) return runs.front()->run;
  return together && !first.empty() ? first : runs.front()->run + ", …";
}

/// The optimum that returns are compared with.
std::optional<BestReturn> optimum_of(const std::vector<RunMetrics>& runs) {
  const std::string& env = runs.front().env;
  try {
    const Task task = make_task(env);
    for (const RunMetrics& run : runs) {
      if (run.env == env) continue;
      const Task other = make_task(run.env);  // copies of one model file have different names
      if (other.source.empty() || other.source != task.source) return std::nullopt;
    }
    if (!task.is_finite() || task.discount < 1 || !is_optimum_cheap(task.model())) return std::nullopt;
    const auto optimum = find_optimum_if_any(task.model());
    return optimum ? std::optional(optimum->best_return()) : std::nullopt;
  } catch (const Error&) {  // the model file no longer exists: the curves do not need it
    return std::nullopt;
  }
}

}  // namespace

TrainingRecord::TrainingRecord(const std::vector<Input>& runs) {
  std::vector<RunMetrics> read;
  for (const Input& run : runs) read.push_back(read_metrics(run.name));
  runs_ = std::make_shared<const std::vector<RunMetrics>>(std::move(read));
}

std::vector<std::string> TrainingRecord::shared_metrics() const {
  std::vector<std::string> keys;
  for (const auto& [key, points] : runs_->front().points) {
    const auto has = [&name = key](const RunMetrics& run) { return run.points.contains(name); };
    if (std::all_of(runs_->begin(), runs_->end(), has)) keys.push_back(key);
  }
  return keys;
}

LearningCurves TrainingRecord::curves(const std::optional<std::string>& metric) const {
  const std::vector<RunMetrics>& metrics = *runs_;
  const std::string key = chosen_metric(metrics, metric);
  require_metric(metrics, key);
  const std::vector<std::vector<const RunMetrics*>> groups = grouped(metrics);
  const auto known = std::find_if(kKnownMetrics.begin(), kKnownMetrics.end(),
                                  [&](const KnownMetric& one) { return key == one.key; });
  LearningCurves result;
  result.env = metrics.front().env;
  CurveChart& chart = result.chart;
  chart.x_title = "training steps";
  chart.y_title = known == kKnownMetrics.end() ? key : known->title;
  for (const auto& group : groups) chart.curves.push_back(curve_of(group, key, name_of(group)));
  chart.title = chart.curves.size() == 1 ? "Training of " + chart.curves.front().name
                                         : fmt::format("Training of {} runs", metrics.size());
  if (known != kKnownMetrics.end() && known->is_return) {
    if (const auto best = optimum_of(metrics)) {
      chart.reference = best->found;
      chart.reference_name = best->proved() ? "optimum" : "best return found";
    }
  }
  return result;
}

}  // namespace ndnf
