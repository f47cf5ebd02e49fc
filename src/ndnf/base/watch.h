#pragma once

#include <functional>
#include <string>

#include "ndnf/base/error.h"

namespace ndnf {

/// Thrown by a request that its caller has cancelled.
class Cancelled : public Error {
 public:
  Cancelled() : Error("", "cancelled") {}
};

/// How the caller of a long request follows it, and cancels it. Both functions may be empty, and may be
/// called from any thread.
struct Watch {
  /// Gets the share of the work that is done, from 0 to 1, and what is done next.
  std::function<void(double done, const std::string& what)> on_progress{};
  /// Asked between the steps of the work.
  std::function<bool()> cancelled{};

  /// Between two steps. Throws Cancelled.
  void step(double done, const std::string& what = "") const {
    if (cancelled && cancelled()) throw Cancelled();
    if (on_progress) on_progress(done, what);
  }
};

}  // namespace ndnf
