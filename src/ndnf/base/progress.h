#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace ndnf {

/// A bar on standard error with the share done and the time left, erased when the object goes, so that the
/// result stands alone. Where standard error is not a terminal, a line a minute, for the logs of long jobs.
/// `advance` may be called from any thread.
class Progress {
 public:
  Progress(std::string title, std::size_t total,
           std::chrono::milliseconds line_interval = std::chrono::minutes(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `note` is asked for words to stand behind the bar, only when it is drawn.
  void advance(std::size_t amount = 1, const std::function<std::string()>& note = {});
  /// Counts what was done before: no time was spent on it.
  void skip(std::size_t amount);

 private:
  void draw(std::size_t done, const std::string& note);

  const std::string title_;
  const std::size_t total_;
  const bool terminal_;
  const std::chrono::milliseconds interval_;  ///< At least this between two drawings.
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> done_{0};
  std::atomic<std::size_t> skipped_{0};
  std::mutex drawing_;
  std::chrono::steady_clock::time_point drawn_ = begin_;
};

}  // namespace ndnf
