#include "ndnf/report/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/base/palette.h"
#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr double kHeatCell = 15;
constexpr double kHeatMargin = 14;
constexpr double kHeatLabel = 10.5;
constexpr int kHeatLevels =
    8;  ///< On each side of 0: cells of one level are one path, which keeps files small.
constexpr std::size_t kHeatLetters = 34;

PaintColour level_colour(int level) {
  const double share = std::abs(level) / static_cast<double>(kHeatLevels);
  return kWhite.mixed(action_colour(level > 0 ? 0 : 1), share);
}

double largest(const HeatMap& map) {
  double most = 0;
  for (const double value : map.values) most = std::max(most, std::abs(value));
  return most > 0 ? most : 1;
}

/// The numbers of the `most` largest, ascending.
std::vector<std::size_t> largest_ones(const std::vector<double>& sizes, std::size_t most) {
  std::vector<std::size_t> order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&sizes](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  order.resize(std::min(most, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

void draw_cells(Svg& svg, const HeatMap& map, double left, double top) {
  const double most = largest(map);
  std::array<std::string, 2 * kHeatLevels + 1> paths;
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const long level = std::lround(map.at(r, c) / most * kHeatLevels);
      if (level == 0) continue;
      paths[static_cast<std::size_t>(level + kHeatLevels)] += fmt::format(
          "M{:g} {:g}h{:g}v{:g}h-{:g}z", left + kHeatCell * static_cast<double>(c) + 0.5,
          top + kHeatCell * static_cast<double>(r) + 0.5, kHeatCell - 1, kHeatCell - 1, kHeatCell - 1);
    }
  }
  for (int level = -kHeatLevels; level <= kHeatLevels; ++level) {
    const std::string& path = paths[static_cast<std::size_t>(level + kHeatLevels)];
    if (!path.empty()) svg.path(path, fmt::format(R"(fill="{}")", level_colour(level).hex()));
  }
}

Legend heat_legend(const HeatMap& map) {
  Legend legend;
  for (const int level : {kHeatLevels, -kHeatLevels}) {
    legend.add(
        [level](Svg& svg, double x, double y, double size) {
          svg.rect(x, y, size, size, fmt::format(R"(fill="{}")", level_colour(level).hex()));
        },
        figure_text((level > 0 ? 1 : -1) * largest(map)));
  }
  legend.add("white: 0");
  return legend;
}

}  // namespace

HeatMap shortened(const HeatMap& map, std::size_t most_rows, std::size_t most_columns) {
  std::vector<double> rows(map.rows.size(), 0);
  std::vector<double> columns(map.columns.size(), 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      rows[r] = std::max(rows[r], std::abs(map.at(r, c)));
      columns[c] = std::max(columns[c], std::abs(map.at(r, c)));
    }
  }
  HeatMap result{map.title, {}, {}, {}};
  const auto kept_columns = largest_ones(columns, most_columns);
  for (const std::size_t c : kept_columns) result.columns.push_back(map.columns[c]);
  for (const std::size_t r : largest_ones(rows, most_rows)) {
    result.rows.push_back(map.rows[r]);
    for (const std::size_t c : kept_columns) result.values.push_back(map.at(r, c));
  }
  return result;
}

Svg draw(const HeatMap& map) {
  double names = 0;
  for (const std::string& row : map.rows)
    names = std::max(names, text_width(ndnf::shortened(row, kHeatLetters), kHeatLabel));
  double heads = 0;
  for (const std::string& column : map.columns) heads = std::max(heads, text_width(column, kHeatLabel));
  const double left = kHeatMargin + names + 6;
  const double top = 36 + heads + 6;
  const double across = kHeatCell * static_cast<double>(map.columns.size());
  const double down = kHeatCell * static_cast<double>(map.rows.size());
  const double width =
      std::max({left + across + kHeatMargin, text_width(map.title, 15) + 2 * kHeatMargin, 220.0});
  const Legend legend = heat_legend(map);
  Svg svg(width, top + down + 14 + legend.height(width - 2 * kHeatMargin) + 6, map.title);
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kHeatMargin, 24, 14, map.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  svg.rect(left, top, across, down, R"(fill="none" stroke="#d0d7de")");
  for (std::size_t r = 0; r < map.rows.size(); ++r)
    svg.text(left - 5, top + kHeatCell * (static_cast<double>(r) + 0.75), kHeatLabel,
             ndnf::shortened(map.rows[r], kHeatLetters), R"(fill="#24292f")", "end");
  for (std::size_t c = 0; c < map.columns.size(); ++c)
    svg.upward_text(left + kHeatCell * (static_cast<double>(c) + 0.75),
                    top - 5 - text_width(map.columns[c], kHeatLabel) / 2, kHeatLabel, map.columns[c],
                    R"(fill="#24292f")");
  draw_cells(svg, map, left, top);
  legend.draw(svg, kHeatMargin, top + down + 12, width - 2 * kHeatMargin);
  return svg;
}

}  // namespace ndnf
