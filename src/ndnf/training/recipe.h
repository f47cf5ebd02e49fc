#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/system/input.h"
#include "ndnf/training/train.h"

namespace ndnf {

/// Whether a word names a task, not a preset: an environment with its settings, or a model file.
bool is_task(std::string_view word);

/// The task that somebody meant by a word that is neither a task nor a preset nor a file: the one with the
/// nearest name, unless that of a preset is nearer. Empty if there is none.
std::string meant_task(std::string_view word);

/// How a task is to be learned.
struct RecipeRequest {
  std::string task;               ///< As make_task reads it.
  std::string recipe = "auto";    ///< Or a preset, or a FILE.toml.
  std::string model = "ndnf-mt";  ///< With `auto`: ndnf-mt, mlp, q-table or rules.
  std::optional<std::uint64_t> steps{};
  /// Instead of steps: about the time that a run may take. It becomes a number of steps (time_budget.h).
  std::optional<double> seconds{};
  std::optional<double> discount{};  ///< Of the return to be maximised, instead of the task's own.
  std::string teacher{};             ///< A policy to be imitated, as distill.teacher; empty for none.
};

/// What a TrainRequest needs to learn the task.
struct Recipe {
  Input source;
  std::vector<std::string> settings;
  std::string folder;                    ///< The run directory, below runs/.
  std::optional<std::uint64_t> steps{};  ///< That fit into the time, if one was given.
  std::vector<std::string> choices;      ///< What was chosen and why, as sentences.
};

/// `auto` has one set of settings for all tasks. It looks at what a task is like (whether it can be
/// enumerated, whether an observation determines the state, what is observed), never at its name. Throws
/// Error if the task cannot be read, or cannot be learned by this model.
Recipe recipe_for(const RecipeRequest& request);

/// Limits runs to about this many seconds, all seeds together. A run that is resumed keeps the steps that it
/// was told. Throws Error if the request says how many steps.
void limit_time(RecipeRequest& recipe, double seconds, const TrainRequest& request);

}  // namespace ndnf
