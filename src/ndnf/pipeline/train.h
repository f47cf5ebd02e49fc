#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/ranks.h"
#include "ndnf/pipeline/train_config.h"
#include "ndnf/train/listener.h"

namespace ndnf {

struct TrainRequest {
  /// How far to go: complain about bad input, train the teacher if there is one, train.
  enum class Until : std::uint8_t { kChecked, kTaught, kTrained };

  std::string source;                 ///< A preset's name or a `FILE.toml`.
  std::vector<std::string> settings;  ///< Each `section.key=value`.
  std::vector<std::uint64_t> seeds;   ///< None: the one that the source names.
  bool folder_per_seed = false;       ///< Runs go to `out/seed-N` instead of `out`.
  std::optional<std::string> shield;  ///< A file of rules that forbid actions; otherwise the source's.
  std::optional<std::string> out;     ///< Otherwise `runs/PRESET`.
  bool resume = false;                ///< Go on with what is there.
  std::size_t jobs = 1;               ///< Seeds trained at a time; the results do not depend on it.
  Until until = Until::kTrained;
  double checkpoint_seconds = 5;  ///< How much work a kill may lose.
  std::function<bool()> stop;     ///< Asked between iterations; true saves and ends. May be empty.
  /// Asked for one listener per run, before `runs` runs called `title` begin. May be empty.
  std::function<std::unique_ptr<TrainingListener>(const std::string& title, std::size_t runs)> listener;
};

/// A run and what its policy earns, exactly and with the preset's selection.
struct TrainedRun {
  std::string run;  ///< Its folder.
  std::string preset;
  std::string env;
  std::uint64_t seed = 0;
  std::uint64_t iterations = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  bool finished = false;  ///< False: it was stopped and can be resumed.
  std::string select;
  double mean_return = 0;
  BestReturn optimum;
  std::string begun_by{};  ///< The build that did.

  double steps_per_second() const { return seconds > 0 ? static_cast<double>(steps) / seconds : 0; }
};

/// Trains by the method that the source names, one run per seed; with a preset as its teacher, a distillation
/// trains that first, in `out/oracle`. Runs that a stop kept from beginning are left out. Throws Error for
/// bad input before any file is touched, and if a training fails: then the last checkpoint stays.
std::vector<TrainedRun> train(const TrainRequest& request);

/// `train` by processes that see the same folder: the first trains the teacher, then each its share of the
/// seeds. The first returns all runs, the others none.
std::vector<TrainedRun> train_on(Ranks& ranks, const TrainRequest& request);

/// The settings of one run, as its config.toml has them.
TrainConfig run_config(const std::string& source, const std::vector<std::string>& settings,
                       std::uint64_t seed);
/// Those of its teacher, if it has one that is trained.
std::optional<TrainConfig> teacher_config(const TrainConfig& config);

/// One object per run.
nlohmann::ordered_json to_json(const std::vector<TrainedRun>& runs);

}  // namespace ndnf
