#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/env/task.h"
#include "ndnf/mdp/expectation.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/system/input.h"
#include "ndnf/train/listener.h"
#include "ndnf/training/lessons.h"
#include "ndnf/training/ranks.h"
#include "ndnf/training/return_summary.h"
#include "ndnf/training/rule_learner.h"
#include "ndnf/training/train_config.h"

namespace ndnf {

struct TrainRequest {
  /// The last step to do: check the input, train the teacher (if there is one), train.
  enum class Until : std::uint8_t { kChecked, kTaught, kTrained };

  Input source;                       ///< A preset's name, a `FILE.toml` or its contents.
  std::optional<Task> task{};         ///< Instead of the one that the source names.
  std::vector<std::string> settings;  ///< Each `section.key=value`.
  std::vector<std::uint64_t> seeds;   ///< Default: the one seed that the source names.
  bool folder_per_seed = false;       ///< Runs go to `out/seed-N` instead of `out`.
  std::optional<Input> shield;        ///< Rules that forbid actions. Default: that of the source.
  std::optional<double> discount{};   ///< Of the reported returns, instead of the task's own.
  std::optional<std::string> out;     ///< Default: `runs/PRESET`.
  LessonMaker teacher{};              ///< For a distillation: instead of the teacher that its settings name.
  TeacherMaker rules_teacher{};       ///< The same for a search for rules.
  bool resume = false;                ///< Continue existing runs.
  std::size_t jobs = 1;               ///< Seeds trained in parallel; the results do not depend on it.
  Until until = Until::kTrained;
  double checkpoint_seconds = 5;  ///< Time between checkpoints: the most work that a kill can lose.
  std::function<bool()> stop;     ///< Called between iterations; true saves and stops. May be empty.
  /// Creates one listener per run, before `runs` runs called `title` begin. May be empty.
  std::function<std::unique_ptr<TrainingListener>(const std::string& title, std::size_t runs)> listener;
};

/// A run and the expected return of its policy with the preset's selection.
struct TrainedRun {
  std::string run;  ///< Its folder.
  std::string preset;
  std::string env;
  std::uint64_t seed = 0;
  std::uint64_t iterations = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  bool finished = false;  ///< False if it was stopped and can be resumed.
  std::string select;
  Expectation mean_return;            ///< Exact for a finite task, otherwise sampled.
  std::optional<BestReturn> optimum;  ///< Of a finite task that is not too large.
  std::string begun_by{};             ///< The build that began the run.
  /// It was resumed with new episodes, because its environment cannot be saved: an uninterrupted run would
  /// have other bytes.
  bool new_episodes = false;
  std::optional<LearnedRules> rules{};  ///< Of a search for rules.

  double steps_per_second() const { return seconds > 0 ? static_cast<double>(steps) / seconds : 0; }
};

/// Trains with the method that the source names, one run per seed. A distillation whose teacher is a preset
/// first trains the teacher, in `out/teacher`. Runs that had not begun when `stop` returned true are left out
/// of the result. Throws Error for bad input before any file is changed, and if a run fails; its last
/// checkpoint is kept.
std::vector<TrainedRun> train(const TrainRequest& request);

/// `train` on several processes with a shared folder: the first trains the teacher, then each process trains
/// its share of the seeds. The first returns all runs, the others none.
std::vector<TrainedRun> train_on(Ranks& ranks, const TrainRequest& request);

/// The settings of one run, as written to its config.toml.
TrainConfig run_config(const Input& source, const std::vector<std::string>& settings, std::uint64_t seed);
/// The settings of its teacher, if it has one that must be trained.
std::optional<TrainConfig> teacher_config(const TrainConfig& config);

/// Their returns.
ReturnSummary summary_of(const std::vector<TrainedRun>& runs);

/// One object per run.
nlohmann::ordered_json to_json(const std::vector<TrainedRun>& runs);

}  // namespace ndnf
