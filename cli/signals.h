#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace ndnf::cli {

inline constexpr int kSignalled =
    128;  ///< Plus the signal: the exit code that shells report for a signalled program.

/// The signal received while a SignalGuard exists, or 0.
inline std::atomic<int> interrupted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may set nothing else");

/// While it exists, SIGINT, SIGTERM and SIGHUP set `interrupted` instead of ending the program.
class SignalGuard {
 public:
  SignalGuard() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { interrupted = signal; };
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

  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace ndnf::cli
