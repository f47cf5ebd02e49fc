#include "ndnf/tasks/corridor_drawing.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "ndnf/base/palette.h"

namespace ndnf {
namespace {

/// The locations [first, last) that a drawing shows.
struct Window {
  StateId first;
  StateId last;

  StateId size() const { return last - first; }
};

constexpr StateId kMostCells = 13;

Window window_around(const Corridor& corridor, StateId agent) {
  if (corridor.length <= kMostCells) return {0, corridor.length};
  const StateId before = std::min(agent, kMostCells / 2);
  const StateId first = std::min(agent - before, corridor.length - kMostCells);
  return {first, first + kMostCells};
}

/// What is drawn at the outer edge of the first or last visible cell.
enum class Edge { kWall, kJoined, kCutOff };

Edge edge(const Corridor& corridor, StateId boundary) {
  if (corridor.ring) return corridor.length <= kMostCells ? Edge::kJoined : Edge::kCutOff;
  return boundary == 0 || boundary == corridor.length ? Edge::kWall : Edge::kCutOff;
}

char edge_letter(Edge edge) { return edge == Edge::kWall ? '#' : edge == Edge::kJoined ? '~' : ':'; }

std::string_view occupants(const Corridor& corridor, StateId location, StateId agent) {
  if (location == corridor.goal) return location == agent ? "A G" : "G";
  if (location == agent) return "A";
  return location == corridor.start ? "S" : "";
}

constexpr double kCell = 76;
constexpr double kTop = 28;
constexpr double kHeight = 96;
constexpr double kSide = 36;

/// An arrow from x to x + reach, with the letter of its action above.
void draw_arrow(Svg& svg, double x, double y, double reach, bool is_right_action) {
  const std::string colour = action_colour(is_right_action ? 1 : 0).hex();
  const double sign = reach < 0 ? -1 : 1;
  const double tip = x + reach;
  svg.line(x, y, tip - 5 * sign, y, fmt::format("stroke=\"{}\" stroke-width=\"2.5\"", colour));
  svg.polygon({{tip, y}, {tip - 7 * sign, y - 4.5}, {tip - 7 * sign, y + 4.5}},
              fmt::format("fill=\"{}\"", colour));
  svg.text(x + reach / 2, y - 8, 11, is_right_action ? "R" : "L",
           fmt::format("font-weight=\"bold\" fill=\"{}\"", colour));
}

void draw_agent(Svg& svg, double x, double y) {
  svg.circle(x, y, 14, "fill=\"#facc15\" stroke=\"#422006\" stroke-width=\"2\"");
  svg.circle(x - 5, y - 3, 2, "fill=\"#422006\"");
  svg.circle(x + 5, y - 3, 2, "fill=\"#422006\"");
  svg.path(fmt::format("M{:g} {:g} q6 6 12 0", x - 6, y + 4),
           "fill=\"none\" stroke=\"#422006\" stroke-width=\"2\"");
}

void draw_cell(Svg& svg, const Corridor& corridor, StateId location, double x) {
  const bool special = corridor.special[location];
  const std::string_view fill = location == corridor.goal ? "#bbf7d0" : special ? "#e2e2ea" : "#ffffff";
  svg.rect(x, kTop, kCell, kHeight, fmt::format("fill=\"{}\" stroke=\"#64748b\"", fill));
  svg.text(x + kCell / 2, kTop - 9, 13, fmt::format("{}", location), "fill=\"#475569\"");
  const std::string_view role = location == corridor.goal    ? "goal"
                                : location == corridor.start ? "start"
                                                             : "";
  if (!role.empty()) svg.text(x + kCell / 2, kTop + 16, 12, role, "fill=\"#166534\" font-weight=\"bold\"");
  const double y = kTop + kHeight - 12;
  draw_arrow(svg, x + kCell / 2 - 6, y, -24, special);
  draw_arrow(svg, x + kCell / 2 + 6, y, 24, !special);
}

/// `outward` is −1 at the left edge and 1 at the right one.
void draw_edge(Svg& svg, Edge edge, double x, double outward) {
  if (edge == Edge::kWall) {
    svg.rect(outward < 0 ? x - 10 : x, kTop - 4, 10, kHeight + 8, "fill=\"#334155\"");
  } else if (edge == Edge::kCutOff) {
    svg.text(x + outward * 18, kTop + kHeight / 2, 24, "…", "fill=\"#64748b\"");
  }
}

/// The connection that joins the two ends.
void draw_ring(Svg& svg, double left, double right) {
  const double middle = kTop + kHeight / 2;
  const double low = kTop + kHeight + 14;
  svg.path(fmt::format("M{0:g} {2:g} h-14 q-10 0 -10 10 V{3:g} q0 10 10 10 H{4:g} q10 0 10 -10 V{5:g} q0 -10 "
                       "-10 -10 H{1:g}",
                       left, right, middle, low - 10, right + 14, middle + 10),
           "fill=\"none\" stroke=\"#64748b\" stroke-width=\"2.5\" stroke-dasharray=\"6 4\"");
}

}  // namespace

std::string corridor_text(const Corridor& corridor, StateId agent) {
  const Window window = window_around(corridor, agent);
  std::string numbers = " ";
  std::string border = "+";
  std::string contents(1, edge_letter(edge(corridor, window.first)));
  std::string arrows = contents;
  for (StateId location = window.first; location < window.last; ++location) {
    const char side = location + 1 < window.last ? '|' : edge_letter(edge(corridor, window.last));
    numbers += fmt::format("{:^6}", location);
    border += "-----+";
    contents += fmt::format("{:^5}{}", occupants(corridor, location, agent), side);
    arrows += fmt::format("{:^5}{}", corridor.special[location] ? "> <" : "< >", side);
  }
  return fmt::format(
      "{0}\n{1}\n{2}\n{3}\n{1}\nA agent, S start, G goal; > < marks where left and right are swapped\n",
      numbers, border, contents, arrows);
}

Svg corridor_svg(const Corridor& corridor, StateId agent) {
  const Window window = window_around(corridor, agent);
  const double cells = window.size() * kCell;
  const double width = std::max(cells + 2 * kSide, 5 * kCell);
  const double height = kTop + kHeight + 54;
  const double left = (width - cells) / 2;
  const double right = left + cells;
  Svg svg(width, height, fmt::format("Corridor of {} states, agent in state {}", corridor.length, agent));
  svg.rect(0, 0, width, height, "fill=\"#f8fafc\"");
  for (StateId location = window.first; location < window.last; ++location) {
    draw_cell(svg, corridor, location, left + (location - window.first) * kCell);
  }
  draw_agent(svg, left + (agent - window.first + 0.5) * kCell, kTop + 42);
  draw_edge(svg, edge(corridor, window.first), left, -1);
  draw_edge(svg, edge(corridor, window.last), right, 1);
  if (corridor.ring && window.size() == corridor.length) draw_ring(svg, left, right);
  svg.text(width / 2, height - 12, 12, "L left   R right   (grey: swapped)",
           "fill=\"#475569\" xml:space=\"preserve\"");
  return svg;
}

}  // namespace ndnf
