#include "ndnf/system/folder_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr const char* kLockFile = ".ndnf-lock";

/// A killed process keeps its locks until the system has taken it apart, a moment after its parent is told.
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kPause{10};

/// The lock's holder as recorded in the file: "process 123 on HOST".
std::string holder(int descriptor) {
  std::array<char, 300> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string name(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t end = name.find('\n');
  const bool fine = end != std::string::npos && name.starts_with("process ");
  return fine ? name.substr(0, end) : "another process";
}

void sign(int descriptor) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const std::string name = fmt::format("process {} on {}\n", ::getpid(), host.data());
  if (::ftruncate(descriptor, 0) != 0) return;  // the name is only informational
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, name.data(), name.size(), 0);
}

/// Whether the path still refers to this file, which the previous holder may have removed.
bool is_there(const std::filesystem::path& file, int descriptor) {
  struct stat named {};
  struct stat open {};
  return ::lstat(file.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / kLockFile) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + kPatience;
  for (;;) {
    open_ =
        FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
    if (!open_) fail_write(file_, errno);
    require_one_name(file_, open_.get());
    const bool locked = ::flock(open_.get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK && Clock::now() < deadline) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (!locked && errno == EWOULDBLOCK) {
      throw Error(folder.string(), fmt::format("{} is writing to it", holder(open_.get())),
                  "wait until it has finished, or choose another folder");
    }
    if (!locked && errno == EINTR) continue;
    if (!locked) break;  // this file system does not support locks
    if (is_there(file_, open_.get())) break;
  }
  sign(open_.get());
}

FolderLock::~FolderLock() {
  if (open_) ::unlink(file_.c_str());
}

}  // namespace ndnf
