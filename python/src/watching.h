#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include <nanobind/nanobind.h>

#include "ndnf/base/watch.h"

namespace ndnf::python {

/// Looks a few times a second whether Python wants to interrupt a long call, such as by Ctrl-C. May be asked
/// from any thread; only Python's main thread learns of signals.
class Interruption {
 public:
  /// Whether it is time to look again.
  bool due();
  /// Lets Python handle its signals, if it is time. Throws the Python exception of a signal's handler.
  void check();

 private:
  static constexpr std::chrono::milliseconds kPause{50};
  std::atomic<std::chrono::steady_clock::rep> next_{0};
};

/// A Watch that reports to a Python function (done, what), which may be None, and ends a call that Python
/// interrupts by the exception of the signal's handler.
Watch watch_by(const nanobind::object& on_progress);

}  // namespace ndnf::python
