#include "ndnf/tasks/door_corridor_drawing.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

char letter(DoorCell cell) { return std::string_view("?.#/+SG")[static_cast<std::size_t>(cell)]; }

// Colours and shapes follow MiniGrid: dark floor, grey walls, a red triangle, a lighter field of view.
constexpr double kSize = 48;
constexpr double kMargin = 16;
constexpr double kGridTop = 40;
constexpr double kViewLeft = kMargin + DoorScene::kColumns * kSize + 40;
constexpr std::size_t kUp = 3;
constexpr std::string_view kDoorColour = "#e0b020";

void draw_closed_door(Svg& svg, double x, double y) {
  svg.rect(x + 4, y + 4, kSize - 8, kSize - 8,
           fmt::format("fill=\"#6b5310\" stroke=\"{}\" stroke-width=\"4\"", kDoorColour));
  svg.circle(x + kSize - 15, y + kSize / 2, 3.5, fmt::format("fill=\"{}\"", kDoorColour));
}

/// The open leaf lies flat against one side of the doorway: 0 right, 1 bottom, 2 left, 3 top.
void draw_open_door(Svg& svg, double x, double y, std::size_t side) {
  const std::string style = fmt::format("fill=\"#6b5310\" stroke=\"{}\" stroke-width=\"2.5\"", kDoorColour);
  const double offset = side < 2 ? kSize - 10 : 2;
  if (side % 2 == 0) {
    svg.rect(x + offset, y + 3, 8, kSize - 6, style);
  } else {
    svg.rect(x + 3, y + offset, kSize - 6, 8, style);
  }
}

void draw_cell(Svg& svg, DoorCell cell, double x, double y, std::size_t hinge_side) {
  const bool wall = cell == DoorCell::kWall;
  const std::string_view fill = wall ? "#767676" : cell == DoorCell::kGoal ? "#1f9d3a" : "#1a1a1a";
  svg.rect(x, y, kSize, kSize, fmt::format("fill=\"{}\" stroke=\"#4a4a4a\"", fill));
  const double middle = x + kSize / 2;
  switch (cell) {
    case DoorCell::kOpenDoor:
      draw_open_door(svg, x, y, hinge_side);
      break;
    case DoorCell::kClosedDoor:
      draw_closed_door(svg, x, y);
      break;
    case DoorCell::kGoal:
      svg.text(middle, y + kSize - 4, 10, "goal", "fill=\"#ffffff\"");
      break;
    case DoorCell::kAgent:
      svg.text(middle, y + kSize - 4, 10, "start", "fill=\"#b0b0b0\"");
      break;
    case DoorCell::kUnseen:
      svg.text(middle, y + kSize / 2 + 6, 16, "?", "fill=\"#5a5a5a\"");
      break;
    case DoorCell::kEmpty:
    case DoorCell::kWall:
      break;
  }
}

/// A triangle in the middle of the cell; headings as in DoorScene.
void draw_agent(Svg& svg, double x, double y, std::size_t heading) {
  constexpr std::array<std::pair<double, double>, 4> kDirections{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const auto [dx, dy] = kDirections[heading];
  const double cx = x + kSize / 2;
  const double cy = y + kSize / 2;
  const double length = 12;
  const double half = 10;
  svg.polygon({{cx + dx * length, cy + dy * length},
               {cx - dx * length * 0.8 - dy * half, cy - dy * length * 0.8 + dx * half},
               {cx - dx * length * 0.8 + dy * half, cy - dy * length * 0.8 - dx * half}},
              "fill=\"#ff2a2a\" stroke=\"#ffffff\" stroke-width=\"1.5\"");
}

void draw_grid(Svg& svg, const DoorScene& scene) {
  for (std::size_t row = 0; row < DoorScene::kRows; ++row) {
    for (std::size_t column = 0; column < DoorScene::kColumns; ++column) {
      const double x = kMargin + static_cast<double>(column) * kSize;
      const double y = kGridTop + static_cast<double>(row) * kSize;
      draw_cell(svg, scene.grid[row][column], x, y, kUp);
      if (scene.seen[row][column]) svg.rect(x, y, kSize, kSize, "fill=\"#ffffff\" fill-opacity=\"0.28\"");
    }
  }
  draw_agent(svg, kMargin + static_cast<double>(scene.agent_column) * kSize,
             kGridTop + static_cast<double>(scene.agent_row) * kSize, scene.heading);
}

void draw_view(Svg& svg, const DoorScene& scene) {
  const std::size_t hinge_side = (kUp + kUp - scene.heading) % 4;  // the grid's top, turned with the view
  for (std::size_t row = 0; row < scene.view.size(); ++row) {
    for (std::size_t column = 0; column < scene.view[row].size(); ++column) {
      draw_cell(svg, scene.view[row][column], kViewLeft + static_cast<double>(column) * kSize,
                kGridTop + static_cast<double>(row) * kSize, hinge_side);
    }
  }
  draw_agent(svg, kViewLeft + kSize, kGridTop + 2 * kSize, kUp);
}

}  // namespace

std::string door_corridor_text(const DoorScene& scene) {
  std::string text = "map       view\n";
  for (std::size_t row = 0; row < DoorScene::kRows; ++row) {
    std::string line;
    for (const DoorCell cell : scene.grid[row]) line += letter(cell);
    if (row == scene.agent_row) line[scene.agent_column] = std::string_view(">v<^")[scene.heading];
    line += "   ";
    for (const DoorCell cell : scene.view[row]) line += letter(cell);
    text += line + "\n";
  }
  return text + (scene.done ? "The episode is over.\n" : "") +
         "^>v< agent, S start, G goal, # wall, + closed door, / open door, ? unseen;\n"
         "in the view ahead is up and the agent stands in the middle of the last row\n";
}

Svg door_corridor_svg(const DoorScene& scene) {
  const double width = kViewLeft + 3 * kSize + kMargin;
  const double height = kGridTop + DoorScene::kRows * kSize + kMargin;
  Svg svg(width, height, "Door Corridor and what the agent sees of it");
  svg.rect(0, 0, width, height, "fill=\"#f8fafc\"");
  const std::string_view caption = "fill=\"#334155\"";
  svg.text(kMargin, kGridTop - 14, 14, scene.done ? "corridor (episode over)" : "corridor", caption, "start");
  svg.text(kViewLeft, kGridTop - 14, 14, "what the agent sees", caption, "start");
  draw_grid(svg, scene);
  draw_view(svg, scene);
  return svg;
}

}  // namespace ndnf
