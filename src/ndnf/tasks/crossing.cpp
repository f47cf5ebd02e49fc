#include "ndnf/tasks/crossing.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/simulation/streamed_env.h"

// A road with several lanes, to be crossed on foot. In every lane one car drives to the right, one cell per
// step, and comes back on the left. Between lanes there is a refuge: waiting is safe, and stepping into the
// next lane is safe unless its car arrives at the crossing in this step. A walk of many lanes has more states
// than can be enumerated (width to the power of lanes), but one rule per lane is enough to act well.

namespace ndnf {
namespace {

constexpr std::size_t kMostLanes = 12;
/// Larger roads are simulated only.
constexpr std::size_t kMostStates = 100000;

constexpr ActionId kWait = 0;
constexpr double kStep = -1;
constexpr double kHit = -20;

struct Params {
  std::int64_t lanes = 3;
  std::int64_t width = 4;
  std::int64_t step_limit = 100;
};

class Crossing {
 public:
  /// Before which lane the walker stands, and the cell of the car in each lane.
  struct State {
    std::uint64_t lane = 0;
    std::array<std::uint32_t, kMostLanes> cars{};
  };

  explicit Crossing(const Params& params)
      : lanes_(static_cast<std::size_t>(params.lanes)),
        width_(static_cast<std::uint32_t>(params.width)),
        step_limit_(static_cast<std::size_t>(params.step_limit)) {
    std::vector<AtomGroup> groups = {AtomGroup::numbered("lane", "before(", lanes_, ")")};
    for (std::size_t l = 0; l < lanes_; ++l)
      groups.push_back(AtomGroup::numbered(fmt::format("car {}", l), fmt::format("car({},", l), width_, ")"));
    vocabulary_ =
        std::make_shared<const Vocabulary>(std::move(groups), std::vector<std::string>{"wait", "walk"});
  }

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return step_limit_; }
  std::size_t lanes() const { return lanes_; }
  std::size_t width() const { return width_; }

  State start(RandomSequence& random) const {
    State state;
    for (std::size_t l = 0; l < lanes_; ++l) state.cars[l] = random.below(width_);
    return state;
  }

  WorldStep step(State& state, ActionId action, RandomSequence&) const {
    for (std::size_t l = 0; l < lanes_; ++l) state.cars[l] = (state.cars[l] + 1) % width_;
    if (action == kWait) return {kStep, false};
    if (state.cars[state.lane] == width_ / 2) return {kHit, true};
    return {kStep, ++state.lane == lanes_};
  }

  void observe(const State& state, std::span<std::uint32_t> values, std::span<float>) const {
    values[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(state.lane, lanes_ - 1));
    for (std::size_t l = 0; l < lanes_; ++l) values[1 + l] = state.cars[l];
  }

  bool is_valid(const State& state) const {
    return state.lane < lanes_ && std::all_of(state.cars.begin(), state.cars.end(),
                                              [this](std::uint32_t car) { return car < width_; });
  }

  /// The number of states, or kMostStates + 1 if there are more.
  std::size_t state_count() const {
    std::size_t count = lanes_;
    for (std::size_t l = 0; l < lanes_ && count <= kMostStates; ++l) count *= width_;
    return std::min(count, kMostStates + 1);
  }

  /// The same world as a table; its last state is the end. REQUIRES: it is small.
  FiniteModel model() const {
    const std::size_t count = state_count();
    FiniteModelData data;
    auto table = std::make_shared<ObservationTable>(vocabulary_);
    std::vector<std::uint32_t> values(1 + lanes_);
    RandomSequence unused{RandomStream(0, 0)};
    const auto end = static_cast<StateId>(count);
    for (std::size_t id = 0; id <= count; ++id) {
      observe(state_of(id % count), values, {});
      data.observation.push_back(table->intern(values));
      for (ActionId a = 0; a < 2; ++a) {
        if (id == count) {
          data.add_row({});
          continue;
        }
        State state = state_of(id);
        const WorldStep result = step(state, a, unused);
        data.add_row(std::vector<Outcome>{
            {1, result.reward, result.terminated ? end : id_of(state), result.terminated, -1}});
      }
    }
    const std::size_t starts = count / lanes_;
    for (std::size_t id = 0; id < starts; ++id)
      data.starts.push_back({1.0 / static_cast<double>(starts), static_cast<StateId>(id)});
    data.observations = std::move(table);
    data.step_limit = step_limit_;
    data.labels["start"] = {};
    for (std::size_t id = 0; id < starts; ++id) data.labels["start"].push_back(static_cast<StateId>(id));
    return FiniteModel(std::move(data));
  }

  /// States are numbered by lane, then by the cars' cells.
  State state_of(std::size_t id) const {
    State state;
    for (std::size_t l = 0; l < lanes_; ++l, id /= width_)
      state.cars[l] = static_cast<std::uint32_t>(id % width_);
    state.lane = id;
    return state;
  }
  StateId id_of(const State& state) const {
    std::size_t id = state.lane;
    for (std::size_t l = lanes_; l-- > 0;) id = id * width_ + state.cars[l];
    return static_cast<StateId>(id);
  }

  /// One panel per lane to be crossed next: the cell of its car across, those of the other cars down. Nothing
  /// if that would take too many rows.
  std::optional<Layout> layout() const {
    constexpr std::size_t kMostRows = 64;
    std::size_t rows = 1;
    for (std::size_t l = 1; l < lanes_ && rows <= kMostRows; ++l) rows *= width_;
    if (rows > kMostRows) return std::nullopt;
    Layout layout;
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::size_t> cells;
      for (std::size_t l = 1, rest = row; l < lanes_; ++l, rest /= width_) cells.push_back(rest % width_);
      layout.rows.push_back(fmt::format("{}", fmt::join(cells, ",")));
    }
    if (lanes_ > 1) layout.row_title = "cells of the other cars";
    layout.columns = numbered_names(width_);
    layout.column_title = "cell of the car in the next lane";
    layout.marks = {"■", "↑"};
    layout.panels.clear();
    for (std::size_t l = 0; l < lanes_; ++l) layout.panels.push_back(fmt::format("before lane {}", l));
    layout.place = [road = *this](StateId id) -> std::optional<StatePlace> {
      if (id >= road.state_count()) return std::nullopt;
      return road.place_of(road.state_of(id));
    };
    return layout;
  }

  StatePlace place_of(const State& state) const {
    StatePlace place{0, state.cars[state.lane], static_cast<std::uint32_t>(state.lane)};
    for (std::size_t l = lanes_; l-- > 0;) {
      if (l != state.lane) place.row = place.row * width_ + state.cars[l];
    }
    return place;
  }

  std::string draw(std::size_t id) const {
    if (id >= state_count()) return "The walk is over:\non the other side, or under a car.\n";
    const State state = state_of(id);
    std::string text;
    for (std::size_t l = lanes_; l-- > 0;) {
      std::string lane(width_, '.');
      lane[width_ / 2] = ':';
      lane[state.cars[l]] = '>';
      text += lane + (state.lane == l ? "  <- next\n" : "\n");
    }
    return text;
  }

 private:
  std::size_t lanes_;
  std::uint32_t width_;
  std::size_t step_limit_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

/// The road from above: a car in every lane, the crossing, and the walker before the next lane.
Svg picture(const Crossing& road, StateId id) {
  constexpr double kCell = 40;
  const double width = kCell * static_cast<double>(road.width());
  const double height = kCell * static_cast<double>(road.lanes() + 1);
  Svg svg(width, height, "Crossing a road");
  svg.rect(0, 0, width, height, R"(fill="#d7d3c8")");
  const double crossing = kCell * static_cast<double>(road.width() / 2);
  const bool over = id >= road.state_count();
  const Crossing::State state = road.state_of(over ? 0 : id);
  for (std::size_t l = 0; l < road.lanes(); ++l) {
    const double y = height - kCell * static_cast<double>(l + 2) + kCell / 2;
    svg.rect(0, y + 2, width, kCell - 4, R"(fill="#5b6068")");
    svg.rect(crossing, y + 2, kCell, kCell - 4, R"(fill="#8d939c")");
    if (over) continue;
    svg.rect(kCell * static_cast<double>(state.cars[l]) + 5, y + 10, kCell - 10, kCell - 20,
             R"(fill="#c0392b")", 5);
  }
  // Before the first lane and behind the last there is a pavement; between lanes only a line.
  const double lane = static_cast<double>(over ? road.lanes() : state.lane);
  const double pavement = over ? -kCell / 4 : state.lane == 0 ? kCell / 4 : 0;
  svg.circle(crossing + kCell / 2, height - kCell * (lane + 0.5) + pavement, 7,
             R"(fill="#1f4e79" stroke="#ffffff" stroke-width="1.5")");
  return svg;
}

Task build(std::string_view, const Params& params) {
  const auto road = std::make_shared<const Crossing>(params);
  if (road->state_count() > kMostStates) return streamed_task(road);
  return finite_task(
      road->model(), [road](StateId id) { return road->draw(id); },
      [road](StateId id) { return picture(*road, id); }, road->layout());
}

}  // namespace

std::vector<TaskKind> crossing_kinds() {
  ConfigTable<Params> table;
  table.integer("lanes", &Params::lanes, 1, static_cast<std::int64_t>(kMostLanes), "Lanes of the road.")
      .integer("width", &Params::width, 2, 64, "Cells of a lane.")
      .integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return {task_kind(
      "crossing",
      [](const Params& params) {
        return fmt::format("Cross a road of {} lanes without being hit by a car.", params.lanes);
      },
      std::move(table), build)};
}

}  // namespace ndnf
