#include "python/src/tasks.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "ndnf/env/model_file.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/tasks/registry.h"
#include "python/src/foreign_env.h"
#include "python/src/json_objects.h"
#include "python/src/observation_encoder.h"
#include "python/src/shared_object.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;

/// The task whose environments `walkers(count, stream)` makes, in Python: any number, or `only` this one.
/// `not_enumerated` says why it has no finite model.
Task foreign_task(const std::string& spec, const ObservationEncoder& encoder,
                  std::optional<std::size_t> step_limit, const nb::object& walkers,
                  std::optional<std::size_t> only, const std::string& not_enumerated) {
  Task task;
  task.not_enumerated = not_enumerated;
  task.spec = spec;
  task.vocabulary = encoder.vocabulary();
  task.step_limit = step_limit;
  task.environments = [shared = std::make_shared<const ObservationEncoder>(encoder),
                       make = SharedObject(walkers)](std::size_t count, std::uint64_t stream) {
    const nb::gil_scoped_acquire gil;
    return std::make_unique<ForeignEnv>(make.get()(count, stream), shared);
  };
  task.environments.only = only;
  return task;
}

/// One transition of a table: state, action, probability, next state, reward, terminal.
using Transition = std::tuple<StateId, ActionId, double, StateId, double, bool>;

/// The model file of a table of transitions. State s shows the observation with the values in row s of
/// `observations`; a row of numbers per state may follow. States without transitions are end states.
std::string model_from_table(const std::string& name, const Vocabulary& vocabulary,
                             const std::vector<std::vector<std::uint32_t>>& observations,
                             const std::vector<Transition>& transitions,
                             const std::vector<std::pair<StateId, double>>& starts,
                             std::optional<std::size_t> step_limit) {
  const nb::gil_scoped_release released;
  auto table = std::make_shared<ObservationTable>(std::make_shared<const Vocabulary>(vocabulary));
  std::vector<std::vector<std::vector<Outcome>>> rows(
      observations.size(), std::vector<std::vector<Outcome>>(vocabulary.action_count()));
  for (const auto& [state, action, p, next, reward, terminal] : transitions) {
    if (state >= rows.size() || next >= rows.size() || action >= vocabulary.action_count())
      throw Error("table", "names a state or action that does not exist");
    rows[state][action].push_back({p, reward, next, terminal, -1});
  }
  FiniteModelData data;
  for (StateId s = 0; s < observations.size(); ++s) data.add_state(table->intern(observations[s]), rows[s]);
  data.observations = std::move(table);
  for (const auto& [state, p] : starts) data.starts.push_back({p, state});
  data.step_limit = step_limit;
  return to_model_file(FiniteModel(std::move(data)), name);
}

nb::object vocabulary_object(const Vocabulary& vocabulary) {
  nlohmann::ordered_json json{{"groups", nlohmann::ordered_json::array()},
                              {"actions", vocabulary.actions()},
                              {"quantities", nlohmann::ordered_json::array()}};
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    const AtomGroup& group = vocabulary.group(g);
    json["groups"].push_back({{"name", group.name}, {"one_hot", group.one_hot}, {"atoms", group.atoms}});
  }
  for (const Quantity& quantity : vocabulary.quantities()) {
    json["quantities"].push_back(
        {{"name", quantity.name}, {"unit", quantity.unit}, {"low", quantity.low}, {"high", quantity.high}});
    if (!quantity.grid) continue;
    json["quantities"].back()["quantum"] = quantity.grid->quantum;
    json["quantities"].back()["lowest"] = quantity.grid->lowest;
    json["quantities"].back()["highest"] = quantity.grid->highest;
  }
  return to_python(json);
}

}  // namespace

void bind_tasks(nb::module_& module) {
  nb::class_<AtomGroup>(module, "AtomGroup", "Atoms of which exactly one is true, or a single atom.")
      .def(
          "__init__",
          [](AtomGroup* self, std::string name, bool one_hot, std::vector<std::string> atoms) {
            new (self) AtomGroup{std::move(name), one_hot, std::move(atoms)};
          },
          nb::arg("name"), nb::arg("one_hot"), nb::arg("atoms"));
  nb::class_<Quantity>(module, "Quantity", "A real number in an observation.")
      .def(
          "__init__",
          [](Quantity* self, std::string name, std::string unit, double low, double high,
             std::optional<double> quantum, double grid_low, double grid_high) {
            new (self) Quantity{std::move(name), std::move(unit), low, high};
            if (quantum) self->grid = Grid::covering(grid_low, grid_high, *quantum);
          },
          nb::arg("name"), nb::arg("unit"), nb::arg("low"), nb::arg("high"),
          nb::arg("quantum").none() = nb::none(), nb::arg("grid_low") = 0.0, nb::arg("grid_high") = 0.0);
  nb::class_<Vocabulary>(module, "Vocabulary", "The names of a task: atoms, actions and quantities.")
      .def(nb::init<std::vector<AtomGroup>, std::vector<std::string>, std::vector<Quantity>>(),
           nb::arg("groups"), nb::arg("actions"), nb::arg("quantities"))
      .def_prop_ro("fingerprint", [](const Vocabulary& self) { return self.fingerprint(); })
      .def("to_dict", vocabulary_object, nb::sig("def to_dict(self) -> dict[str, typing.Any]"));
  bind_encoder(module);
  nb::class_<Task>(module, "Task", "A task to be learned.")
      .def_ro("spec", &Task::spec)
      .def_ro("source", &Task::source)
      .def_ro("discount", &Task::discount)
      .def_ro("step_limit", &Task::step_limit)
      .def_prop_ro("vocabulary", [](const Task& self) { return *self.vocabulary; })
      .def_prop_ro("dense_size", [](const Task& self) { return self.observations()->dense_size(); })
      .def_prop_ro("is_finite", [](const Task& self) { return self.is_finite(); })
      .def("model_text",
           [](const Task& self) { return to_model_file(self.model(), self.spec, self.layout.get()); });
  module.def(
      "open_task",
      [](const Input& spec) {
        const nb::gil_scoped_release released;
        return open_task(spec);
      },
      nb::arg("spec"));
  module.def("foreign_task", foreign_task, nb::arg("spec"), nb::arg("encoder"), nb::arg("step_limit").none(),
             nb::arg("walkers"), nb::arg("only").none(), nb::arg("not_enumerated"));
  module.def("model_from_table", model_from_table, nb::arg("name"), nb::arg("vocabulary"),
             nb::arg("observations"), nb::arg("transitions"), nb::arg("starts"),
             nb::arg("step_limit").none());
  module.def(
      "add_task_source",
      [](const std::string& prefix, const nb::object& source) {
        add_task_source(prefix, [make = SharedObject(source)](const std::string& spec, NamedBy by) {
          const nb::gil_scoped_acquire gil;
          return nb::cast<Task>(make.get()(spec.c_str(), by == NamedBy::kUser));
        });
      },
      nb::arg("prefix"), nb::arg("source"));
  module.def(
      "list_tasks", [] { return to_python(to_json(list_environments())); },
      nb::sig("def list_tasks() -> dict[str, typing.Any]"));
}

}  // namespace ndnf::python
