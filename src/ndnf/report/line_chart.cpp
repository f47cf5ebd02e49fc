#include "ndnf/report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr double kLeft = 80;
constexpr double kTop = 20;
constexpr double kWidth = 500;
constexpr double kHeight = 360;
constexpr double kLegendWidth = 300;
constexpr std::array<const char*, 10> kColours = {"#2a6fbb", "#b8792b", "#2d8a4e", "#b3393b", "#7b52ab",
                                                  "#3aa6a0", "#8c564b", "#c44e92", "#666666", "#9a9a20"};

/// The axes: whole decades that contain every y, and all x that occur.
struct Range {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  explicit Range(const std::vector<Series>& all) {
    for (const Series& series : all) {
      for (const auto& [px, py] : series.points) {
        x_low = std::min(x_low, px);
        x_high = std::max(x_high, px);
        low = std::min(low, std::floor(std::log10(py)));
        high = std::max(high, std::ceil(std::log10(py)));
      }
    }
    if (!(x_low <= x_high)) x_low = x_high = low = high = 0;
    x_high = std::max(x_high, x_low + 1);
    high = std::max(high, low + 1);
  }
  double x(double value) const { return kLeft + kWidth * (value - x_low) / (x_high - x_low); }
  double y(double value) const { return kTop + kHeight * (high - std::log10(value)) / (high - low); }
};

void draw_axes(Svg& svg, const Range& range, const LineChart& chart) {
  for (double decade = range.low; decade <= range.high; ++decade) {
    const double y = range.y(std::pow(10, decade));
    svg.line(kLeft, y, kLeft + kWidth, y, "stroke=\"#ddd\"");
    svg.text(kLeft - 6, y + 4, 12, fmt::format("{:g} {}", std::pow(10, decade), chart.y_unit),
             "fill=\"#333\"", "end");
  }
  const double step = std::max(1.0, std::ceil((range.x_high - range.x_low) / 20));
  for (double x = range.x_low; x <= range.x_high; x += step) {
    svg.text(range.x(x), kTop + kHeight + 18, 12, fmt::format("{:g}", x), "fill=\"#333\"");
  }
  svg.text(kLeft + kWidth / 2, kTop + kHeight + 40, 13, chart.x_title, "fill=\"#333\"");
}

double legend_y(std::size_t number) { return kTop + 14 + 18 * static_cast<double>(number); }

void draw_series(Svg& svg, const Range& range, const Series& series, std::size_t number) {
  const std::string colour = kColours[number % kColours.size()];
  Svg::Points line;
  for (const auto& [x, y] : series.points) line.emplace_back(range.x(x), range.y(y));
  svg.polyline(line, fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour));
  for (const auto& [x, y] : line) svg.circle(x, y, 2.5, fmt::format("fill=\"{}\"", colour));
  if (series.cut && !line.empty()) {
    svg.text(line.back().first + 8, line.back().second - 4, 15, "×", fmt::format("fill=\"{}\"", colour));
  }
  svg.text(kLeft + kWidth + 20, legend_y(number), 12, series.name, fmt::format("fill=\"{}\"", colour),
           "start");
}

}  // namespace

Svg draw(const LineChart& chart) {
  const double width = kLeft + kWidth + kLegendWidth;
  const double height = kTop + kHeight + 55;
  Svg svg(width, height, chart.title);
  svg.rect(0, 0, width, height, "fill=\"white\"");
  const Range range(chart.series);
  draw_axes(svg, range, chart);
  for (std::size_t i = 0; i < chart.series.size(); ++i) draw_series(svg, range, chart.series[i], i);
  const auto cut = [](const Series& series) { return series.cut; };
  if (std::any_of(chart.series.begin(), chart.series.end(), cut))
    svg.text(kLeft + kWidth + 20, legend_y(chart.series.size()), 12, "× " + chart.cut_title, "fill=\"#333\"",
             "start");
  return svg;
}

}  // namespace ndnf
