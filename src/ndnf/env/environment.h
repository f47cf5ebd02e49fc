#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/svg.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A task: its finite model and how to draw its states.
struct Environment {
  std::string spec;  ///< What makes it again: the name and the settings that differ from their defaults.
  FiniteModel model;
  std::function<std::string(StateId)> draw_text;  ///< Several lines, for a terminal.
  std::function<Svg(StateId)> draw_svg;           ///< What Gymnasium's picture of the state shows.
  std::string source{};                           ///< The text of its model file; empty without one.

  /// Of its model file; empty without one.
  std::string fingerprint() const;
};

/// A kind of environment: facts as data, and a function that builds one. The registry lists them all.
struct EnvironmentKind {
  std::string name;
  std::string summary;                  ///< One sentence.
  std::vector<ConfigField> parameters;  ///< With the paper's values as defaults.
  std::function<Environment(std::string_view where, const std::vector<ConfigAssignment>&)> build;
};

/// The canonical spec: NAME, or NAME:key=value,… with the settings that differ from their defaults.
std::string canonical_spec(std::string_view where, const std::string& name,
                           const std::vector<ConfigField>& fields,
                           const std::vector<ConfigAssignment>& assignments);

/// Makes a kind of a parameter struct: `build(where, params)` throws Error for combinations that make no
/// sense and leaves `spec` empty, which is filled in here.
template <class Params, class Build>
EnvironmentKind environment_kind(std::string name, std::string summary, ConfigTable<Params> table,
                                 Build build) {
  EnvironmentKind kind{name, std::move(summary), table.fields(), nullptr};
  kind.build = [name = std::move(name), table = std::move(table), build](
                   std::string_view where, const std::vector<ConfigAssignment>& assignments) {
    Environment environment = build(where, table.read(where, assignments));
    environment.spec = canonical_spec(where, name, table.fields(), assignments);
    return environment;
  };
  return kind;
}

}  // namespace ndnf
