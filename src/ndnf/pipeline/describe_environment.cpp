#include "ndnf/pipeline/describe_environment.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/env/model_file.h"
#include "ndnf/env/registry.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/system/file.h"

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

Json optimum_json(const EnvironmentDescription& description) {
  const Evaluation& optimum = description.optimum;
  Json json = {{"return", optimum.mean_return},
               {"proof", to_string(description.best.proof)},
               {"bound", description.best.bound},
               {"length", optimum.length},
               {"terminated", optimum.terminated}};
  add_tag_rates(json, description.tags, optimum.tag_rates);
  return json;
}

/// Fills in the registry's name and parameters for this spec. Model files have neither.
void describe_kind(EnvironmentDescription& description) {
  description.name = description.spec;
  if (description.spec.ends_with(".json")) return;
  description.name.erase(std::min(description.name.find(':'), description.name.size()));
  for (const TaskKind& kind : task_kinds()) {
    if (kind.name == description.name) description.parameters = kind.parameters;
  }
}

StateId state_to_draw(const Task& environment, std::optional<StateId> drawn) {
  const std::size_t count = environment.model().state_count();
  if (drawn && *drawn >= count) {
    throw Error(environment.spec, fmt::format("there is no state {}", *drawn),
                fmt::format("its states are 0 to {}", count - 1));
  }
  return drawn.value_or(environment.model().starts()[0].state);
}

}  // namespace

std::vector<EnvironmentLine> list_environments() {
  std::vector<EnvironmentLine> lines;
  for (const TaskKind& kind : task_kinds()) {
    const FiniteModel model = kind.build(kind.name, {}).model();
    lines.push_back({kind.name, kind.summary, model.decision_state_count(),
                     model.decision_observation_count(), model.vocabulary().atom_count(),
                     model.action_count(), model.step_limit()});
  }
  return lines;
}

EnvironmentDescription describe(const Task& environment, std::optional<StateId> drawn) {
  const FiniteModel& model = environment.model();
  const Vocabulary& vocabulary = model.vocabulary();
  EnvironmentDescription description;
  description.spec = environment.spec;
  description.summary = environment.summary;
  description.drawn_state = state_to_draw(environment, drawn);
  description.drawing = environment.draw_text(description.drawn_state);
  describe_kind(description);
  description.states = model.decision_state_count();
  description.observations = model.decision_observation_count();
  const Reach reach = reachable(model);
  description.reachable_states = reach.states.size();
  description.reachable_observations = reach.observations.size();
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) description.atoms.push_back(vocabulary.group(g));
  description.actions = vocabulary.actions();
  description.step_limit = model.step_limit();
  for (const auto& [label, states] : model.labels()) description.labels[label] = states.size();
  description.tags = model.tags();
  description.fingerprint = vocabulary.fingerprint();
  const Optimum optimum = find_optimum(model);
  description.best = optimum.best_return();
  description.optimum = optimum.evaluation;
  return description;
}

ExportedEnvironment export_environment(const Task& environment, const EnvironmentFiles& files) {
  ExportedEnvironment exported{environment.spec, {}};
  const StateId drawn = state_to_draw(environment, files.drawn);
  const auto write = [&](const std::string& file, const std::string& text) {
    write_file(file, text);
    exported.files.push_back(file);
  };
  if (files.model) write(*files.model, to_model_file(environment.model(), environment.spec));
  if (files.picture) write(*files.picture, environment.draw_svg(drawn).to_string());
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
                    {"states", line.states},
                    {"observations", line.observations},
                    {"atoms", line.atoms},
                    {"actions", line.actions},
                    {"step_limit", or_null(line.step_limit)}});
  }
  return {{"environments", list}};
}

Json to_json(const EnvironmentDescription& description) {
  return {{"name", description.name},
          {"spec", description.spec},
          {"summary", description.summary},
          {"states", description.states},
          {"observations", description.observations},
          {"reachable",
           {{"states", description.reachable_states}, {"observations", description.reachable_observations}}},
          {"atoms", atom_names(description.atoms)},
          {"actions", description.actions},
          {"step_limit", or_null(description.step_limit)},
          {"labels", description.labels},
          {"parameters", parameters_json(description.parameters)},
          {"fingerprint", description.fingerprint},
          {"optimum", optimum_json(description)},
          {"drawn_state", description.drawn_state},
          {"drawing", description.drawing}};
}

Json to_json(const ExportedEnvironment& exported) {
  return {{"spec", exported.spec}, {"files", exported.files}};
}

}  // namespace ndnf
