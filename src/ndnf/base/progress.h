#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace ndnf {

/// A title, a bar and figures in at most `width` columns: the bar gives way first, then the end of the
/// figures.
std::string progress_line(const std::string& title, double share, const std::string& figures,
                          std::size_t width);

/// A progress bar on standard error, as wide as its terminal at most, with the fraction done and the time
/// left; it is erased on destruction, so that only the result remains. If standard error is not a terminal,
/// one line is written per minute, for the logs of long jobs. `advance` is thread-safe.
class Progress {
 public:
  Progress(std::string title, std::size_t total,
           std::chrono::milliseconds line_interval = std::chrono::minutes(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `note` provides a text to show after the bar; it is called only when the bar is drawn.
  void advance(std::size_t amount = 1, const std::function<std::string()>& note = {});
  /// Shows at once what is done next, on a terminal.
  void announce(const std::string& next);
  /// Counts work that was done earlier and took no time in this run.
  void skip(std::size_t amount);

 private:
  void draw(std::size_t done, const std::string& note);

  const std::string title_;
  const std::size_t total_;
  const bool terminal_;
  const std::chrono::milliseconds interval_;  ///< Minimum time between two redraws.
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> done_{0};
  std::atomic<std::size_t> skipped_{0};
  std::mutex drawing_;
  std::chrono::steady_clock::time_point drawn_ = begin_;
};

}  // namespace ndnf
