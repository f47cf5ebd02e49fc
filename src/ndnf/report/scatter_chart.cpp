#include "ndnf/report/scatter_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ndnf/base/palette.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr std::size_t kCloudsAcross = 3;
constexpr double kCloudPanelWidth = 400;
constexpr double kCloudPanelHeight = 280;
constexpr double kCloudLeft = 84;
constexpr double kCloudTop = 34;
constexpr double kCloudWidth = 300;
constexpr double kCloudHeight = 180;
constexpr double kTickWidth = 22;
constexpr const char* kMark = R"(stroke="#2d8a4e" stroke-width="1.5" stroke-dasharray="4 3")";

/// Maps values to positions within a panel.
class CloudAxes {
 public:
  explicit CloudAxes(const ScatterPanel& panel) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto include_x = [this](double x) {
      if (std::isfinite(x) && x > 0) x_ = {std::min(x_.first, x), std::max(x_.second, x)};
    };
    const auto include_y = [&](double y) {
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
    };
    for (const Cloud& cloud : panel.clouds) {
      for (const auto& [x, y] : cloud.points) include_x(x), include_y(y);
    }
    if (panel.best_y) include_y(*panel.best_y);
    if (panel.least_x) include_x(*panel.least_x);
    if (!(x_.first <= x_.second)) x_ = {1, 10};
    x_ = {x_.first / 1.6, x_.second * 1.6};
    y_ = axis_over(low, high, 4);
    const double span = y_.high - y_.low;  // so that circles at the ends are not cut
    y_.low -= 0.06 * span;
    y_.high += 0.06 * span;
  }

  double x(double value) const {
    return kCloudLeft + kCloudWidth * std::log(value / x_.first) / std::log(x_.second / x_.first);
  }
  double y(double value) const { return kCloudTop + kCloudHeight * (1 - y_.share(value)); }
  const Axis& y_axis() const { return y_; }
  /// `mark`, and those of 1, 2, 5, 10, 20, … that leave room for it.
  std::vector<double> x_ticks(std::optional<double> mark) const {
    std::vector<double> ticks;
    if (mark) ticks.push_back(*mark);
    for (double decade = std::pow(10, std::floor(std::log10(x_.first))); decade <= x_.second; decade *= 10) {
      for (const double digit : {1, 2, 5}) {
        const double tick = digit * decade;
        const bool free = !mark || std::abs(x(tick) - x(*mark)) > kTickWidth;
        if (free && tick >= 1 && tick >= x_.first && tick <= x_.second) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  std::pair<double, double> x_{std::numeric_limits<double>::infinity(), 0};
  Axis y_;
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
  return action_colour(static_cast<std::size_t>(number)).hex();
}

/// Points whose circles would cover each other, as one.
struct Heap {
  double x;
  double y;
  std::size_t count;
};

std::vector<Heap> heaps_of(const Cloud& cloud, const CloudAxes& axes) {
  constexpr double kSame = 1.5;
  std::vector<Heap> heaps;
  for (const auto& [x, y] : cloud.points) {
    const double left = axes.x(x), top = axes.y(y);
    const auto same = std::find_if(heaps.begin(), heaps.end(), [&](const Heap& heap) {
      return std::abs(heap.x - left) < kSame && std::abs(heap.y - top) < kSame;
    });
    if (same == heaps.end()) {
      heaps.push_back({left, top, 1});
    } else {
      ++same->count;
    }
  }
  return heaps;
}

/// Circles of several clouds in the same place are moved apart: to the right, and at the right edge to the
/// left.
void draw_heaps(Svg& svg, const Cloud& cloud, const std::string& colour, const CloudAxes& axes, double left,
                double top, std::vector<Heap>& drawn) {
  for (Heap heap : heaps_of(cloud, axes)) {
    const double radius = heap.count == 1 ? 4 : 8;
    const auto covered = [&](const Heap& other) {
      return std::abs(other.x - heap.x) < 13 && std::abs(other.y - heap.y) < 10 &&
             (other.count > 1 || heap.count > 1);
    };
    constexpr double kApart = 16;
    const double place = heap.x;
    double step = kApart;
    while (std::any_of(drawn.begin(), drawn.end(), covered) && heap.x > kCloudLeft + kApart) {
      heap.x += step;
      if (heap.x < kCloudLeft + kCloudWidth - radius) continue;
      heap.x = place - kApart;
      step = -kApart;
    }
    drawn.push_back(heap);
    svg.circle(left + heap.x, top + heap.y, radius,
               fmt::format(R"(fill="{}" fill-opacity="{}")", colour, heap.count == 1 ? "0.6" : "0.9"));
    if (heap.count > 1)
      svg.text(left + heap.x, top + heap.y + 3.5, 9.5, fmt::format("{}", heap.count), R"(fill="#ffffff")");
  }
}

void draw_cloud_panel(Svg& svg, const ScatterPanel& panel, const std::vector<std::string>& names,
                      const std::string& y_title, double left, double top) {
  const CloudAxes axes(panel);
  svg.text(left + kCloudLeft, top + 22, 14, panel.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  for (const double tick : axes.y_axis().ticks()) {
    svg.line(left + kCloudLeft, top + axes.y(tick), left + kCloudLeft + kCloudWidth, top + axes.y(tick),
             R"(stroke="#e1e4e8")");
    svg.text(left + kCloudLeft - 6, top + axes.y(tick) + 4, 10.5, axes.y_axis().text(tick),
             R"(fill="#57606a")", "end");
  }
  svg.rect(left + kCloudLeft, top + kCloudTop, kCloudWidth, kCloudHeight, R"(fill="none" stroke="#afb8c1")");
  for (const double tick : axes.x_ticks(panel.least_x)) {
    svg.text(left + axes.x(tick), top + kCloudTop + kCloudHeight + 16, 11, fmt::format("{:g}", tick),
             R"(fill="#57606a")");
  }
  svg.upward_text(left + 14, top + kCloudTop + kCloudHeight / 2, 11, y_title, R"(fill="#57606a")");
  if (panel.least_x)
    svg.line(left + axes.x(*panel.least_x), top + kCloudTop, left + axes.x(*panel.least_x),
             top + kCloudTop + kCloudHeight, kMark);
  if (panel.best_y)
    svg.line(left + kCloudLeft, top + axes.y(*panel.best_y), left + kCloudLeft + kCloudWidth,
             top + axes.y(*panel.best_y), kMark);
  std::vector<Heap> drawn;
  for (const Cloud& cloud : panel.clouds)
    draw_heaps(svg, cloud, colour_of(cloud.name, names), axes, left, top, drawn);
}

Legend cloud_legend(const std::vector<std::string>& names, const std::string& least_title) {
  Legend legend;
  for (const std::string& name : names) {
    legend.add(
        [colour = colour_of(name, names)](Svg& svg, double x, double y, double size) {
          svg.circle(x + size / 2, y + size / 2, 5, fmt::format(R"(fill="{}")", colour));
        },
        name);
  }
  legend.add([](Svg& svg, double x, double y,
                double size) { svg.line(x, y + size / 2, x + size, y + size / 2, kMark); },
             least_title);
  legend.add("number in a circle: so many seeds; kinds at the same point stand side by side");
  return legend;
}

}  // namespace

Svg scatter_chart(const std::string& title, const std::string& x_title, const std::string& y_title,
                  const std::string& least_title, const std::vector<ScatterPanel>& panels) {
  const std::size_t rows = (panels.size() + kCloudsAcross - 1) / kCloudsAcross;
  const double width = kCloudPanelWidth * static_cast<double>(kCloudsAcross);
  const std::vector<std::string> names = names_in(panels);
  const Legend legend = cloud_legend(names, least_title);
  const double head = 12 + legend.height(width - 40);
  const double height = head + kCloudPanelHeight * static_cast<double>(rows) + 10;
  Svg svg(width, height, title);
  svg.rect(0, 0, width, height, R"(fill="#ffffff")");
  legend.draw(svg, 20, 6, width - 40);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = kCloudPanelWidth * static_cast<double>(i % kCloudsAcross);
    const double top = head + kCloudPanelHeight * static_cast<double>(i / kCloudsAcross);
    draw_cloud_panel(svg, panels[i], names, y_title, left, top);
    svg.text(left + kCloudLeft + kCloudWidth / 2, top + kCloudTop + kCloudHeight + 34, 11, x_title,
             R"(fill="#57606a")");
  }
  return svg;
}

}  // namespace ndnf
