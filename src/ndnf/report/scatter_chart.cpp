#include "ndnf/report/scatter_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::size_t kAcross = 3;
constexpr double kPanelWidth = 400;
constexpr double kPanelHeight = 270;
constexpr double kLeft = 70;
constexpr double kTop = 34;
constexpr double kWidth = 310;
constexpr double kHeight = 180;
constexpr double kLegend = 34;
constexpr double kTickWidth = 20;
constexpr const char* kMark = "stroke=\"#2d8a4e\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"";
constexpr std::array<const char*, 6> kColours = {"#b8792b", "#2a6fbb", "#7b52ab",
                                                 "#b3393b", "#3aa6a0", "#666666"};

/// Maps values to positions within a panel.
class Axes {
 public:
  explicit Axes(const ScatterPanel& panel) {
    for (const Cloud& cloud : panel.clouds) {
      for (const auto& [x, y] : cloud.points) include(x, y);
    }
    if (panel.best_y) include(x_.low, *panel.best_y);
    if (panel.least_x) include(*panel.least_x, y_.low);
    if (!(x_.low <= x_.high)) x_ = {1, 10};
    if (!(y_.low <= y_.high)) y_ = {0, 1};
    seen_ = y_;
    x_ = {x_.low / 1.3, x_.high * 1.3};
    const double span = std::max(y_.high - y_.low, 1e-3 * std::max(1e-3, std::abs(y_.high)));
    y_ = {y_.low - 0.1 * span, y_.high + 0.1 * span};
  }

  double x(double value) const {
    return kLeft + kWidth * std::log(value / x_.low) / std::log(x_.high / x_.low);
  }
  double y(double value) const { return kTop + kHeight * (y_.high - value) / (y_.high - y_.low); }
  /// The smallest and the largest y in the panel.
  std::set<double> y_ticks() const { return {seen_.low, seen_.high}; }
  /// The ticks: `mark`, and those of 1, 2, 5, 10, 20, … that leave room for it.
  std::vector<double> x_ticks(std::optional<double> mark) const {
    std::vector<double> ticks;
    if (mark) ticks.push_back(*mark);
    for (double decade = std::pow(10, std::floor(std::log10(x_.low))); decade <= x_.high; decade *= 10) {
      for (const double digit : {1, 2, 5}) {
        const double tick = digit * decade;
        const bool free = !mark || std::abs(x(tick) - x(*mark)) > kTickWidth;
        if (free && tick >= x_.low && tick <= x_.high) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
  };
  void include(double x, double y) {
    if (std::isfinite(x) && x > 0) x_ = {std::min(x_.low, x), std::max(x_.high, x)};
    if (std::isfinite(y)) y_ = {std::min(y_.low, y), std::max(y_.high, y)};
  }

  Range x_;
  Range y_;
  Range seen_;
};

std::vector<std::string> names_in(const std::vector<ScatterPanel>& panels) {
  std::vector<std::string> names;
  for (const ScatterPanel& panel : panels) {
    for (const Cloud& cloud : panel.clouds) {
      if (std::find(names.begin(), names.end(), cloud.name) == names.end()) names.push_back(cloud.name);
    }
  }
  return names;
}

std::string colour_of(const std::string& name, const std::vector<std::string>& names) {
  const auto number = std::find(names.begin(), names.end(), name) - names.begin();
  return kColours[static_cast<std::size_t>(number) % kColours.size()];
}

void draw_panel(Svg& svg, const ScatterPanel& panel, const std::vector<std::string>& names, double left,
                double top) {
  const Axes axes(panel);
  svg.text(left + kLeft, top + 22, 14, panel.title, "fill=\"#111\" font-weight=\"bold\"", "start");
  svg.rect(left + kLeft, top + kTop, kWidth, kHeight, "fill=\"none\" stroke=\"#ccc\"");
  for (const double tick : axes.x_ticks(panel.least_x)) {
    svg.text(left + axes.x(tick), top + kTop + kHeight + 16, 11, fmt::format("{:g}", tick), "fill=\"#666\"");
  }
  for (const double y : axes.y_ticks()) {
    svg.text(left + kLeft - 5, top + axes.y(y) + 4, 10, fmt::format("{:.5g}", y), "fill=\"#666\"", "end");
  }
  if (panel.least_x) {
    const double x = left + axes.x(*panel.least_x);
    svg.line(x, top + kTop, x, top + kTop + kHeight, kMark);
  }
  if (panel.best_y) {
    const double y = top + axes.y(*panel.best_y);
    svg.line(left + kLeft, y, left + kLeft + kWidth, y, kMark);
  }
  for (const Cloud& cloud : panel.clouds) {
    const std::string style = fmt::format("fill=\"{}\" fill-opacity=\"0.55\"", colour_of(cloud.name, names));
    for (const auto& [x, y] : cloud.points) svg.circle(left + axes.x(x), top + axes.y(y), 4, style);
  }
}

void draw_legend(Svg& svg, const std::vector<std::string>& names, const std::string& least_title) {
  double x = 20;
  for (const std::string& name : names) {
    svg.circle(x, 16, 5, fmt::format("fill=\"{}\"", colour_of(name, names)));
    svg.text(x + 12, 20, 12, name, "fill=\"#333\"", "start");
    x += 40 + 7 * static_cast<double>(name.size());
  }
  svg.line(x, 16, x + 24, 16, kMark);
  svg.text(x + 30, 20, 12, least_title, "fill=\"#333\"", "start");
}

}  // namespace

Svg scatter_chart(const std::string& title, const std::string& x_title, const std::string& least_title,
                  const std::vector<ScatterPanel>& panels) {
  const std::size_t rows = (panels.size() + kAcross - 1) / kAcross;
  const double width = kPanelWidth * static_cast<double>(kAcross);
  const double height = kLegend + kPanelHeight * static_cast<double>(rows) + 10;
  const std::vector<std::string> names = names_in(panels);
  Svg svg(width, height, title);
  svg.rect(0, 0, width, height, "fill=\"white\"");
  draw_legend(svg, names, least_title);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = kPanelWidth * static_cast<double>(i % kAcross);
    const double top = kLegend + kPanelHeight * static_cast<double>(i / kAcross);
    draw_panel(svg, panels[i], names, left, top);
    svg.text(left + kLeft + kWidth / 2, top + kTop + kHeight + 34, 11, x_title, "fill=\"#666\"");
  }
  return svg;
}

}  // namespace ndnf
