#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/config.h"
#include "ndnf/env/task.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"

namespace ndnf {

/// One line of the list of environments.
struct EnvironmentLine {
  std::string name;
  std::string summary;
  std::optional<std::size_t> states;        ///< Decision states; nothing if they are not enumerated.
  std::optional<std::size_t> observations;  ///< Those of the decision states.
  std::size_t atoms = 0;
  std::size_t actions = 0;
  std::optional<std::size_t> step_limit;
};

/// Every environment of the registry with its default settings.
std::vector<EnvironmentLine> list_environments();

/// What a finite model says about an environment.
struct ModelDescription {
  std::size_t states = 0;
  std::size_t observations = 0;
  std::size_t reachable_states = 0;
  std::size_t reachable_observations = 0;
  std::map<std::string, std::size_t> labels;  ///< Each with the number of states that carry it.
  std::vector<std::string> tags;
  std::optional<BestReturn> best;  ///< Nothing if there is no best return.
  Evaluation optimum;              ///< The evaluation of the best policy found.
  StateId drawn_state = 0;
  std::string drawing;
};

/// A full description of one environment.
struct EnvironmentDescription {
  std::string name;     ///< Its name in the registry, or its file.
  std::string spec;     ///< Its name with the settings that differ from their defaults.
  std::string summary;  ///< Empty for a model file.
  std::vector<AtomGroup> atoms;
  std::vector<Quantity> quantities;
  std::vector<std::string> actions;
  std::optional<std::size_t> step_limit;
  double discount = 1;
  std::vector<ConfigField> parameters;
  std::string fingerprint;
  std::optional<ModelDescription> model;  ///< Nothing if its states are not enumerated.
  std::string no_optimum;                 ///< Why no best return is known; empty if one is.
};

/// `drawn` is the state to draw (default: the first start state). Throws Error if there is no such state.
EnvironmentDescription describe(const Task& task, std::optional<StateId> drawn = {});

/// Pictures of these states of a finite task, in the given order. Throws Error if there is no such state.
std::vector<Svg> draw_states(const Task& task, const std::vector<StateId>& states);

/// Which files to write about an environment.
struct EnvironmentFiles {
  std::optional<std::string> model;    ///< Where the model file goes; a name in .drn is for model checkers.
  std::optional<std::string> picture;  ///< Where the SVG of a state goes.
  std::optional<StateId> drawn;        ///< As in describe.
};

struct ExportedEnvironment {
  std::string spec;
  std::vector<std::string> files;
};

/// Throws Error if a file cannot be written or there is no such state.
ExportedEnvironment export_environment(const Task& task, const EnvironmentFiles& files);

/// Adds the rate of each tag (`win`, `draw`, `loss` or the environment's own tags) as a field. Throws Error
/// if a tag has the name of an existing field; model files with such tags are already rejected when read.
void add_tag_rates(nlohmann::ordered_json& json, const std::vector<std::string>& tags,
                   const std::vector<double>& rates);

nlohmann::ordered_json to_json(const std::vector<EnvironmentLine>& lines);
nlohmann::ordered_json to_json(const EnvironmentDescription& description);
nlohmann::ordered_json to_json(const ExportedEnvironment& exported);

}  // namespace ndnf
