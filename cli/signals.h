#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

#include <unistd.h>

namespace ndnf::cli {

inline constexpr int kSignalled =
    128;  ///< Plus the signal: the exit code that shells report for a signalled program.

/// The signal received while a SignalGuard exists, or 0.
inline std::atomic<int> interrupted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may set nothing else");

/// While it exists, SIGINT, SIGTERM and SIGHUP set `interrupted` instead of ending the program; another one,
/// a second later at least, ends it: what is being done may take longer than somebody can wait. (Some
/// programs send a signal twice at once.)
class SignalGuard {
 public:
  SignalGuard() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = handle;
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before_[i]);
    if (before_.back().sa_handler == SIG_IGN)
      ::sigaction(kSignals.back(), &before_.back(), nullptr);  // nohup
  }
  ~SignalGuard() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  /// Calls only what a signal handler may.
  static void handle(int signal) {
    static std::atomic<std::int64_t> first{0};
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupted.exchange(signal) == 0) {
      first = now.tv_sec;
      constexpr std::string_view kNotice = "\nstopping; once more ends it at once\n";
      if (::isatty(STDERR_FILENO) != 0)
        static_cast<void>(::write(STDERR_FILENO, kNotice.data(), kNotice.size()) == 0);
    } else if (now.tv_sec - first > 1) {
      ::signal(signal, SIG_DFL);
      ::raise(signal);
    }
  }

  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace ndnf::cli
