#include "ndnf/tasks/taxi_drawing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace ndnf {
namespace {

using Square = TaxiMap::Square;

constexpr std::string_view kLetters = "RGYB";
constexpr std::array<std::string_view, 4> kColours = {"#e4574c", "#54b058", "#f1c531", "#4a86d8"};

std::string sentence(const TaxiState& s) {
  const std::string taxi = fmt::format("taxi at row {}, column {}", s.taxi.row, s.taxi.col);
  const char to = kLetters[s.destination];
  if (s.passenger == s.destination) return fmt::format("{}; passenger delivered to {}", taxi, to);
  if (s.passenger == TaxiState::kInTaxi) return fmt::format("{}; passenger in it, to {}", taxi, to);
  return fmt::format("{}; passenger at {}, to {}", taxi, kLetters[s.passenger], to);
}

Square passenger_square(const TaxiMap& map, const TaxiState& s) {
  return s.passenger == TaxiState::kInTaxi ? s.taxi : map.landmarks[s.passenger];
}

/// Four characters: `[R*]`.
std::string cell_text(const TaxiMap& map, const TaxiState& s, Square square) {
  const auto landmark = map.landmark_at(square);
  const bool taxi = square == s.taxi;
  const char mark = square == passenger_square(map, s) ? 'p' : landmark == s.destination ? '*' : ' ';
  return {taxi ? '[' : ' ', landmark ? kLetters[*landmark] : ' ', mark, taxi ? ']' : ' '};
}

/// The rows or columns that the text shows: all, or those around the taxi.
struct Window {
  Window(std::uint32_t size, std::uint32_t taxi) {
    constexpr std::uint32_t kMost = 15;
    if (size > kMost) begin = std::min(std::max(taxi, kMost / 2) - kMost / 2, size - kMost);
    end = std::min(begin + kMost, size);
  }
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The position of a square in the picture. On large maps the squares shrink, but the figures do not.
struct MapGeometry {
  explicit MapGeometry(const TaxiMap& map) {
    const double square = std::min(kCell, 7 * kCell / std::max(map.rows, map.cols));
    cell_width = std::max(square, 2 * kSmallestFigure / map.cols);  // room for both landmarks of a thin map
    cell_height = std::max(square, 2 * kSmallestFigure / map.rows);
    right = left(map.cols);
    bottom = top(map.rows);
  }

  double left(std::uint32_t col) const { return kMargin + cell_width * col; }
  double top(std::uint32_t row) const { return kMargin + cell_height * row; }

  /// SVG attributes that map a drawing in the unit square to a square of the map.
  std::string at(Square square, std::string_view style) const {
    const double size = std::max(std::min(cell_width, cell_height), kSmallestFigure);
    const double x = left(square.col) + (cell_width - size) / 2;
    const double y = top(square.row) + (cell_height - size) / 2;
    return fmt::format("transform=\"translate({:g} {:g}) scale({:g})\" {}",
                       std::clamp(x, kMargin, right - size), std::clamp(y, kMargin, bottom - size), size,
                       style);
  }

  static constexpr double kCell = 84;
  static constexpr double kMargin = 12;
  static constexpr double kSmallestFigure = 36;

  double cell_width;
  double cell_height;
  double right;   ///< Of the ground.
  double bottom;  ///<
};

void draw_ground(Svg& svg, const TaxiMap& map, const MapGeometry& at) {
  svg.rect(0, 0, at.right + MapGeometry::kMargin, at.bottom + MapGeometry::kMargin, R"(fill="#fbfaf6")");
  svg.rect(at.left(0), at.top(0), at.right - at.left(0), at.bottom - at.top(0), R"(fill="#dcdcd4")");
  const double cell = std::min(at.cell_width, at.cell_height);
  if (cell < 8) return;  // lanes would hide the ground
  const std::string lane =
      fmt::format(R"(stroke="#fbfaf6" stroke-width="{:g}" stroke-dasharray="{:g}")", cell / 42, cell / 14);
  for (std::uint32_t col = 1; col < map.cols; ++col) {
    svg.line(at.left(col), at.top(0), at.left(col), at.bottom, lane);
  }
  for (std::uint32_t row = 1; row < map.rows; ++row) {
    svg.line(at.left(0), at.top(row), at.right, at.top(row), lane);
  }
}

void draw_walls(Svg& svg, const TaxiMap& map, const MapGeometry& at) {
  constexpr std::string_view kWall =
      R"(fill="none" stroke="#3c3f46" stroke-width="6" stroke-linecap="round" stroke-linejoin="round")";
  svg.rect(at.left(0), at.top(0), at.right - at.left(0), at.bottom - at.top(0), kWall);
  for (std::uint32_t row = 0; row < map.rows; ++row) {
    for (std::uint32_t col = 0; col + 1 < map.cols; ++col) {
      if (!map.wall_right_of({row, col})) continue;
      svg.line(at.left(col + 1), at.top(row), at.left(col + 1), at.top(row + 1), kWall);
    }
  }
}

void draw_landmark(Svg& svg, const MapGeometry& at, Square square, std::size_t landmark) {
  svg.rect(.06, .06, .88, .88, at.at(square, fmt::format(R"(fill="{}")", kColours[landmark])), .08);
  svg.text(.2, .34, .26, kLetters.substr(landmark, 1), at.at(square, R"(fill="#fff" font-weight="bold")"));
}

/// The house in the upper right of the square.
void draw_destination(Svg& svg, const MapGeometry& at, Square square) {
  svg.rect(.62, .25, .24, .2, at.at(square, R"(fill="#fff8ea" stroke="#5d4632" stroke-width=".02")"));
  svg.polygon({{.57, .27}, {.74, .1}, {.91, .27}},
              at.at(square, R"(fill="#8c4a32" stroke="#5d4632" stroke-width=".02")"));
  svg.rect(.7, .32, .08, .13, at.at(square, R"(fill="#5d4632")"));
}

/// A figure in the upper middle of the square.
void draw_passenger(Svg& svg, const MapGeometry& at, Square square) {
  svg.path("M.36 .47 V.33 Q.36 .25 .45 .25 Q.54 .25 .54 .33 V.47 Z",
           at.at(square, R"(fill="#6a3fa0" stroke="#2b1a45" stroke-width=".015")"));
  svg.circle(.45, .17, .075, at.at(square, R"(fill="#f2c9a1" stroke="#2b1a45" stroke-width=".015")"));
}

/// A car in the lower half of the square; green, with a head in its window, when the passenger is in it.
void draw_taxi(Svg& svg, const MapGeometry& at, Square square, bool occupied) {
  const std::string body =
      fmt::format(R"(fill="{}" stroke="#2a2a2a" stroke-width=".02" stroke-linejoin="round")",
                  occupied ? "#8fd14f" : "#ffd23f");
  svg.rect(.42, .46, .16, .07, at.at(square, R"(fill="#2a2a2a")"), .02);
  svg.path("M.08 .82 V.7 Q.08 .66 .14 .65 L.24 .64 L.33 .53 H.64 L.76 .64 L.88 .67 Q.93 .69 .93 .74 V.82 Z",
           at.at(square, body));
  svg.path("M.31 .64 L.37 .57 H.47 V.64 Z M.52 .57 H.62 L.69 .64 H.52 Z", at.at(square, R"(fill="#e8f4fa")"));
  if (occupied) svg.circle(.42, .605, .035, at.at(square, R"(fill="#6a3fa0")"));
  for (const double x : {.14, .26, .38, .5, .62, .74}) {
    svg.rect(x, .7, .06, .035, at.at(square, R"(fill="#2a2a2a")"));
  }
  for (const double x : {.27, .74}) {
    svg.circle(x, .83, .085, at.at(square, R"(fill="#2a2a2a")"));
    svg.circle(x, .83, .035, at.at(square, R"(fill="#c9c9c9")"));
  }
}

}  // namespace

std::string draw_taxi_text(const TaxiMap& map, const TaxiState& state) {
  const Window rows(map.rows, state.taxi.row);
  const Window cols(map.cols, state.taxi.col);
  const auto border = [&cols](bool of_map) {
    return fmt::format("+{}+\n", std::string(5 * (cols.end - cols.begin) - 1, of_map ? '-' : '.'));
  };
  std::string text = border(rows.begin == 0);
  for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
    text += cols.begin == 0 ? '|' : ':';
    for (std::uint32_t col = cols.begin; col < cols.end; ++col) {
      text += cell_text(map, state, {row, col}) + (map.wall_right_of({row, col}) ? '|' : ':');
    }
    text += '\n';
  }
  return text + border(rows.end == map.rows) + sentence(state) + "\n";
}

Svg draw_taxi_svg(const TaxiMap& map, const TaxiState& state) {
  const MapGeometry at(map);
  Svg svg(at.right + MapGeometry::kMargin, at.bottom + MapGeometry::kMargin, sentence(state));
  draw_ground(svg, map, at);
  for (std::size_t i = 0; i < map.landmarks.size(); ++i) draw_landmark(svg, at, map.landmarks[i], i);
  draw_walls(svg, map, at);
  draw_destination(svg, at, map.landmarks[state.destination]);
  const bool riding = state.passenger == TaxiState::kInTaxi;
  if (!riding) draw_passenger(svg, at, map.landmarks[state.passenger]);
  draw_taxi(svg, at, state.taxi, riding);
  return svg;
}

}  // namespace ndnf
