#include "ndnf/base/process.h"

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

/// Writing to a program that no longer reads must be an error code for us, not a deadly signal.
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

/// What the new process does before it becomes the program; on failure it writes errno to `failures`. Other
/// threads may have held any lock when the process was copied, so nothing here allocates.
[[noreturn]] void become(char* const* arguments, const char* directory, const std::array<int, 3>& streams,
                         int failures, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed ndnf leaves no solver behind
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  bool ready = directory == nullptr || ::chdir(directory) == 0;
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ready = ready && ::dup2(streams[static_cast<std::size_t>(number)], number) == number;
  }
  if (ready) ::execvp(arguments[0], arguments);
  const int failure = errno;
  [[maybe_unused]] const ssize_t told = ::write(failures, &failure, sizeof failure);
  ::_exit(EXIT_FAILURE);
}

/// A running program and our ends of its three pipes; killed with its group when the object goes.
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

  /// Exchanges text until the program has ended, is at its limit of output, or the deadline has passed.
  void exchange(ProcessResult& result, std::optional<Clock::time_point> deadline,
                std::optional<std::size_t> output_limit) {
    while (!deadline || Clock::now() < *deadline) {
      if (unwritten_.empty()) input_.close();
      // A closed descriptor is −1, which poll passes over.
      std::array<pollfd, 4> events{{{input_.number(), POLLOUT, 0},
                                    {output_.number(), POLLIN, 0},
                                    {errors_.number(), POLLIN, 0},
                                    {alive_.number(), POLLIN, 0}}};
      const int ready = ::poll(events.data(), events.size(), milliseconds_until(deadline));
      if (ready <= 0) continue;  // the deadline, or a signal
      if (events[0].revents != 0) write_some();
      if (events[1].revents != 0) read_some(output_, result.output);
      if (events[2].revents != 0) read_some(errors_, result.errors);
      result.output_cut = output_limit && result.output.size() > *output_limit;
      if (events[3].revents != 0 || result.output_cut) return;
    }
    result.timed_out = true;
  }

  /// Kills the group and returns the program's status as waitpid gives it. The group is killed before its
  /// leader is waited for: until then its number cannot be anybody else's.
  int end() {
    int status = 0;
    ::kill(-id_, SIGKILL);
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return status;
  }

  /// Takes what is still in the pipes. REQUIRES: end() was called, so nobody fills them any more.
  void drain(ProcessResult& result) {
    while (read_some(output_, result.output)) {
    }
    while (read_some(errors_, result.errors)) {
    }
  }

 private:
  void spawn(const ProcessRequest& request, const std::array<int, 3>& streams) {
    std::vector<char*> arguments;
    for (const std::string& argument : request.arguments)
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const char* directory = request.directory.empty() ? nullptr : request.directory.c_str();
    Pipe failures;  // closed without a word when the program starts
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ == 0) become(arguments.data(), directory, streams, failures.write.number(), parent);
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

  /// False when there is nothing more for now, or ever (then `from` is closed).
  static bool read_some(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer;
    const ssize_t count = from.open() ? ::read(from.number(), buffer.data(), buffer.size()) : 0;
    if (count == 0) from.close();
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

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
  const int status = child.end();
  child.drain(result);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace ndnf
