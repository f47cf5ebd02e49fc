#include "python/src/native_env.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "ndnf/base/error.h"
#include "ndnf/env/task.h"
#include "python/src/arrays.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;

using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Many episodes of a task of ours in lock-step, which begin again as soon as they end.
class NativeEnvs {
 public:
  NativeEnvs(const Task& task, std::size_t count)
      : task_(task), env_(task_.environments(count, 0)), actions_(count) {}

  /// (atoms, numbers): the values of the groups and the dense rows of the current observations.
  nb::tuple reset(std::uint64_t seed) { return rows(env_->reset(seed)); }

  /// (atoms, numbers, atoms and numbers of where the step led to, rewards, terminated, truncated).
  nb::tuple step(const Actions& actions) {
    if (actions.shape(0) != actions_.size())
      throw Error("actions", fmt::format("has {} elements", actions.shape(0)),
                  fmt::format("there are {} environments", actions_.size()));
    const auto count = static_cast<std::int64_t>(task_.vocabulary->action_count());
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const std::int64_t action = actions.data()[i];
      if (action < 0 || action >= count)
        throw Error("actions", fmt::format("{} is not an action", action),
                    fmt::format("actions are from 0 to {}", count - 1));
      actions_[i] = static_cast<ActionId>(action);
    }
    const VectorStep step = env_->step(actions_);
    return nb::make_tuple(
        rows(step.observations), rows(step.arrived),
        to_array(std::vector<double>(step.rewards.begin(), step.rewards.end()), {actions_.size()}),
        flags(step.terminated), flags(step.truncated));
  }

 private:
  nb::tuple rows(std::span<const ObsId> ids) const {
    const ObservationTable& table = env_->observations();
    std::vector<std::int64_t> atoms;
    std::vector<float> numbers;
    for (const ObsId id : ids) {
      const auto values = table.values(id);
      const auto dense = table.dense(id);
      atoms.insert(atoms.end(), values.begin(), values.end());
      numbers.insert(numbers.end(), dense.begin(), dense.end());
    }
    const std::size_t groups = table.vocabulary().group_count();
    return nb::make_tuple(to_array(std::move(atoms), {ids.size(), groups}),
                          to_array(std::move(numbers), {ids.size(), table.dense_size()}));
  }

  static nb::object flags(std::span<const std::uint8_t> bits) {
    auto* kept = new std::vector<std::uint8_t>(bits.begin(), bits.end());
    const nb::capsule owner(
        kept, [](void* pointer) noexcept { delete static_cast<std::vector<std::uint8_t>*>(pointer); });
    const std::size_t count = kept->size();
    return nb::cast(nb::ndarray<nb::numpy, bool>(reinterpret_cast<bool*>(kept->data()), 1, &count, owner));
  }

  Task task_;
  std::unique_ptr<VectorEnv> env_;
  std::vector<ActionId> actions_;
};

/// The outcomes of every action in every state: Gymnasium's P.
nb::dict table_of(const Task& task) {
  const FiniteModel& model = task.model();
  nb::dict table;
  for (StateId s = 0; s < model.state_count(); ++s) {
    nb::dict actions;
    for (ActionId a = 0; a < model.action_count(); ++a) {
      nb::list outcomes;
      for (const Outcome& outcome : model.outcomes(s, a))
        outcomes.append(nb::make_tuple(outcome.probability, outcome.next, outcome.reward, outcome.terminal));
      if (model.is_end(s)) outcomes.append(nb::make_tuple(1.0, s, 0.0, true));  // as Gymnasium's tables do
      actions[nb::int_(a)] = outcomes;
    }
    table[nb::int_(s)] = actions;
  }
  return table;
}

}  // namespace

void bind_native_envs(nb::module_& module) {
  nb::class_<NativeEnvs>(module, "NativeEnvs", "Episodes of a task of ours in lock-step.")
      .def(nb::init<const Task&, std::size_t>(), nb::arg("task"), nb::arg("count"))
      .def("reset", &NativeEnvs::reset, nb::arg("seed"),
           nb::sig("def reset(self, seed: int) -> tuple[typing.Any, typing.Any]"))
      .def("step", &NativeEnvs::step, nb::arg("actions"),
           nb::sig("def step(self, actions: typing.Any) -> tuple[typing.Any, typing.Any, typing.Any, "
                   "typing.Any, typing.Any]"));
  module.def("table_of", table_of, nb::arg("task"),
             nb::sig("def table_of(task: Task) -> dict[int, dict[int, list[tuple[float, int, float, "
                     "bool]]]]"));
  module.def(
      "states_of",
      [](const Task& task) {
        const FiniteModel& model = task.model();
        const ObservationTable& table = model.observations();
        std::vector<std::vector<std::uint32_t>> atoms;
        std::vector<std::vector<float>> numbers;
        for (StateId s = 0; s < model.state_count(); ++s) {
          const auto values = table.values(model.observation(s));
          const auto dense = table.dense(model.observation(s));
          atoms.emplace_back(values.begin(), values.end());
          numbers.emplace_back(dense.begin(), dense.end());
        }
        return std::make_tuple(atoms, numbers);
      },
      nb::arg("task"), "The atoms and numbers that each state shows.");
  module.def(
      "starts_of",
      [](const Task& task) {
        std::vector<double> starts(task.model().state_count(), 0.0);
        for (const Start& start : task.model().starts()) starts[start.state] += start.probability;
        return starts;
      },
      nb::arg("task"), "The probability of each state to be the first.");
  module.def(
      "draw_text",
      [](const Task& task, StateId state) {
        if (!task.draw_text) throw Error(task.spec, "has no drawings");
        return task.draw_text(state);
      },
      nb::arg("task"), nb::arg("state"));
  module.def(
      "draw_svg",
      [](const Task& task, StateId state) {
        if (!task.draw_svg) throw Error(task.spec, "has no drawings");
        return task.draw_svg(state).to_string();
      },
      nb::arg("task"), nb::arg("state"));
}

}  // namespace ndnf::python
