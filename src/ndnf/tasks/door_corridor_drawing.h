#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ndnf/base/svg.h"

namespace ndnf {

/// The appearance of a cell of the Door Corridor, in the order of the atoms' suffixes.
enum class DoorCell : std::uint8_t { kUnseen, kEmpty, kWall, kOpenDoor, kClosedDoor, kAgent, kGoal };

/// The 3×3 cells that the agent sees: ahead is up, the agent is in the middle of the last row.
using DoorView = std::array<std::array<DoorCell, 3>, 3>;

/// A state of the Door Corridor, ready to be drawn.
struct DoorScene {
  static constexpr std::size_t kRows = 3;
  static constexpr std::size_t kColumns = 7;

  std::array<std::array<DoorCell, kColumns>, kRows> grid;
  std::array<std::array<bool, kColumns>, kRows> seen;  ///< The cells of the grid that the agent sees.
  DoorView view;
  std::size_t agent_row;
  std::size_t agent_column;
  std::size_t heading;  ///< 0 right, 1 down, 2 left, 3 up.
  bool done;            ///< The episode has ended here.
};

std::string door_corridor_text(const DoorScene& scene);
Svg door_corridor_svg(const DoorScene& scene);

}  // namespace ndnf
