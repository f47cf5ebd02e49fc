#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/system/folder_lock.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/learner.h"
#include "ndnf/training/train_config.h"
#include "ndnf/training/training_metrics.h"

namespace ndnf {

/// The subfolder in which a distillation trains its teacher.
inline constexpr const char* kTeacherFolder = "teacher";

/// Writes the files of one run (docs/training.md): config.toml, task.json (if its environment is a model
/// file), metrics.jsonl, TensorBoard's events, model.safetensors and state.safetensors.
class RunDirectory : public RunFiles {
 public:
  /// The progress of a run, as stored in state.safetensors.
  struct Standing {
    std::uint64_t iteration = 0;
    std::uint64_t steps = 0;
    double seconds = 0;
    std::string begun_by = to_text(build_info());  ///< This build if the state has none (older versions).
  };

  /// An external file that training depends on. A run can only be resumed with unchanged inputs.
  struct Input {
    std::string role;  ///< "env" or "teacher".
    std::string name;  ///< As in the settings.
    std::string fingerprint;
  };

  explicit RunDirectory(std::filesystem::path path) : RunFiles(std::move(path)) {}

  /// Throws Error if the folder is not empty and `resume` is not set, or if it is not a run of this config in
  /// this environment. Changes no file.
  void check(const TrainConfig& config, const Task& environment, bool resume) const;

  /// The state of the last checkpoint, if there is one. Throws Error if it is damaged, belongs to another
  /// environment, or if an input has changed since.
  std::optional<TensorFile> saved_state(const TrainConfig& config, const std::vector<Input>& inputs) const;
  Standing standing(const TensorFile& state) const;

  /// Creates the folder and locks it until `close`: no other process may write to it. Throws Error naming the
  /// process that holds the lock.
  void lock();
  /// Writes config.toml and the copy of the model file, and opens the metrics, truncated to the saved state
  /// (or to nothing). REQUIRES: lock was called.
  void open(const TrainConfig& config, const Task& environment, const std::optional<TensorFile>& state);
  JsonLines& metrics() { return *metrics_; }
  TensorBoardEvents& events() { return *events_; }

  /// Writes the model or the rules, then the state, so that the state fits the metrics even if the process is
  /// killed in between.
  /// REQUIRES: open was called.
  void save(const TrainConfig& config, const std::vector<Input>& inputs, const Learned& learned,
            TensorFile state, const Standing& standing);
  void close();

 private:
  void check_task(const Task& environment) const;
  void write(const LearnedRules& rules) const;
  [[noreturn]] void fail_changed(const std::string& input) const;

  std::optional<FolderLock> lock_;
  std::unique_ptr<JsonLines> metrics_;
  std::unique_ptr<TensorBoardEvents> events_;
};

}  // namespace ndnf
