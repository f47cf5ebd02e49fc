#include "ndnf/report/policy_grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr double kSquare = 34;
constexpr double kHead = 50;
constexpr double kMargin = 44;

/// A mix of white and a colour.
std::string mixed(double share, int red, int green, int blue) {
  const auto part = [share](int full) { return static_cast<int>(std::lround(255 + share * (full - 255))); };
  return fmt::format("fill=\"#{:02x}{:02x}{:02x}\" stroke=\"white\"", part(red), part(green), part(blue));
}

std::string fill(const GridSquare& square) {
  if (!square.probability) return "fill=\"#999\" stroke=\"white\"";
  const double p = *square.probability;
  return square.differs ? mixed(0.35 + 0.65 * std::abs(2 * p - 1), 214, 60, 60)
                        : mixed(0.1 + 0.5 * p, 42, 111, 187);
}

double width_of(const PolicyGrid& grid) {
  return kMargin + kSquare * static_cast<double>(grid.columns.size());
}

void draw_grid(Svg& svg, const PolicyGrid& grid, double left) {
  svg.text(left + kMargin, 20, 14, grid.title, "fill=\"#111\" font-weight=\"bold\"", "start");
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    svg.text(left + kMargin + kSquare * (static_cast<double>(c) + 0.5), kHead - 6, 11, grid.columns[c],
             "fill=\"#333\"");
  }
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    const double y = kHead + kSquare * static_cast<double>(r);
    svg.text(left + kMargin - 6, y + kSquare / 2 + 4, 11, grid.rows[r], "fill=\"#333\"", "end");
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const GridSquare& square = grid.squares[r * grid.columns.size() + c];
      const double x = left + kMargin + kSquare * static_cast<double>(c);
      svg.rect(x, y, kSquare, kSquare, fill(square));
      svg.text(x + kSquare / 2, y + 14, 10, square.action, "fill=\"#111\"");
      if (square.probability)
        svg.text(x + kSquare / 2, y + 27, 9, fmt::format("{:.2f}", *square.probability), "fill=\"#111\"");
    }
  }
}

}  // namespace

Svg draw(const std::string& title, const std::vector<PolicyGrid>& grids) {
  double width = 10;
  double height = 0;
  for (const PolicyGrid& grid : grids) {
    width += width_of(grid) + 20;
    height = std::max(height, kHead + kSquare * static_cast<double>(grid.rows.size()) + 10);
  }
  Svg svg(width, height, title);
  svg.rect(0, 0, width, height, "fill=\"white\"");
  double left = 0;
  for (const PolicyGrid& grid : grids) {
    draw_grid(svg, grid, left);
    left += width_of(grid) + 20;
  }
  return svg;
}

}  // namespace ndnf
