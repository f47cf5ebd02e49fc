#include "ndnf/report/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::size_t kAcross = 3;
constexpr double kPanelWidth = 420;
constexpr double kLabelWidth = 168;
constexpr double kBarWidth = 210;
constexpr double kBarHeight = 26;
constexpr double kHead = 34;
constexpr double kFoot = 30;
constexpr double kLegend = 30;

/// The scale of a panel.
class Scale {
 public:
  explicit Scale(const BarPanel& panel) {
    for (const Bar& bar : panel.bars) {
      include(bar.ours);
      if (bar.theirs) include(*bar.theirs);
    }
    if (panel.best) include({*panel.best, 0});
    const double span = std::max(high_ - low_, 1e-3 * std::max(1e-3, std::abs(high_)));
    low_ -= 0.25 * span;  // so that the lowest bar is still visible
    high_ += 0.02 * span;
  }

  double low() const { return low_; }
  double high() const { return high_; }
  double operator()(double value) const {
    return kLabelWidth + kBarWidth * std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  }

 private:
  void include(const Estimate& estimate) {
    low_ = std::min(low_, estimate.mean - estimate.error);
    high_ = std::max(high_, estimate.mean + estimate.error);
  }

  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

double panel_height(const BarPanel& panel) {
  return kHead + kFoot + kBarHeight * static_cast<double>(panel.bars.size());
}

void draw_bar(Svg& svg, const Scale& scale, const Estimate& estimate, double left, double y, double height,
              const char* style) {
  svg.rect(left + kLabelWidth, y, std::max(0.5, scale(estimate.mean) - kLabelWidth), height, style);
  const double middle = y + height / 2;
  svg.line(left + scale(estimate.mean - estimate.error), middle, left + scale(estimate.mean + estimate.error),
           middle, "stroke=\"#111\" stroke-width=\"1.5\"");
}

void draw_panel(Svg& svg, const BarPanel& panel, double left, double top) {
  const Scale scale(panel);
  svg.text(left + kLabelWidth, top + 20, 14, panel.title, "fill=\"#111\" font-weight=\"bold\"", "start");
  double y = top + kHead;
  for (const Bar& bar : panel.bars) {
    svg.text(left + kLabelWidth - 6, y + 15, 11, bar.label, "fill=\"#333\"", "end");
    draw_bar(svg, scale, bar.ours, left, y + 2, 11, "fill=\"#2a6fbb\"");
    if (bar.theirs) draw_bar(svg, scale, *bar.theirs, left, y + 14, 8, "fill=\"#f3d9b1\" stroke=\"#b8792b\"");
    y += kBarHeight;
  }
  if (panel.best) {
    svg.line(left + scale(*panel.best), top + kHead - 4, left + scale(*panel.best), y,
             "stroke=\"#2d8a4e\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
  }
  svg.text(left + kLabelWidth, y + 14, 10, fmt::format("{:.3g}", scale.low()), "fill=\"#666\"", "start");
  svg.text(left + kLabelWidth + kBarWidth, y + 14, 10, fmt::format("{:.3g}", scale.high()), "fill=\"#666\"",
           "end");
}

void draw_legend(Svg& svg) {
  svg.rect(20, 10, 24, 11, "fill=\"#2a6fbb\"");
  svg.text(50, 20, 12, "ours", "fill=\"#333\"", "start");
  svg.rect(110, 10, 24, 11, "fill=\"#f3d9b1\" stroke=\"#b8792b\"");
  svg.text(140, 20, 12, "paper", "fill=\"#333\"", "start");
  svg.line(200, 15, 224, 15, "stroke=\"#111\" stroke-width=\"1.5\"");
  svg.text(230, 20, 12, "one standard error to each side", "fill=\"#333\"", "start");
  svg.line(430, 15, 454, 15, "stroke=\"#2d8a4e\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
  svg.text(460, 20, 12, "optimum", "fill=\"#333\"", "start");
}

}  // namespace

Svg bar_chart(const std::string& title, const std::vector<BarPanel>& panels) {
  std::vector<double> tops;  // the top of each row of panels, and the end of the last
  double y = kLegend;
  for (std::size_t first = 0; first < panels.size(); first += kAcross) {
    tops.push_back(y);
    double tallest = 0;
    for (std::size_t i = first; i < std::min(first + kAcross, panels.size()); ++i) {
      tallest = std::max(tallest, panel_height(panels[i]));
    }
    y += tallest;
  }
  const double width =
      kPanelWidth * static_cast<double>(std::min(kAcross, std::max<std::size_t>(2, panels.size())));
  Svg svg(width, y, title);
  svg.rect(0, 0, width, y, "fill=\"white\"");
  draw_legend(svg);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(svg, panels[i], kPanelWidth * static_cast<double>(i % kAcross), tops[i / kAcross]);
  }
  return svg;
}

}  // namespace ndnf
