#include "ndnf/tasks/corridor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/tasks/corridor_drawing.h"

// The paper's Switcheroo Corridors: walk to the goal, but in special states left and right are swapped. The
// agent observes its location (`state`), or only whether there is a wall on either side (`wall`).

namespace ndnf {
namespace {

constexpr ActionId kRight = 1;
constexpr std::int64_t kMaxLength = 100000;

struct Params {
  std::int64_t length;
  std::int64_t start;
  std::int64_t goal;
  std::vector<std::int64_t> special;
  std::string obs = "state";
  bool ring = false;
  std::int64_t step_limit = 50;
};

void check(std::string_view where, const Params& params) {
  const auto require_inside = [&](std::string_view key, std::int64_t location) {
    if (location < params.length) return;
    throw Error(std::string(where),
                fmt::format("{} names location {}, which is outside the corridor", key, location),
                fmt::format("with length={} the locations are 0 to {}", params.length, params.length - 1));
  };
  require_inside("start", params.start);
  require_inside("goal", params.goal);
  if (params.start == params.goal) {
    throw Error(std::string(where), fmt::format("start and goal are both location {}", params.start),
                "they must differ");
  }
  std::vector<std::int64_t> sorted = params.special;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) require_inside("special", sorted.back());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(std::string(where), fmt::format("special names location {} twice", *twice),
                "name each location once");
  }
}

Corridor make_corridor(const Params& params) {
  Corridor corridor{static_cast<StateId>(params.length), static_cast<StateId>(params.start),
                    static_cast<StateId>(params.goal),
                    std::vector<bool>(static_cast<std::size_t>(params.length)), params.ring};
  for (const std::int64_t location : params.special) {
    corridor.special[static_cast<std::size_t>(location)] = true;
  }
  return corridor;
}

StateId destination(const Corridor& corridor, StateId location, ActionId action) {
  const bool rightward = (action == kRight) != corridor.special[location];
  if (corridor.ring) return (location + (rightward ? 1 : corridor.length - 1)) % corridor.length;
  if (rightward) return std::min(location + 1, corridor.length - 1);
  return location == 0 ? 0 : location - 1;
}

std::shared_ptr<const Vocabulary> make_vocabulary(const Corridor& corridor, bool sees_location) {
  std::vector<AtomGroup> groups;
  if (sees_location) {
    groups.push_back(AtomGroup::numbered("location", "in_s_", corridor.length));
  } else {
    groups.push_back(AtomGroup::single("left_wall_present"));
    groups.push_back(AtomGroup::single("right_wall_present"));
  }
  return std::make_shared<Vocabulary>(std::move(groups), std::vector<std::string>{"left", "right"});
}

ObsId observe(ObservationTable& table, const Corridor& corridor, bool sees_location, StateId location) {
  if (sees_location) return table.intern(std::array<std::uint32_t, 1>{location});
  const bool left_wall = !corridor.ring && location == 0;
  const bool right_wall = !corridor.ring && location + 1 == corridor.length;
  return table.intern(std::array<std::uint32_t, 2>{left_wall, right_wall});
}

FiniteModel make_model(const Corridor& corridor, const Params& params) {
  const bool sees_location = params.obs == "state";
  auto table = std::make_shared<ObservationTable>(make_vocabulary(corridor, sees_location));
  FiniteModelData data;
  for (StateId location = 0; location < corridor.length; ++location) {
    data.observation.push_back(observe(*table, corridor, sees_location, location));
    for (const ActionId action : {ActionId{0}, kRight}) {
      Outcome outcome;
      outcome.reward = -1;
      outcome.next = destination(corridor, location, action);
      outcome.terminal = outcome.next == corridor.goal;
      data.add_row({&outcome, 1});
    }
    if (corridor.special[location]) data.labels["special"].push_back(location);
  }
  data.observations = std::move(table);
  data.starts = {{1, corridor.start}};
  data.step_limit = static_cast<std::size_t>(params.step_limit);
  data.labels["start"] = {corridor.start};
  data.labels["goal"] = {corridor.goal};
  return FiniteModel(std::move(data));
}

/// A single row.
Layout layout_of(const Corridor& corridor) {
  Layout layout;
  layout.rows = {""};
  layout.columns = numbered_names(corridor.length);
  layout.column_title = "location";
  layout.place = [](StateId location) { return StatePlace{0, location}; };
  return layout;
}

Task build(std::string_view where, const Params& params) {
  check(where, params);
  const auto corridor = std::make_shared<const Corridor>(make_corridor(params));
  return finite_task(
      make_model(*corridor, params), [corridor](StateId s) { return corridor_text(*corridor, s); },
      [corridor](StateId s) { return corridor_svg(*corridor, s); }, layout_of(*corridor));
}

std::string summary(const Params& params) {
  return fmt::format("Switcheroo Corridor of {} states{}: walk from {} to {}{}.", params.length,
                     params.ring ? " in a ring" : "", params.start, params.goal,
                     params.special.empty() ? "" : ", where left and right are swapped in special states");
}

TaskKind corridor_kind(std::string name, Params defaults) {
  ConfigTable<Params> table(std::move(defaults));
  table.choice("obs", &Params::obs, {"state", "wall"},
               "What the agent observes: its state, or only whether there is a wall on its left and right.");
  table.integer("length", &Params::length, 2, kMaxLength, "Number of states, counted from 0 on the left.");
  table.integer("start", &Params::start, 0, kMaxLength - 1, "The state in which an episode starts.");
  table.integer("goal", &Params::goal, 0, kMaxLength - 1,
                "The state that ends an episode when it is reached.");
  table.integers("special", &Params::special, 0, kMaxLength - 1,
                 "The states in which left and right are swapped.");
  table.flag("ring", &Params::ring, "Join the two ends, so that there are no walls.");
  table.integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return task_kind(std::move(name), summary, std::move(table), build);
}

}  // namespace

std::vector<TaskKind> corridor_kinds() {
  return {corridor_kind("small-corridor", {.length = 4, .start = 0, .goal = 3, .special = {1}}),
          corridor_kind("long-corridor-5", {.length = 5, .start = 0, .goal = 4, .special = {1}}),
          corridor_kind("long-corridor-11", {.length = 11, .start = 7, .goal = 3, .special = {5, 6, 7, 8}})};
}

}  // namespace ndnf
