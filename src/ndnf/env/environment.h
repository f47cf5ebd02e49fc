#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/svg.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A task: its finite model and how to draw its states.
struct Environment {
  std::string spec;  ///< Recreates it: the name and the settings that differ from their defaults.
  FiniteModel model;
  std::function<std::string(StateId)> draw_text;  ///< Several lines, for a terminal.
  std::function<Svg(StateId)> draw_svg;           ///< Shows what Gymnasium's rendering of the state shows.
  std::string source{};                           ///< The text of its model file; empty without one.
  std::string summary{};                          ///< One sentence; empty for a model from a file.

  /// The fingerprint of its model file; empty without one.
  std::string fingerprint() const;
};

/// A kind of environment: its facts as data, and a function that builds one. The registry lists them all.
struct EnvironmentKind {
  std::string name;
  std::string summary;                  ///< One sentence about it with default settings.
  std::vector<ConfigField> parameters;  ///< With the paper's values as defaults.
  std::function<Environment(std::string_view where, const std::vector<ConfigAssignment>&)> build;
};

/// The canonical spec: NAME, or NAME:key=value,… with the settings that differ from their defaults.
std::string canonical_spec(std::string_view where, const std::string& name,
                           const std::vector<ConfigField>& fields,
                           const std::vector<ConfigAssignment>& assignments);

/// Makes a kind from a parameter struct: `build(where, params)` throws Error for invalid combinations and
/// leaves `spec` and `summary` empty; they are filled in here. `summary` is a sentence that holds for all
/// settings, or a function of them.
template <class Params, class Summary, class Build>
EnvironmentKind environment_kind(std::string name, Summary summary, ConfigTable<Params> table, Build build) {
  const auto sentence = [summary = std::move(summary)](const Params& params) -> std::string {
    if constexpr (std::is_invocable_v<Summary, const Params&>) {
      return summary(params);
    } else {
      return static_cast<void>(params), summary;
    }
  };
  EnvironmentKind kind{name, sentence(table.read(name, {})), table.fields(), nullptr};
  kind.build = [name = std::move(name), table = std::move(table), sentence, build](
                   std::string_view where, const std::vector<ConfigAssignment>& assignments) {
    const Params params = table.read(where, assignments);
    Environment environment = build(where, params);
    environment.spec = canonical_spec(where, name, table.fields(), assignments);
    environment.summary = sentence(params);
    return environment;
  };
  return kind;
}

}  // namespace ndnf
