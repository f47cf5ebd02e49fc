#include "ndnf/tasks/door_corridor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/tasks/door_corridor_drawing.h"

// The paper's Door Corridor, a MiniGrid-like row of cells with three doors between the start and the goal:
//
//   x  0 1 2 3 4 5 6
//      # # # # # # #
//      # S D D D G #
//      # # # # # # #
//
// The agent sees 3×3 cells and is in the middle of the last row. As in the paper's experiments, the start
// cell always shows the object "agent".

namespace ndnf {
namespace {

constexpr int kStartX = 1;
constexpr int kFirstDoorX = 2;
constexpr int kDoorCount = 3;
constexpr int kGoalX = 5;
constexpr int kCorridorY = 1;
constexpr int kRows = static_cast<int>(DoorScene::kRows);
constexpr int kColumns = static_cast<int>(DoorScene::kColumns);

enum Action : ActionId { kTurnLeft, kTurnRight, kForward, kToggle, kActionCount };

/// What ends an episode.
enum class Ending { kWalkOntoGoal, kToggleGoalAhead, kToggleOnGoal };

struct Params {
  std::int64_t step_limit = 270;
};

struct State {
  int x = kStartX;
  int heading = 3;          // 0 right, 1 down, 2 left, 3 up
  unsigned open_doors = 0;  // bit i: door i + 1
  bool done = false;        // an end state: the episode is over

  auto key() const { return std::tie(x, heading, open_doors, done); }
  bool operator<(const State& other) const { return key() < other.key(); }
};

struct Place {
  int x;
  int y;
};

/// The cell `ahead` steps forward and `right` steps to the right of the agent.
Place relative(const State& state, int ahead, int right) {
  constexpr std::array<Place, 4> kDirections{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const auto heading = static_cast<std::size_t>(state.heading);
  const Place forward = kDirections[heading];
  const Place sideways = kDirections[(heading + 1) % 4];
  return {state.x + ahead * forward.x + right * sideways.x,
          kCorridorY + ahead * forward.y + right * sideways.y};
}

unsigned door_bit(int x) { return 1u << (x - kFirstDoorX); }

DoorCell cell(const State& state, Place place) {
  const auto [x, y] = place;
  if (x < 0 || x >= kColumns || y < 0 || y >= kRows) return DoorCell::kUnseen;
  if (y != kCorridorY || x == 0 || x == kColumns - 1) return DoorCell::kWall;
  if (x == kStartX) return DoorCell::kAgent;
  if (x == kGoalX) return DoorCell::kGoal;
  return (state.open_doors & door_bit(x)) != 0 ? DoorCell::kOpenDoor : DoorCell::kClosedDoor;
}

Place view_place(const State& state, std::size_t row, std::size_t column) {
  return relative(state, 2 - static_cast<int>(row), static_cast<int>(column) - 1);
}

DoorView view(const State& state) {
  DoorView cells{};
  const bool blocked = cell(state, relative(state, 1, 0)) == DoorCell::kClosedDoor;
  for (std::size_t row = blocked ? 1 : 0; row < 3; ++row) {  // a closed door ahead hides the row behind it
    for (std::size_t column = 0; column < 3; ++column) {
      cells[row][column] = cell(state, view_place(state, row, column));
    }
  }
  return cells;
}

State after(State state, ActionId action, Ending ending) {
  const Place ahead_place = relative(state, 1, 0);
  const DoorCell ahead = cell(state, ahead_place);
  if (action == kTurnLeft || action == kTurnRight) {
    state.heading = (state.heading + (action == kTurnRight ? 1 : 3)) % 4;
  } else if (action == kForward) {
    if (ahead == DoorCell::kWall || ahead == DoorCell::kClosedDoor) return state;
    state.x = ahead_place.x;
    state.done = ending == Ending::kWalkOntoGoal && ahead == DoorCell::kGoal;
  } else {
    const bool door = ahead == DoorCell::kOpenDoor || ahead == DoorCell::kClosedDoor;
    if (door) state.open_doors ^= door_bit(ahead_place.x);
    state.done = (ending == Ending::kToggleGoalAhead && ahead == DoorCell::kGoal) ||
                 (ending == Ending::kToggleOnGoal && state.x == kGoalX);
  }
  return state;
}

/// The reachable states: the decision states in breadth-first order from the start, then the end states.
std::vector<State> explore(Ending ending) {
  std::vector<State> states{State{}};
  std::set<State> known{states.front()};
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].done) continue;
    for (ActionId action = 0; action < kActionCount; ++action) {
      const State next = after(states[i], action, ending);
      if (known.insert(next).second) states.push_back(next);
    }
  }
  std::stable_partition(states.begin(), states.end(), [](const State& state) { return !state.done; });
  return states;
}

std::shared_ptr<const Vocabulary> make_vocabulary() {
  std::vector<AtomGroup> groups;
  for (const std::string place :
       {"top_left_corner", "two_step_ahead", "top_right_corner", "one_step_ahead_and_left", "one_step_ahead",
        "one_step_ahead_and_right", "left", "curr_location", "right"}) {
    AtomGroup group{place, true, {}};
    for (const char* look : {"unseen", "empty", "wall", "open_door", "closed_door", "agent", "goal"}) {
      group.atoms.push_back(place + "_" + look);
    }
    group.not_in_definitions = {place + "_agent"};  // it marks the start, which is not part of the world
    groups.push_back(std::move(group));
  }
  return std::make_shared<Vocabulary>(
      std::move(groups), std::vector<std::string>{"turn_left", "turn_right", "forward", "toggle"});
}

constexpr std::size_t kImageSize = 18;

/// The dense row is the paper's image of raw integers, [row][column][channel], with the channels object
/// (unseen, empty, wall, door, agent, goal: 0 to 5) and status (1: closed). An encoder reads it as channel·9
/// + row·3 + column.
ObsId observe(ObservationTable& table, const State& state) {
  constexpr std::array<float, 7> kObject{0, 1, 2, 3, 3, 4, 5};
  std::vector<std::uint32_t> values;
  std::vector<float> image;
  for (const auto& row : view(state)) {
    for (const DoorCell look : row) {
      values.push_back(static_cast<std::uint32_t>(look));
      image.push_back(kObject[values.back()]);
      image.push_back(look == DoorCell::kClosedDoor ? 1 : 0);
    }
  }
  return table.intern(values, image);
}

void add_labels(FiniteModelData& data, StateId id, const State& state) {
  for (int door = 1; door <= kDoorCount; ++door) {
    const bool open = (state.open_doors & door_bit(kFirstDoorX + door - 1)) != 0;
    if (open) data.labels[fmt::format("door_{}_open", door)].push_back(id);
  }
  if (state.x == kGoalX) data.labels["goal"].push_back(id);
  if (state.done) data.labels["done"].push_back(id);
}

FiniteModel make_model(const std::vector<State>& states, Ending ending, const Params& params) {
  std::map<State, StateId> ids;
  for (const State& state : states) ids.emplace(state, static_cast<StateId>(ids.size()));
  auto table = std::make_shared<ObservationTable>(make_vocabulary(), kImageSize);
  FiniteModelData data;
  for (const State& state : states) {
    data.observation.push_back(observe(*table, state));
    for (ActionId action = 0; action < kActionCount; ++action) {
      std::vector<Outcome> row;  // stays empty in an end state
      if (!state.done) {
        const State next = after(state, action, ending);
        row.push_back({1, -1, ids.at(next), next.done, -1});
      }
      data.add_row(row);
    }
    add_labels(data, ids.at(state), state);
  }
  data.observations = std::move(table);
  data.starts = {{1, 0}};
  data.step_limit = static_cast<std::size_t>(params.step_limit);
  return FiniteModel(std::move(data));
}

DoorScene make_scene(const State& state) {
  DoorScene scene{};
  for (std::size_t y = 0; y < DoorScene::kRows; ++y) {
    for (std::size_t x = 0; x < DoorScene::kColumns; ++x) {
      scene.grid[y][x] = cell(state, {static_cast<int>(x), static_cast<int>(y)});
    }
  }
  scene.view = view(state);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      if (scene.view[row][column] == DoorCell::kUnseen) continue;
      const Place place = view_place(state, row, column);
      scene.seen[static_cast<std::size_t>(place.y)][static_cast<std::size_t>(place.x)] = true;
    }
  }
  scene.agent_row = kCorridorY;
  scene.agent_column = static_cast<std::size_t>(state.x);
  scene.heading = static_cast<std::size_t>(state.heading);
  scene.done = state.done;
  return scene;
}

/// "all doors closed", "door 2 open", "doors 1, 3 open".
std::string doors_text(unsigned open_doors) {
  std::vector<int> open;
  for (int door = 1; door <= kDoorCount; ++door) {
    if ((open_doors & door_bit(kFirstDoorX + door - 1)) != 0) open.push_back(door);
  }
  if (open.empty()) return "all doors closed";
  return fmt::format("door{} {} open", open.size() == 1 ? "" : "s", fmt::join(open, ", "));
}

/// Cells across, headings down, one panel per set of open doors.
Layout layout_of(const std::shared_ptr<const std::vector<State>>& states) {
  Layout layout;
  layout.rows = {"right", "down", "left", "up"};
  layout.row_title = "facing";
  layout.columns = {"start", "door 1", "door 2", "door 3", "goal"};
  layout.panels.clear();
  for (unsigned open = 0; open < 1u << kDoorCount; ++open) layout.panels.push_back(doors_text(open));
  layout.place = [states](StateId s) -> std::optional<StatePlace> {
    const State& state = (*states)[s];
    if (state.done) return std::nullopt;
    return StatePlace{static_cast<std::uint32_t>(state.heading),
                      static_cast<std::uint32_t>(state.x - kStartX), state.open_doors};
  };
  layout.marks = {"↺", "↻", "F", "T"};
  return layout;
}

TaskKind door_corridor_kind(std::string name, std::string summary, Ending ending) {
  ConfigTable<Params> table;
  table.integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return task_kind(std::move(name), std::move(summary), std::move(table),
                   [ending](std::string_view, const Params& params) {
                     const auto states = std::make_shared<const std::vector<State>>(explore(ending));
                     return finite_task(
                         make_model(*states, ending, params),
                         [states](StateId s) { return door_corridor_text(make_scene((*states)[s])); },
                         [states](StateId s) { return door_corridor_svg(make_scene((*states)[s])); },
                         layout_of(states));
                   });
}

}  // namespace

std::vector<TaskKind> door_corridor_kinds() {
  return {
      door_corridor_kind("door-corridor", "Open three doors in a row and walk onto the goal.",
                         Ending::kWalkOntoGoal),
      door_corridor_kind("door-corridor-t",
                         "Door Corridor, ended by toggling the goal from the cell before it.",
                         Ending::kToggleGoalAhead),
      door_corridor_kind("door-corridor-ot", "Door Corridor, ended by toggling while standing on the goal.",
                         Ending::kToggleOnGoal)};
}

}  // namespace ndnf
