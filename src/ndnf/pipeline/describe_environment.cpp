#include "ndnf/pipeline/describe_environment.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/env/drn_file.h"
#include "ndnf/env/model_file.h"
#include "ndnf/export/task_drn.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/endless_optimum.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(std::optional<std::size_t> number) { return number ? Json(*number) : Json(nullptr); }

Json value_json(const ConfigValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json parameters_json(const std::vector<ConfigField>& fields) {
  Json list = Json::array();
  for (const ConfigField& field : fields) {
    list.push_back({{"key", field.key},
                    {"meaning", field.sentence},
                    {"default", value_json(field.fallback)},
                    {"allowed", field.allowed()}});
  }
  return list;
}

std::vector<std::string> atom_names(const std::vector<AtomGroup>& groups) {
  std::vector<std::string> names;
  for (const AtomGroup& group : groups) names.insert(names.end(), group.atoms.begin(), group.atoms.end());
  return names;
}

Json optimum_json(const ModelDescription& description) {
  const Evaluation& optimum = description.optimum;
  Json json = {{"return", optimum.mean_return},
               {"proof", to_string(description.best->proof)},
               {"bound", description.best->bound},
               {"length", optimum.length},
               {"terminated", optimum.terminated}};
  add_tag_rates(json, description.tags, optimum.tag_rates);
  return json;
}

/// Fills in the name and parameters for this spec. JSON model files have neither.
void describe_kind(EnvironmentDescription& description) {
  description.name = description.spec;
  if (description.spec.ends_with(".json")) return;
  if (is_drn_spec(description.spec)) {
    description.parameters = drn_settings().fields();
    return;
  }
  description.name.erase(std::min(description.name.find(':'), description.name.size()));
  for (const TaskKind& kind : task_kinds()) {
    if (kind.name == description.name) description.parameters = kind.parameters;
  }
}

StateId state_to_draw(const Task& task, std::optional<StateId> drawn) {
  const std::size_t count = task.model().state_count();
  if (drawn && *drawn >= count) {
    throw Error(task.spec, fmt::format("there is no state {}", *drawn),
                fmt::format("its states are 0 to {}", count - 1));
  }
  return drawn.value_or(task.model().starts()[0].state);
}

ModelDescription describe_model(const Task& task, std::optional<StateId> drawn, std::string& no_optimum) {
  const FiniteModel& model = task.model();
  ModelDescription description;
  description.drawn_state = state_to_draw(task, drawn);
  description.drawing = task.draw_text(description.drawn_state);
  description.states = model.decision_state_count();
  description.observations = model.decision_observations().size();
  const Reach reach = reachable(model);
  description.reachable_states = reach.states.size();
  description.reachable_observations = reach.observations.size();
  for (const auto& [label, states] : model.labels()) description.labels[label] = states.size();
  description.tags = model.tags();
  try {
    const Optimum optimum = find_optimum(model);
    description.best = optimum.best_return();
    description.optimum = optimum.evaluation;
  } catch (const NoOptimum& none) {
    no_optimum = none.complaints().front().what;
  }
  return description;
}

Json quantities_json(const std::vector<Quantity>& quantities) {
  const auto bound = [](double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); };
  Json list = Json::array();
  for (const Quantity& quantity : quantities) {
    list.push_back({{"name", quantity.name},
                    {"unit", quantity.unit},
                    {"low", bound(quantity.low)},
                    {"high", bound(quantity.high)},
                    {"quantum", quantity.grid ? Json(quantity.grid->quantum) : Json(nullptr)},
                    {"lowest", quantity.grid ? Json(quantity.grid->lowest) : Json(nullptr)},
                    {"highest", quantity.grid ? Json(quantity.grid->highest) : Json(nullptr)}});
  }
  return list;
}

}  // namespace

std::vector<EnvironmentLine> list_environments() {
  std::vector<EnvironmentLine> lines;
  for (const TaskKind& kind : task_kinds()) {
    const Task task = kind.build(kind.name, {});
    EnvironmentLine line{
        kind.name,      kind.summary, {}, {}, task.vocabulary->atom_count(), task.vocabulary->action_count(),
        task.step_limit};
    if (task.is_finite()) {
      line.states = task.model().decision_state_count();
      line.observations = task.model().decision_observations().size();
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

EnvironmentDescription describe(const Task& task, std::optional<StateId> drawn) {
  const Vocabulary& vocabulary = *task.vocabulary;
  EnvironmentDescription description;
  description.spec = task.spec;
  description.summary = task.summary;
  describe_kind(description);
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) description.atoms.push_back(vocabulary.group(g));
  description.quantities = vocabulary.quantities();
  description.actions = vocabulary.actions();
  description.step_limit = task.step_limit;
  description.discount = task.discount;
  description.fingerprint = vocabulary.fingerprint();
  if (task.is_finite() || drawn) {
    description.model = describe_model(task, drawn, description.no_optimum);
  } else {
    description.no_optimum = "the task has no finite model: " + task.not_enumerated;
  }
  return description;
}

/// The state, or a start if none is given; a simulated task has no states to choose from.
Svg picture_of(const Task& task, std::optional<StateId> state) {
  if (task.is_finite() || state || !task.draw_numbers) return task.draw_svg(state_to_draw(task, state));
  const auto environment = task.environments(1, 0);
  const ObsId start = environment->reset(0)[0];
  return task.draw_numbers(environment->observations().dense(start));
}

std::vector<Svg> draw_states(const Task& task, const std::vector<StateId>& states) {
  std::vector<Svg> pictures;
  for (const StateId state : states) pictures.push_back(task.draw_svg(state_to_draw(task, state)));
  return pictures;
}

ExportedEnvironment export_environment(const Task& task, const EnvironmentFiles& files) {
  ExportedEnvironment exported{task.spec, {}};
  if (files.drawn) state_to_draw(task, files.drawn);
  const auto write = [&](const std::string& file, const std::string& text) {
    write_file(file, text);
    exported.files.push_back(file);
  };
  if (files.model) {
    const bool drn = std::filesystem::path(*files.model).extension() == ".drn";
    write(*files.model, drn ? task_to_drn(task.model()) : to_model_file(task));
  }
  if (files.picture) write(*files.picture, picture_of(task, files.drawn).to_string());
  return exported;
}

void add_tag_rates(Json& json, const std::vector<std::string>& tags, const std::vector<double>& rates) {
  for (std::size_t t = 0; t < tags.size(); ++t) {
    if (!json.emplace(tags[t], rates[t]).second) {
      throw Error(fmt::format("tag {}", tags[t]), "has the name of another figure", "rename it");
    }
  }
}

Json to_json(const std::vector<EnvironmentLine>& lines) {
  Json list = Json::array();
  for (const EnvironmentLine& line : lines) {
    list.push_back({{"name", line.name},
                    {"summary", line.summary},
                    {"states", or_null(line.states)},
                    {"observations", or_null(line.observations)},
                    {"atoms", line.atoms},
                    {"actions", line.actions},
                    {"step_limit", or_null(line.step_limit)}});
  }
  return {{"environments", list}};
}

Json to_json(const EnvironmentDescription& description) {
  Json json = {{"name", description.name},
               {"spec", description.spec},
               {"summary", description.summary},
               {"finite", description.model.has_value()},
               {"atoms", atom_names(description.atoms)},
               {"quantities", quantities_json(description.quantities)},
               {"actions", description.actions},
               {"step_limit", or_null(description.step_limit)},
               {"discount", description.discount},
               {"parameters", parameters_json(description.parameters)},
               {"fingerprint", description.fingerprint},
               {"no_optimum", description.no_optimum.empty() ? Json(nullptr) : Json(description.no_optimum)}};
  if (!description.model) return json;
  const ModelDescription& model = *description.model;
  json["states"] = model.states;
  json["observations"] = model.observations;
  json["reachable"] = {{"states", model.reachable_states}, {"observations", model.reachable_observations}};
  json["labels"] = model.labels;
  json["optimum"] = model.best ? optimum_json(model) : Json(nullptr);
  json["drawn_state"] = model.drawn_state;
  json["drawing"] = model.drawing;
  return json;
}

Json to_json(const ExportedEnvironment& exported) {
  return {{"spec", exported.spec}, {"files", exported.files}};
}

}  // namespace ndnf
