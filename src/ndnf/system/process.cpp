#include "ndnf/system/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void close() {
    if (open()) ::close(std::exchange(number_, -1));
  }
  void do_not_block() const { ::fcntl(number_, F_SETFL, ::fcntl(number_, F_GETFL) | O_NONBLOCK); }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;

  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw Error("", std::string("cannot make a pipe (") + std::strerror(errno) + ")");
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

/// Writing to a program that has stopped reading must return an error code instead of killing us by a
/// signal.
class BlockedSigpipe {
 public:
  BlockedSigpipe() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  BlockedSigpipe(const BlockedSigpipe&) = delete;
  BlockedSigpipe& operator=(const BlockedSigpipe&) = delete;
  ~BlockedSigpipe() {
    const timespec at_once{};
    if (::sigismember(&before_, SIGPIPE) == 0) ::sigtimedwait(&set_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

/// A process about to be forked: everything it needs is allocated beforehand. Another thread may hold any
/// lock at the moment of the fork, so nothing in `become` allocates.
class NewProcess {
 public:
  NewProcess(const ProcessRequest& request, const std::array<int, 3>& streams)
      : directory_(request.directory.c_str()), streams_(streams) {
    if (request.confinement) confiner_.emplace(*request.confinement);
    if (confiner_ && request.confinement->computes_only) last_signal_ = SIGKILL;
    for (const std::string& argument : request.arguments)
      arguments_.push_back(const_cast<char*>(argument.c_str()));
    arguments_.push_back(nullptr);
  }

  /// Executes the program; on failure writes errno to `failures`.
  [[noreturn]] void become(int failures, pid_t parent) {
    ::setpgid(0, 0);
    bool ready = true;
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ready = ready && ::dup2(streams_[static_cast<std::size_t>(number)], number) == number;
    }
    ready = ready && (confiner_ ? confiner_->enter() : *directory_ == '\0' || ::chdir(directory_) == 0);
    ::prctl(PR_SET_PDEATHSIG, last_signal_);  // a killed ndnf leaves no solver behind
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    if (ready) ::execvpe(arguments_[0], arguments_.data(), confiner_ ? confiner_->environment() : environ);
    const int failure = errno;
    [[maybe_unused]] const ssize_t told = ::write(failures, &failure, sizeof failure);
    ::_exit(EXIT_FAILURE);
  }

 private:
  const char* directory_;
  std::array<int, 3> streams_;
  std::optional<Confiner> confiner_;
  std::vector<char*> arguments_;
  int last_signal_ = SIGTERM;
};

/// A running program and our ends of its three pipes; its process group is killed on destruction.
class Child {
 public:
  explicit Child(const ProcessRequest& request) : unwritten_(request.input) {
    Pipe input, output, errors;
    spawn(request, {input.read.number(), output.write.number(), errors.write.number()});
    alive_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
    if (!alive_.open()) {
      const Error error(request.arguments[0],
                        std::string("cannot be watched (") + std::strerror(errno) + ")");
      end();
      throw error;
    }
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const Descriptor* end : {&input_, &output_, &errors_}) end->do_not_block();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ > 0) end();
  }

  /// Transfers input and output until the program has ended, exceeds its output limit, or the deadline has
  /// passed.
  void exchange(ProcessResult& result, std::optional<Clock::time_point> deadline,
                std::optional<std::size_t> output_limit) {
    while (!deadline || Clock::now() < *deadline) {
      if (unwritten_.empty()) input_.close();
      // A closed descriptor is −1, which poll ignores.
      std::array<pollfd, 4> events{{{input_.number(), POLLOUT, 0},
                                    {output_.number(), POLLIN, 0},
                                    {errors_.number(), POLLIN, 0},
                                    {alive_.number(), POLLIN, 0}}};
      const int ready = ::poll(events.data(), events.size(), milliseconds_until(deadline));
      if (ready <= 0) continue;  // the deadline, or a signal
      if (events[0].revents != 0) write_some();
      if (events[1].revents != 0) read_some(output_, result.output);
      if (events[2].revents != 0) read_some(errors_, result.errors);
      result.output_cut =
          output_limit && std::max(result.output.size(), result.errors.size()) > *output_limit;
      if (events[3].revents != 0 || result.output_cut) return;
    }
    result.timed_out = true;
  }

  /// Gives the program time to end processes that it put into other process groups, which we cannot reach.
  void ask_to_end() {
    constexpr int kMilliseconds = 5000;
    ::kill(id_, SIGTERM);
    pollfd ended{alive_.number(), POLLIN, 0};
    ::poll(&ended, 1, kMilliseconds);
  }

  /// Kills the group and returns the program's status as waitpid reports it. The group is killed before its
  /// leader is reaped: until then its id cannot be reused.
  int end() {
    int status = 0;
    ::kill(-id_, SIGKILL);
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return status;
  }

  /// Reads what is left in the pipes. REQUIRES: end() was called, so that nothing writes to them any more.
  void drain(ProcessResult& result) {
    while (read_some(output_, result.output)) {
    }
    while (read_some(errors_, result.errors)) {
    }
  }

 private:
  void spawn(const ProcessRequest& request, const std::array<int, 3>& streams) {
    process_.emplace(request, streams);
    Pipe failures;  // closed without data once the program has started
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ == 0) process_->become(failures.write.number(), parent);
    int failure = id_ < 0 ? errno : 0;
    failures.write.close();
    while (id_ > 0 && ::read(failures.read.number(), &failure, sizeof failure) < 0 && errno == EINTR) {
    }
    if (failure == 0) return;
    if (id_ > 0) end();
    id_ = 0;
    throw Error(request.arguments[0], std::string("cannot be run (") + std::strerror(failure) + ")");
  }

  static int milliseconds_until(std::optional<Clock::time_point> deadline) {
    if (!deadline) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
  }

  void write_some() {
    const ssize_t written = ::write(input_.number(), unwritten_.data(), unwritten_.size());
    if (written >= 0) {
      unwritten_.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EAGAIN && errno != EINTR) {
      unwritten_ = {};  // nobody reads any more
    }
  }

  /// False if there is nothing to read now, or at the end (then `from` is closed).
  static bool read_some(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer;
    const ssize_t count = from.open() ? ::read(from.number(), buffer.data(), buffer.size()) : 0;
    if (count == 0) from.close();
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::optional<NewProcess> process_;  ///< Keeps the directory alive as long as the program.
  pid_t id_ = 0;
  Descriptor alive_;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
  std::string_view unwritten_;
};

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  if (request.arguments.empty()) throw Error("", "there is no program to run");
  if (!request.directory.empty() && !std::filesystem::is_directory(request.directory)) {
    throw Error(request.directory.string(), "is not a directory");
  }
  std::optional<Clock::time_point> deadline;
  if (request.time_limit) deadline = Clock::now() + *request.time_limit;
  ProcessResult result;
  Child child(request);
  const BlockedSigpipe guard;
  child.exchange(result, deadline, request.output_limit);
  const bool has_processes = request.confinement && !request.confinement->computes_only;
  if (has_processes && (result.timed_out || result.output_cut)) child.ask_to_end();
  const int status = child.end();
  child.drain(result);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string how_it_ended(const ProcessResult& result) {
  if (result.signal == 0) return fmt::format("exit code {}", result.exit_code);
  return fmt::format("signal {} ({})", result.signal, ::strsignal(result.signal));
}

}  // namespace ndnf
