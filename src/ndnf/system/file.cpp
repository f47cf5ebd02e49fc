#include "ndnf/system/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"
#include "ndnf/system/file_descriptor.h"
#include "ndnf/system/file_replacement.h"

namespace ndnf {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kChunk = 64u << 10;
/// How long to wait for a pipe's other end to be opened, and for data once it is open.
constexpr milliseconds kAlone = std::chrono::seconds(5);
constexpr milliseconds kSilence = std::chrono::minutes(2);

[[noreturn]] void fail_read(const std::filesystem::path& path, int reason) {
  throw Error(path.string(), fmt::format("cannot be read ({})", std::strerror(reason)));
}

[[noreturn]] void fail_alone(const std::filesystem::path& path, std::string_view what) {
  throw Error(path.string(), fmt::format("is a pipe, and {}", what),
              "a pipe can be read or written only once");
}

/// Reads one file or pipe to the end.
class Reader {
 public:
  Reader(const std::filesystem::path& path, std::size_t most)
      : path_(path), most_(most), file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    struct stat status {};
    if (!file_ || ::fstat(file_.get(), &status) != 0) fail_read(path, errno);
    if (S_ISDIR(status.st_mode)) throw Error(path.string(), "is a directory, not a file");
    pipe_ = S_ISFIFO(status.st_mode);
    if (!pipe_ && !S_ISREG(status.st_mode)) throw Error(path.string(), "is neither a file nor a pipe");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (!pipe_ && size > most_) fail_size(fmt::format("has {} bytes", size));
    if (!pipe_) bytes_.reserve(size);
  }

  std::string read() {
    std::array<char, kChunk> chunk;
    while (const std::size_t count = read_some(chunk)) {
      if (count > most_ - bytes_.size()) fail_size(fmt::format("has more than {} bytes", most_));
      bytes_.append(chunk.data(), count);
    }
    return std::move(bytes_);
  }

 private:
  [[noreturn]] void fail_size(const std::string& what) const {
    throw Error(path_.string(), what, fmt::format("at most {} are read", most_));
  }

  /// Returns 0 at the end. A pipe that has no writer yet also looks as if it had ended.
  std::size_t read_some(std::array<char, kChunk>& chunk) {
    for (;;) {
      const ssize_t count = ::read(file_.get(), chunk.data(), chunk.size());
      if (count > 0) begun_ = true;
      if (count > 0 || (count == 0 && (begun_ || !pipe_))) return static_cast<std::size_t>(count);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno != EAGAIN) fail_read(path_, errno);
      wait(count == 0 ? kAlone : kSilence);
      begun_ = true;
    }
  }

  void wait(milliseconds limit) const {
    const auto deadline = steady_clock::now() + limit;
    for (;;) {
      const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
      if (left.count() <= 0) fail_alone(path_, "no data arrives");
      pollfd event{file_.get(), POLLIN, 0};
      const int ready = ::poll(&event, 1, static_cast<int>(left.count()));
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) fail_read(path_, errno);
    }
  }

  const std::filesystem::path& path_;
  std::size_t most_;
  FileDescriptor file_;
  bool pipe_ = false;
  bool begun_ = false;  ///< Data arrived, or the writer has closed its end.
  std::string bytes_;
};

/// The descriptor that /dev/stdout, /dev/stderr or /dev/fd/N refers to. These are written to directly:
/// reopening one would truncate a file it is redirected to.
std::optional<int> own_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + folder.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end) return number;
  }
  return std::nullopt;
}

/// Opens a device or pipe; waits a few seconds for a pipe's reader.
FileDescriptor open_stream(const std::filesystem::path& path) {
  const auto deadline = steady_clock::now() + kAlone;
  for (;;) {
    FileDescriptor open(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
    if (open && ::fcntl(open.get(), F_SETFL, O_WRONLY) == 0) return open;
    if (errno != ENXIO) fail_write(path, errno);
    if (steady_clock::now() > deadline) fail_alone(path, "nobody reads from it");
    std::this_thread::sleep_for(milliseconds(10));
  }
}

/// Returns true if the path was a device or pipe and has been written.
bool write_stream(const std::filesystem::path& path, std::string_view bytes) {
  if (const auto number = own_descriptor(path.string())) {
    write_all(*number, path, bytes);
    return true;
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_write(path, errno);
    return false;
  }
  if (S_ISREG(status.st_mode)) return false;
  if (S_ISDIR(status.st_mode)) fail_write(path, EISDIR);
  if (S_ISLNK(status.st_mode)) {
    throw Error(path.string(), "is a symbolic link, and links are not written through",
                "name the file that it points to, or remove the link");
  }
  if (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode))
    throw Error(path.string(), "is neither a file nor a pipe");
  write_all(open_stream(path).get(), path, bytes);
  return true;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most) {
  return Reader(path, most).read();
}

std::string read_beginning(const std::filesystem::path& path, std::size_t count) {
  std::string bytes(count, '\0');
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) { write_files({{path, bytes}}); }

void write_files(const std::vector<FileContents>& files) {
  std::optional<FileReplacement> replacement;
  for (const FileContents& file : files) {
    if (write_stream(file.path, file.bytes)) continue;
    if (!replacement) replacement.emplace(folder_of(file.path));
    replacement->add(file.path, file.bytes);
  }
  if (replacement) replacement->commit();
}

Error error_of(const std::filesystem::filesystem_error& failure) {
  return {failure.path1().string(), fmt::format("cannot be read ({})", failure.code().message())};
}

void require_own_folder(const std::filesystem::path& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return;
  throw Error(folder.string(), "is a symbolic link, and links within a folder are not followed",
              "name the folder that it points to, or remove the link");
}

}  // namespace ndnf
