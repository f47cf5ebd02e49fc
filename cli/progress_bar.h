#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "ndnf/base/progress.h"
#include "ndnf/base/watch.h"

namespace ndnf::cli {

/// Shows the progress of a request as a bar on standard error.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title) : progress_(std::move(title), kUnits) {}

  Watch watch() {
    return {[this](double done, const std::string& what) { show(done, what); }, nullptr};
  }

 private:
  static constexpr std::size_t kUnits = 10000;

  void show(double done, const std::string& what) {
    const std::lock_guard lock(mutex_);
    const auto units = static_cast<std::size_t>(done * static_cast<double>(kUnits));
    const std::size_t more = units - std::min(shown_, units);
    if (shown_ == 0) {
      progress_.skip(more);  // done before
    } else {
      progress_.advance(more, [&what] { return what; });
    }
    shown_ = std::max({shown_, units, std::size_t{1}});
    if (!what.empty() && what != announced_) progress_.announce(what);
    announced_ = what;
  }

  std::mutex mutex_;
  Progress progress_;
  std::size_t shown_ = 0;
  std::string announced_;
};

}  // namespace ndnf::cli
