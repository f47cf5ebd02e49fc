#include "python/src/watching.h"

#include <string>
#include <utility>

#include "python/src/shared_object.h"

namespace ndnf::python {

namespace nb = nanobind;

bool Interruption::due() {
  using Clock = std::chrono::steady_clock;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep next = next_.load(std::memory_order_relaxed);
  const Clock::rep later = now + std::chrono::duration_cast<Clock::duration>(kPause).count();
  return now >= next && next_.compare_exchange_strong(next, later);
}

void Interruption::check() {
  if (!due()) return;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

Watch watch_by(const nb::object& on_progress) {
  const auto interruption = std::make_shared<Interruption>();
  Watch watch;
  watch.cancelled = [interruption] {
    interruption->check();
    return false;
  };
  if (!on_progress.is_none()) {
    watch.on_progress = [function = SharedObject(on_progress)](double done, const std::string& what) {
      const nb::gil_scoped_acquire gil;
      function.get()(done, what.c_str());
    };
  }
  return watch;
}

}  // namespace ndnf::python
