#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace ndnf {

/// The files of one run (docs/training.md). This names them; training/run_directory.h writes them.
class RunFiles {
 public:
  explicit RunFiles(std::filesystem::path folder) : path_(std::move(folder)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config_file() const { return path_ / "config.toml"; }
  std::filesystem::path model_file() const { return path_ / "model.safetensors"; }
  /// The program of a run that learns rules, the other programs of its front, and its teacher.
  std::filesystem::path program_file() const { return path_ / "policy.lp"; }
  std::filesystem::path front_folder() const { return path_ / "front"; }
  std::filesystem::path teacher_file() const { return path_ / "teacher.safetensors"; }
  /// Whether its policy is a program, not a network.
  bool has_learned_rules() const {
    return std::filesystem::is_directory(path_) && !std::filesystem::exists(model_file()) &&
           std::filesystem::exists(program_file()) && std::filesystem::exists(config_file());
  }
  std::filesystem::path state_file() const { return path_ / "state.safetensors"; }
  std::filesystem::path metrics_file() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path task_file() const { return path_ / "task.json"; }
  /// The task_file, if this is a run that keeps a copy of its model file.
  std::optional<std::filesystem::path> kept_task() const {
    if (!std::filesystem::exists(config_file()) || !std::filesystem::exists(task_file())) return std::nullopt;
    return task_file();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace ndnf
