#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace ndnf {

/// A point in time by which several questions to a solver are to be answered. Solvers count whole seconds.
class Deadline {
 public:
  explicit Deadline(std::chrono::seconds limit) : end_(std::chrono::steady_clock::now() + limit) {}

  bool over() const { return std::chrono::steady_clock::now() >= end_; }
  /// The time for the next of this many questions: its share, at least one second.
  std::chrono::seconds share(std::size_t questions = 1) const {
    const auto left = std::chrono::ceil<std::chrono::seconds>(end_ - std::chrono::steady_clock::now());
    return std::max(std::chrono::seconds{1}, left / static_cast<std::chrono::seconds::rep>(questions));
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace ndnf
