#include "ndnf/report/dot_chart.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr std::size_t kDotsAcross = 3;
constexpr double kDotPanelWidth = 430;
constexpr double kDotLabels = 176;
constexpr double kDotAxis = 220;
constexpr double kDotRow = 26;
constexpr double kDotHead = 32;
constexpr double kDotFoot = 52;
constexpr const char* kOurStyle = R"(fill="#1d5fa8" stroke="#ffffff")";
constexpr const char* kTheirStyle = R"(fill="#ffffff" stroke="#b35900" stroke-width="2")";
constexpr const char* kBestStyle = R"(stroke="#2d8a4e" stroke-width="1.5" stroke-dasharray="4 3")";

Axis axis_of(const DotPanel& panel) {
  double low = panel.best.value_or(std::numeric_limits<double>::infinity());
  double high = panel.best.value_or(-std::numeric_limits<double>::infinity());
  const auto include = [&](const Estimate& estimate) {
    low = std::min(low, estimate.mean - estimate.error);
    high = std::max(high, estimate.mean + estimate.error);
  };
  for (const ComparedFigure& figure : panel.figures) {
    include(figure.ours);
    if (figure.theirs) include(*figure.theirs);
  }
  return axis_over(low, high, 3);
}

double dot_panel_height(const DotPanel& panel) {
  return kDotHead + kDotFoot + kDotRow * static_cast<double>(panel.figures.size());
}

void draw_diamond(Svg& svg, double x, double y, double size) {
  svg.polygon({{x - size, y}, {x, y - size}, {x + size, y}, {x, y + size}}, kTheirStyle);
}

void draw_whisker(Svg& svg, const Axis& axis, const Estimate& estimate, double left, double y,
                  const char* colour) {
  const double from = left + kDotAxis * axis.share(estimate.mean - estimate.error);
  const double to = left + kDotAxis * axis.share(estimate.mean + estimate.error);
  svg.line(from, y, to, y, fmt::format(R"(stroke="{}" stroke-width="2")", colour));
}

void draw_figure(Svg& svg, const ComparedFigure& figure, const Axis& axis, double left, double y) {
  svg.text(left - 8, y + 4, 11, figure.label, R"(fill="#24292f")", "end");
  if (figure.theirs) {
    draw_whisker(svg, axis, *figure.theirs, left, y + 5, "#b35900");
    draw_diamond(svg, left + kDotAxis * axis.share(figure.theirs->mean), y + 5, 4.5);
  }
  draw_whisker(svg, axis, figure.ours, left, y - 4, "#1d5fa8");
  svg.circle(left + kDotAxis * axis.share(figure.ours.mean), y - 4, 5, kOurStyle);
}

void draw_dot_panel(Svg& svg, const DotPanel& panel, const std::string& x_title, double x, double top) {
  const Axis axis = axis_of(panel);
  const double left = x + kDotLabels;
  const double bottom = top + kDotHead + kDotRow * static_cast<double>(panel.figures.size());
  svg.text(left, top + 20, 14, panel.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  for (const double tick : axis.ticks()) {
    const double at = left + kDotAxis * axis.share(tick);
    svg.line(at, top + kDotHead, at, bottom,
             fmt::format(R"(stroke="{}")", tick == 0 ? "#8c959f" : "#e1e4e8"));
    svg.text(at, bottom + 14, 10.5, axis.text(tick), R"(fill="#57606a")");
  }
  svg.text(left + kDotAxis / 2, bottom + 30, 11, x_title, R"(fill="#57606a")");
  if (panel.best) {
    const double at = left + kDotAxis * axis.share(*panel.best);
    svg.line(at, top + kDotHead, at, bottom, kBestStyle);
  }
  double y = top + kDotHead + kDotRow / 2;
  for (const ComparedFigure& figure : panel.figures) {
    draw_figure(svg, figure, axis, left, y);
    y += kDotRow;
  }
}

Legend dot_legend(const std::vector<std::string>& notes) {
  Legend legend;
  legend.add(
      [](Svg& svg, double x, double y, double size) { svg.circle(x + size / 2, y + size / 2, 5, kOurStyle); },
      "ours");
  legend.add(
      [](Svg& svg, double x, double y, double size) { draw_diamond(svg, x + size / 2, y + size / 2, 5); },
      "paper");
  legend.add(
      [](Svg& svg, double x, double y, double size) {
        svg.line(x, y + size / 2, x + size, y + size / 2, R"(stroke="#24292f" stroke-width="2")");
      },
      "one standard error to each side");
  legend.add([](Svg& svg, double x, double y,
                double size) { svg.line(x + size / 2, y, x + size / 2, y + size, kBestStyle); },
             "optimum");
  for (const std::string& note : notes) legend.add(note);
  return legend;
}

}  // namespace

Svg dot_chart(const std::string& title, const std::string& x_title, const std::vector<std::string>& notes,
              const std::vector<DotPanel>& panels) {
  const double width =
      kDotPanelWidth * static_cast<double>(std::min(kDotsAcross, std::max<std::size_t>(2, panels.size())));
  const Legend legend = dot_legend(notes);
  std::vector<double> tops;  // the top of each row of panels
  double y = 10 + legend.height(width - 40);
  for (std::size_t first = 0; first < panels.size(); first += kDotsAcross) {
    tops.push_back(y);
    double tallest = 0;
    for (std::size_t i = first; i < std::min(first + kDotsAcross, panels.size()); ++i)
      tallest = std::max(tallest, dot_panel_height(panels[i]));
    y += tallest;
  }
  Svg svg(width, y, title);
  svg.rect(0, 0, width, y, R"(fill="#ffffff")");
  legend.draw(svg, 20, 6, width - 40);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_dot_panel(svg, panels[i], x_title, kDotPanelWidth * static_cast<double>(i % kDotsAcross),
                   tops[i / kDotsAcross]);
  }
  return svg;
}

}  // namespace ndnf
