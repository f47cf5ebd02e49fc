#include "ndnf/report/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "ndnf/base/palette.h"
#include "ndnf/base/text_table.h"
#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr double kCurveLeft = 76;
constexpr double kCurveTop = 44;
constexpr double kCurveWidth = 640;
constexpr double kCurveHeight = 320;
constexpr const char* kReferenceStyle = R"(stroke="#2d8a4e" stroke-width="1.5" stroke-dasharray="5 4")";

/// The axes of a chart: x from 0, y over everything that is drawn.
struct CurveAxes {
  Axis x;
  Axis y;

  explicit CurveAxes(const CurveChart& chart) {
    double most = 0;
    double low = chart.reference.value_or(std::numeric_limits<double>::infinity());
    double high = chart.reference.value_or(-std::numeric_limits<double>::infinity());
    for (const Curve& curve : chart.curves) {
      for (const CurvePoint& point : curve.points) {
        most = std::max(most, point.x);
        low = std::min(low, point.low);
        high = std::max(high, point.high);
      }
    }
    x = axis_over(0, most > 0 ? most : 1, 5);
    x.high = most > 0 ? most : 1;
    y = axis_over(low, high, 6);
  }
  double left(double value) const { return kCurveLeft + kCurveWidth * x.share(value); }
  double top(double value) const { return kCurveTop + kCurveHeight * (1 - y.share(value)); }
};

void draw_curve_axes(Svg& svg, const CurveChart& chart, const CurveAxes& axes) {
  const double bottom = kCurveTop + kCurveHeight;
  for (const double tick : axes.y.ticks()) {
    svg.line(kCurveLeft, axes.top(tick), kCurveLeft + kCurveWidth, axes.top(tick),
             fmt::format(R"(stroke="{}")", tick == 0 ? "#8c959f" : "#e4e8ec"));
    svg.text(kCurveLeft - 7, axes.top(tick) + 4, 12, axes.y.text(tick), R"(fill="#24292f")", "end");
  }
  for (const double tick : axes.x.ticks()) {
    svg.line(axes.left(tick), bottom, axes.left(tick), bottom + 5, R"(stroke="#57606a")");
    svg.text(axes.left(tick), bottom + 19, 12, axes.x.text(tick), R"(fill="#24292f")");
  }
  svg.line(kCurveLeft, bottom, kCurveLeft + kCurveWidth, bottom, R"(stroke="#57606a")");
  svg.text(kCurveLeft + kCurveWidth / 2, bottom + 38, 13, chart.x_title, R"(fill="#24292f")");
  svg.upward_text(18, kCurveTop + kCurveHeight / 2, 13, chart.y_title, R"(fill="#24292f")");
}

void draw_band(Svg& svg, const Curve& curve, std::size_t number, const CurveAxes& axes) {
  if (curve.runs < 2) return;
  Svg::Points band;
  for (const CurvePoint& point : curve.points) band.emplace_back(axes.left(point.x), axes.top(point.high));
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point)
    band.emplace_back(axes.left(point->x), axes.top(point->low));
  svg.polygon(band, fmt::format(R"(fill="{}" fill-opacity="0.18")", action_colour(number).hex()));
}

void draw_mean(Svg& svg, const Curve& curve, std::size_t number, const CurveAxes& axes) {
  Svg::Points line;
  for (const CurvePoint& point : curve.points) line.emplace_back(axes.left(point.x), axes.top(point.mean));
  svg.polyline(line, fmt::format(R"(stroke="{}" stroke-width="2")", action_colour(number).hex()));
}

Legend curve_legend(const CurveChart& chart) {
  Legend legend;
  bool several = false;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    several = several || chart.curves[i].runs > 1;
    const std::string runs = chart.curves[i].runs > 1 ? fmt::format(", {} runs", chart.curves[i].runs) : "";
    legend.add(
        [i](Svg& svg, double x, double y, double size) {
          svg.line(x, y + size / 2, x + size, y + size / 2,
                   fmt::format(R"(stroke="{}" stroke-width="3")", action_colour(i).hex()));
        },
        chart.curves[i].name + runs);
  }
  if (several) legend.add("line: mean of the runs; band: from the worst to the best");
  if (chart.reference) {
    legend.add([](Svg& svg, double x, double y,
                  double size) { svg.line(x, y + size / 2, x + size, y + size / 2, kReferenceStyle); },
               fmt::format("{} {}", chart.reference_name, figure_text(*chart.reference)));
  }
  return legend;
}

// For a terminal.

constexpr std::string_view kCurveLetters = "ox+*#%@&";

/// The mean at this x, on straight lines between points; nothing before the first and after the last.
std::optional<double> mean_at(const Curve& curve, double x) {
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
    const CurvePoint& from = curve.points[i];
    const CurvePoint& to = curve.points[i + 1];
    if (x < from.x || x > to.x) continue;
    return to.x > from.x ? from.mean + (to.mean - from.mean) * (x - from.x) / (to.x - from.x) : to.mean;
  }
  if (curve.points.size() == 1 && x == curve.points[0].x) return curve.points[0].mean;
  return std::nullopt;
}

std::string plot_text(const CurveChart& chart, std::size_t width) {
  constexpr std::size_t kRows = 15;
  const CurveAxes axes(chart);
  std::size_t names = 0;
  for (const double tick : axes.y.ticks()) names = std::max(names, letters(axes.y.text(tick)));
  const std::size_t columns = width - names - 3;
  const auto row_of = [&](double value) {
    return static_cast<std::size_t>(std::lround((1 - axes.y.share(value)) * (kRows - 1)));
  };
  std::vector<std::string> canvas(kRows, std::string(columns, ' '));
  if (chart.reference) canvas[row_of(*chart.reference)] = std::string(columns, '-');
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double x =
          axes.x.low + (axes.x.high - axes.x.low) * static_cast<double>(c) / static_cast<double>(columns - 1);
      if (const auto mean = mean_at(chart.curves[i], x))
        canvas[row_of(*mean)][c] = kCurveLetters[i % kCurveLetters.size()];
    }
  }
  std::vector<std::string> labels(kRows);
  for (const double tick : axes.y.ticks()) labels[row_of(tick)] = axes.y.text(tick);
  std::string text;
  for (std::size_t r = 0; r < kRows; ++r) {
    std::string line = std::string(names - letters(labels[r]), ' ') + labels[r] + " |" + canvas[r];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  const std::string most = axis_over(0, axes.x.high, 5).text(axes.x.high);
  const std::string middle = fmt::format("{} to {}", 0, most);
  return text + std::string(names + 1, ' ') + "+" + std::string(columns, '-') + "\n" +
         std::string(names + 2, ' ') + fmt::format("{}: {}\n", chart.x_title, middle);
}

}  // namespace

Svg draw(const CurveChart& chart) {
  const double width = kCurveLeft + kCurveWidth + 30;
  const Legend legend = curve_legend(chart);
  const double bottom = kCurveTop + kCurveHeight + 48;
  Svg svg(width, bottom + legend.height(width - 40) + 10, chart.title);
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kCurveLeft, 26, 16, chart.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  const CurveAxes axes(chart);
  draw_curve_axes(svg, chart, axes);
  if (chart.reference)
    svg.line(kCurveLeft, axes.top(*chart.reference), kCurveLeft + kCurveWidth, axes.top(*chart.reference),
             kReferenceStyle);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) draw_band(svg, chart.curves[i], i, axes);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) draw_mean(svg, chart.curves[i], i, axes);
  legend.draw(svg, 20, bottom, width - 40);
  return svg;
}

std::string to_text(const CurveChart& chart, std::size_t width) {
  std::string text = chart.title + "\n\n" + chart.y_title + "\n" + plot_text(chart, width) + "\n";
  TextTable table({"", "curve", "runs", "last mean", "worst", "best"}, {2, 3, 4, 5});
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    if (curve.points.empty()) continue;
    const CurvePoint& last = curve.points.back();
    table.add({std::string(1, kCurveLetters[i % kCurveLetters.size()]), shortened(curve.name, width - 46),
               std::to_string(curve.runs), figure_text(last.mean), figure_text(last.low),
               figure_text(last.high)});
  }
  text += table.to_text();
  if (chart.reference)
    text += fmt::format("---  {} {}\n", chart.reference_name, figure_text(*chart.reference));
  return text;
}

}  // namespace ndnf
