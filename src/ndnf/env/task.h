#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/svg.h"
#include "ndnf/env/layout.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/simulation/streamed_env.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// A task to be learned: what the agent observes and does, how it is simulated and, if it can be enumerated,
/// its finite model. Exact figures, the optimum, proofs and everything else that needs all states ask for
/// `model()`; what can do with simulated episodes asks whether it `is_finite()`.
struct Task {
  std::string spec{};  ///< Recreates it: the name and the settings that differ from their defaults.
  std::shared_ptr<const Vocabulary> vocabulary{};
  std::optional<std::size_t> step_limit{};      ///< Episodes are truncated after this many steps.
  double discount = 1;                          ///< A reward after k steps counts discount^k.
  EnvFactory environments{};                    ///< What it makes may outlive the task.
  std::shared_ptr<const FiniteModel> finite{};  ///< Null if the task is not enumerated.
  /// Why it is not, for messages.
  std::string not_enumerated = "its states are too many to be enumerated";
  std::function<std::string(StateId)> draw_text{};  ///< Several lines, for a terminal; finite tasks only.
  std::function<Svg(StateId)> draw_svg{};           ///< Shows what Gymnasium's rendering of the state shows.
  /// A picture of an observation's dense row, for simulated tasks; perhaps none.
  std::function<Svg(std::span<const float>)> draw_numbers{};
  std::shared_ptr<const Layout> layout{};  ///< Where its states lie; null if they have no places.
  std::string source{};                    ///< The text of its model file; empty without one.
  std::string summary{};                   ///< One sentence; empty for a model from a file.

  bool is_finite() const { return finite != nullptr; }
  /// The observations of a finite task; otherwise an empty table of the same shape.
  std::shared_ptr<const ObservationTable> observations() const;
  /// Throws Error if the task is not finite.
  const FiniteModel& model() const&;
  FiniteModel model() && { return model(); }
  /// The same task with another discount: it defines the figures, not the episodes. Throws Error if it is not
  /// allowed.
  Task discounted(double other) const;
  /// The fingerprint of its model file; empty without one.
  std::string fingerprint() const;
};

/// The task of a finite model: its environments walk the table of outcomes.
Task finite_task(FiniteModel model, std::function<std::string(StateId)> draw_text = nullptr,
                 std::function<Svg(StateId)> draw_svg = nullptr, std::optional<Layout> layout = std::nullopt);

/// The task of a simulated world (simulation/streamed_env.h), without a finite model.
template <class World>
Task streamed_task(std::shared_ptr<const World> world,
                   std::function<Svg(std::span<const float>)> draw_numbers = nullptr) {
  Task task;
  task.vocabulary = world->vocabulary();
  task.step_limit = world->step_limit();
  task.environments = [world](std::size_t count, std::uint64_t stream) {
    return std::make_unique<StreamedEnv<World>>(world, count, stream);
  };
  task.draw_numbers = std::move(draw_numbers);
  return task;
}

/// A kind of task: its facts as data, and a function that builds one. The registry lists them all.
struct TaskKind {
  std::string name;
  std::string summary;                  ///< One sentence about it with default settings.
  std::vector<ConfigField> parameters;  ///< With the paper's values as defaults.
  std::function<Task(std::string_view where, const std::vector<ConfigAssignment>&)> build;
};

/// The canonical spec: NAME, or NAME:key=value,… with the settings that differ from their defaults.
std::string canonical_spec(std::string_view where, const std::string& name,
                           const std::vector<ConfigField>& fields,
                           const std::vector<ConfigAssignment>& assignments);

/// Makes a kind from a parameter struct: `build(where, params)` throws Error for invalid combinations and
/// leaves `spec` and `summary` empty; they are filled in here. `summary` is a sentence that holds for all
/// settings, or a function of them.
template <class Params, class Summary, class Build>
TaskKind task_kind(std::string name, Summary summary, ConfigTable<Params> table, Build build) {
  const auto sentence = [summary = std::move(summary)](const Params& params) -> std::string {
    if constexpr (std::is_invocable_v<Summary, const Params&>) {
      return summary(params);
    } else {
      return static_cast<void>(params), summary;
    }
  };
  TaskKind kind{name, sentence(table.read(name, {})), table.fields(), nullptr};
  kind.build = [name = std::move(name), table = std::move(table), sentence, build](
                   std::string_view where, const std::vector<ConfigAssignment>& assignments) {
    const Params params = table.read(where, assignments);
    Task task = build(where, params);
    task.spec = canonical_spec(where, name, table.fields(), assignments);
    task.summary = sentence(params);
    return task;
  };
  return kind;
}

}  // namespace ndnf
