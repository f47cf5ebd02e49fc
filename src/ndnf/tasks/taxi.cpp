#include "ndnf/tasks/taxi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"
#include "ndnf/tasks/taxi_drawing.h"
#include "ndnf/tasks/taxi_map.h"

namespace ndnf {
namespace {

using Square = TaxiMap::Square;

constexpr std::uint32_t kLandmarks = 4;
constexpr std::uint32_t kPassengerPlaces = kLandmarks + 1;
constexpr std::uint32_t kStatesPerSquare = kPassengerPlaces * kLandmarks;
constexpr std::uint32_t kStartsPerSquare = kLandmarks * (kLandmarks - 1);
constexpr std::int64_t kMaxSquares = 600000;  // 12 million states: more than 2 GB
/// Squares that one thread describes at a time.
constexpr std::uint32_t kChunk = 4096;

enum Action : ActionId { kDown, kUp, kRight, kLeft, kPickup, kDropoff, kActions };

struct TaxiParams {
  std::string obs = "one-hot";
  std::int64_t rows = 5;
  std::int64_t cols = 5;
  std::int64_t step_limit = 200;
};

ConfigTable<TaxiParams> parameter_table() {
  return ConfigTable<TaxiParams>()
      .choice("obs", &TaxiParams::obs, {"one-hot", "factored"},
              "What the agent observes: one atom per state, or the taxi's row, the taxi's column, the "
              "passenger's place and the destination separately.")
      .integer("rows", &TaxiParams::rows, 2, 2000,
               "Rows of the map; a map other than 5×5 has no inner walls and a landmark in each corner.")
      .integer("cols", &TaxiParams::cols, 2, 2000, "Columns of the map.")
      .integer("step_limit", &TaxiParams::step_limit, 1, 1000000,
               "Steps after which an episode is truncated.");
}

TaxiMap make_map(std::string_view where, const TaxiParams& params) {
  if (params.rows * params.cols > kMaxSquares) {
    throw Error(std::string(where), fmt::format("rows × cols is {} squares", params.rows * params.cols),
                fmt::format("at most {} are allowed", kMaxSquares));
  }
  const auto rows = static_cast<std::uint32_t>(params.rows);
  const auto cols = static_cast<std::uint32_t>(params.cols);
  const bool original = rows == 5 && cols == 5;
  const std::uint32_t blue_col = original ? 3 : cols - 1;
  return {rows, cols, {{{0, 0}, {0, cols - 1}, {rows - 1, 0}, {rows - 1, blue_col}}}, original};
}

StateId to_id(const TaxiMap& map, const TaxiState& s) {
  return ((s.taxi.row * map.cols + s.taxi.col) * kPassengerPlaces + s.passenger) * kLandmarks + s.destination;
}

TaxiState to_state(const TaxiMap& map, StateId id) {
  const std::uint32_t square = id / kStatesPerSquare;
  return {{square / map.cols, square % map.cols}, id / kLandmarks % kPassengerPlaces, id % kLandmarks};
}

/// The square that a move leads to: the same square if there is a wall.
Square moved(const TaxiMap& map, Square square, Action action) {
  const auto [row, col] = square;
  switch (action) {
    case kDown:
      return {row + 1 < map.rows ? row + 1 : row, col};
    case kUp:
      return {row > 0 ? row - 1 : row, col};
    case kRight:
      return {row, map.wall_right_of(square) ? col : col + 1};
    case kLeft:
      return {row, col == 0 || map.wall_right_of({row, col - 1}) ? col : col - 1};
    default:
      return square;
  }
}

Outcome pick_up(const TaxiMap& map, TaxiState s) {
  const bool possible = s.passenger != TaxiState::kInTaxi && map.landmarks[s.passenger] == s.taxi;
  if (possible) s.passenger = TaxiState::kInTaxi;
  return {1, possible ? -1.0 : -10.0, to_id(map, s)};
}

/// The passenger may get out at any landmark, but only the destination ends the episode.
Outcome drop_off(const TaxiMap& map, TaxiState s) {
  const auto landmark = map.landmark_at(s.taxi);
  if (s.passenger != TaxiState::kInTaxi || !landmark) return {1, -10, to_id(map, s)};
  s.passenger = *landmark;
  const bool delivered = *landmark == s.destination;
  return {1, delivered ? 20.0 : -1.0, to_id(map, s), delivered};
}

Outcome outcome(const TaxiMap& map, TaxiState s, Action action) {
  if (action == kPickup) return pick_up(map, s);
  if (action == kDropoff) return drop_off(map, s);
  s.taxi = moved(map, s.taxi, action);
  return {1, -1, to_id(map, s)};
}

std::shared_ptr<const ObservationTable> make_observations(const TaxiMap& map, StateId states, bool one_hot) {
  std::vector<AtomGroup> groups;
  if (one_hot) {
    groups = {AtomGroup::numbered("state", "state(", states, ")")};
  } else {
    groups = {AtomGroup::numbered("taxi_row", "taxi_row(", map.rows, ")"),
              AtomGroup::numbered("taxi_col", "taxi_col(", map.cols, ")"),
              AtomGroup::numbered("passenger", "passenger(", kPassengerPlaces, ")"),
              AtomGroup::numbered("destination", "destination(", kLandmarks, ")")};
  }
  const std::vector<std::string> actions = {"down", "up", "right", "left", "pickup", "dropoff"};
  auto table = std::make_shared<ObservationTable>(std::make_shared<Vocabulary>(std::move(groups), actions));
  for (StateId id = 0; id < states; ++id) {
    const TaxiState s = to_state(map, id);
    const std::array<std::uint32_t, 4> factors = {s.taxi.row, s.taxi.col, s.passenger, s.destination};
    table->intern(one_hot ? std::span<const std::uint32_t>(&id, 1) : factors);
  }
  return table;
}

void add_labels(FiniteModelData& data, const TaxiMap& map, StateId states) {
  std::vector<StateId> in_taxi, taxi_at_passenger, taxi_at_destination, at_destination;
  for (StateId id = 0; id < states; ++id) {
    const TaxiState s = to_state(map, id);
    const bool riding = s.passenger == TaxiState::kInTaxi;
    if (riding) in_taxi.push_back(id);
    if (!riding && map.landmarks[s.passenger] == s.taxi) taxi_at_passenger.push_back(id);
    if (map.landmarks[s.destination] == s.taxi) taxi_at_destination.push_back(id);
    if (s.passenger == s.destination) at_destination.push_back(id);
  }
  data.labels = {{"in_taxi", std::move(in_taxi)},
                 {"taxi_at_passenger", std::move(taxi_at_passenger)},
                 {"taxi_at_destination", std::move(taxi_at_destination)},
                 {"at_destination", std::move(at_destination)}};
}

FiniteModel make_model(const TaxiMap& map, const TaxiParams& params) {
  const std::uint32_t squares = map.rows * map.cols;
  const StateId states = squares * kStatesPerSquare;
  FiniteModelData data;
  data.observations = make_observations(map, states, params.obs == "one-hot");
  data.observation.resize(states);  // one observation per state, in the same order
  std::iota(data.observation.begin(), data.observation.end(), ObsId{0});
  data.row_ends.resize(std::size_t{states} * kActions);  // and one outcome per action
  std::iota(data.row_ends.begin(), data.row_ends.end(), 1U);
  data.outcomes.resize(data.row_ends.size());
  parallel_for((squares + kChunk - 1) / kChunk, default_jobs(), [&](std::size_t chunk) {
    const std::uint32_t first = static_cast<std::uint32_t>(chunk) * kChunk;
    const StateId end = std::min(squares, first + kChunk) * kStatesPerSquare;
    for (StateId id = first * kStatesPerSquare; id < end; ++id) {
      const TaxiState s = to_state(map, id);
      for (ActionId action = 0; action < kActions; ++action) {
        data.outcomes[std::size_t{id} * kActions + action] = outcome(map, s, static_cast<Action>(action));
      }
    }
  });
  data.starts.reserve(std::size_t{squares} * kStartsPerSquare);
  for (StateId id = 0; id < states; ++id) {
    const TaxiState s = to_state(map, id);
    if (s.passenger == TaxiState::kInTaxi || s.passenger == s.destination) continue;
    data.starts.push_back({1.0 / (squares * kStartsPerSquare), id});
  }
  data.step_limit = static_cast<std::size_t>(params.step_limit);
  add_labels(data, map, states);
  return FiniteModel(std::move(data));
}

/// One map per place of the passenger and destination.
Layout layout_of(const TaxiMap& map) {
  constexpr std::string_view kLetters = "RGYB";
  Layout layout;
  layout.rows = numbered_names(map.rows);
  layout.columns = numbered_names(map.cols);
  layout.row_title = "row";
  layout.column_title = "column";
  layout.panels.clear();
  for (std::uint32_t passenger = 0; passenger < kPassengerPlaces; ++passenger) {
    for (const char to : kLetters) {
      layout.panels.push_back(passenger == TaxiState::kInTaxi
                                  ? fmt::format("in the taxi, to {}", to)
                                  : fmt::format("at {}, to {}", kLetters[passenger], to));
    }
  }
  layout.place = [map](StateId id) {
    const TaxiState s = to_state(map, id);
    return StatePlace{s.taxi.row, s.taxi.col, s.passenger * kLandmarks + s.destination};
  };
  for (std::uint32_t row = 0; map.walls && row < map.rows; ++row) {
    for (std::uint32_t col = 0; col + 1 < map.cols; ++col) {
      if (map.wall_right_of({row, col})) layout.walls.push_back({row, col, false});
    }
  }
  return layout;
}

Task build(std::string_view where, const TaxiParams& params) {
  const TaxiMap map = make_map(where, params);
  return finite_task(
      make_model(map, params), [map](StateId id) { return draw_taxi_text(map, to_state(map, id)); },
      [map](StateId id) { return draw_taxi_svg(map, to_state(map, id)); }, layout_of(map));
}

}  // namespace

std::vector<TaskKind> taxi_kinds() {
  return {task_kind("taxi", "A taxi fetches a passenger and drives to the destination (Gymnasium's Taxi).",
                    parameter_table(), build)};
}

}  // namespace ndnf
