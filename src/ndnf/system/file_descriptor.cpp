#include "ndnf/system/file_descriptor.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

void fail_write(const std::filesystem::path& path, int reason) {
  throw Error(path.string(), std::string("cannot be written (") + std::strerror(reason) + ")");
}

void require_one_name(const std::filesystem::path& path, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_nlink > 1)
    throw Error(path.string(), "is a hard link, and links are not written through", "remove it");
}

void write_all(int descriptor, const std::filesystem::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open) return;  // a folder may be writable and not readable
  if (::fsync(open.get()) != 0 && errno != EINVAL) fail_write(folder, errno);  // EINVAL: unsupported
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace ndnf
