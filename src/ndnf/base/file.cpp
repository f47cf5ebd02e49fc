#include "ndnf/base/file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

/// An open temporary file that is removed unless `keep_as` succeeded.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : target_(target), name_(target.string() + '.' + std::string(6, 'X')) {  // mkstemp puts letters there
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) fail();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void keep() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) fail();
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail();
    name_.clear();
  }

 private:
  [[noreturn]] void fail() const {
    const int reason = errno;
    throw Error(target_.string(), std::string("cannot be written (") + std::strerror(reason) + ")");
  }

  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(path.string(), "is a directory, not a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(path.string(), std::string("cannot be read (") + std::strerror(errno) + ")");
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  TemporaryFile file(path);
  file.write(bytes);
  file.keep();
}

}  // namespace ndnf
