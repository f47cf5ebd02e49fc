#include "ndnf/training/return_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/plain_text.h"

namespace ndnf {
namespace {

/// NaN for a single run, which says nothing about others.
double error_of(const Sample& returns) {
  return returns.values.size() > 1 ? returns.error() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void ReturnSummary::add(const std::optional<double>& mean_return, const std::optional<BestReturn>& optimum) {
  ++count_;
  if (optimum && !at_optimum_) at_optimum_ = 0;
  if (!mean_return || std::isnan(*mean_return)) return;
  returns_.values.push_back(*mean_return);
  if (optimum && optimum->gap(*mean_return) == 0) ++*at_optimum_;
}

std::string table_figure(double value, double size) {
  constexpr double kLarge = 1e9;
  constexpr double kSmall = 1e-3;
  return size < kLarge && (size >= kSmall || size == 0) ? fmt::format("{:.5f}", value)
                                                        : fmt::format("{:.5g}", value);
}

double size_of(double mean_return, const std::optional<BestReturn>& optimum) {
  return std::max(std::abs(mean_return), optimum ? std::abs(optimum->found) : 0);
}

std::string to_text(const ReturnSummary& summary) {
  const Sample& returns = summary.returns();
  std::string text = "no returns";
  if (!returns.empty()) {
    const double size = std::max(std::abs(returns.least()), std::abs(returns.greatest()));
    const auto figure = [&](double value) { return table_figure(value, size); };
    text = fmt::format("mean {}, worst {}", with_error(figure(returns.mean()), error_of(returns), figure),
                       figure(returns.least()));
    if (const std::size_t without = summary.count() - returns.values.size(); without > 0)
      text += fmt::format(", {} without a return", without);
  }
  if (summary.at_optimum())
    text += fmt::format(", {} of {} at the optimum", *summary.at_optimum(), summary.count());
  return text;
}

nlohmann::ordered_json to_json(const ReturnSummary& summary) {
  const Sample& returns = summary.returns();
  nlohmann::ordered_json json = {{"returns", returns.values.size()},
                                 {"mean", nullptr},
                                 {"stderr", nullptr},
                                 {"worst", nullptr},
                                 {"at_optimum", nullptr}};
  if (!returns.empty()) {
    json["mean"] = returns.mean();
    json["stderr"] = error_of(returns);
    json["worst"] = returns.least();
  }
  if (summary.at_optimum()) json["at_optimum"] = *summary.at_optimum();
  return json;
}

}  // namespace ndnf
