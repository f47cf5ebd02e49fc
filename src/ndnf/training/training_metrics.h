#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "ndnf/base/progress.h"
#include "ndnf/system/file_descriptor.h"
#include "ndnf/train/listener.h"

namespace ndnf {

/// A file to which bytes are appended.
class AppendedFile {
 public:
  /// Opens or creates the file and truncates it to `size` bytes. Throws Error naming the file, also if it is
  /// a symbolic link or not a regular file.
  AppendedFile(std::filesystem::path path, std::size_t size);

  void append(std::string_view bytes);
  /// Flushes it to disk.
  void sync() const;
  std::size_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  FileDescriptor open_;
  std::size_t size_;
};

/// metrics.jsonl: one object per iteration.
class JsonLines final : public TrainingListener {
 public:
  JsonLines(const std::filesystem::path& path, std::size_t size) : file_(path, size) {}
  void on_iteration(const IterationReport& report, double seconds) override;
  const AppendedFile& file() const { return file_; }

 private:
  AppendedFile file_;
};

/// TensorBoard's event file, with CleanRL's tag names.
class TensorBoardEvents final : public TrainingListener {
 public:
  TensorBoardEvents(const std::filesystem::path& path, std::size_t size);
  void on_iteration(const IterationReport& report, double seconds) override;
  const AppendedFile& file() const { return file_; }

 private:
  AppendedFile file_;
};

/// One run's share of a progress bar, which several runs may advance.
class ProgressShare final : public TrainingListener {
 public:
  static constexpr std::size_t kWhole = 1000;  ///< How far a whole run advances the bar.

  explicit ProgressShare(Progress& progress) : progress_(progress) {}
  void on_iteration(const IterationReport& report, double seconds) override;

 private:
  Progress& progress_;
  std::size_t shown_ = 0;
  bool begun_ = false;
};

}  // namespace ndnf
