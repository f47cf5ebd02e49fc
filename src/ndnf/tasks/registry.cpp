#include "ndnf/tasks/registry.h"

#include <map>
#include <mutex>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/env/model_file.h"
#include "ndnf/tasks/acrobot.h"
#include "ndnf/tasks/blackjack.h"
#include "ndnf/tasks/cart_pole.h"
#include "ndnf/tasks/corridor.h"
#include "ndnf/tasks/crossing.h"
#include "ndnf/tasks/door_corridor.h"
#include "ndnf/tasks/mountain_car.h"
#include "ndnf/tasks/pendulum.h"
#include "ndnf/tasks/taxi.h"

namespace ndnf {
namespace {

constexpr std::string_view kGymnasium = "gym";

struct TaskSources {
  std::mutex mutex;
  std::map<std::string, TaskSource, std::less<>> by_prefix;
};

TaskSources& sources() {
  static TaskSources all;
  return all;
}

std::string_view prefix_of(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  return colon == spec.npos ? std::string_view() : spec.substr(0, colon);
}

/// Empty if there is none.
TaskSource source_of(std::string_view spec) {
  const std::lock_guard lock(sources().mutex);
  const auto found = sources().by_prefix.find(prefix_of(spec));
  return found == sources().by_prefix.end() ? nullptr : found->second;
}

Task brought_task(const std::string& spec, NamedBy by) {
  const TaskSource source = source_of(spec);
  if (!source) {
    throw Error(spec, "Gymnasium's environments need the Python package",
                "install it with pip, and use its command ndnf");
  }
  return source(spec, by);
}

}  // namespace

void add_task_source(const std::string& prefix, TaskSource source) {
  const std::lock_guard lock(sources().mutex);
  sources().by_prefix[prefix] = std::move(source);
}

bool is_brought_task(std::string_view spec) {
  return prefix_of(spec) == kGymnasium || static_cast<bool>(source_of(spec));
}

const std::vector<TaskKind>& task_kinds() {
  static const std::vector<TaskKind> kinds = [] {
    std::vector<TaskKind> all;
    for (auto family : {corridor_kinds, blackjack_kinds, taxi_kinds, door_corridor_kinds, crossing_kinds,
                        cart_pole_kinds, mountain_car_kinds, acrobot_kinds, pendulum_kinds}) {
      for (TaskKind& kind : family()) all.push_back(std::move(kind));
    }
    return all;
  }();
  return kinds;
}

Task make_task(std::string_view spec, NamedBy by) {
  const std::string where = Input(std::string(spec)).name;  // checked: it is written into programs
  if (is_brought_task(spec)) return brought_task(where, by);
  if (spec.ends_with(".json")) return read_model_file(where);
  if (is_drn_spec(spec)) return read_drn_file(where);
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  std::vector<std::string> names;
  for (const TaskKind& kind : task_kinds()) {
    if (kind.name == name) {
      const bool plain = colon == std::string_view::npos;
      return kind.build(
          where, plain ? std::vector<ConfigAssignment>{} : parse_assignments(where, spec.substr(colon + 1)));
    }
    names.push_back(kind.name);
  }
  throw Error(where, "there is no such environment", suggestion(name, names));
}

}  // namespace ndnf
