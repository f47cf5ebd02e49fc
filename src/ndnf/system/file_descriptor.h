#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace ndnf {

/// Owns an open file descriptor and closes it on destruction.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor();

  /// False if open() failed.
  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

/// Throws Error "PATH: cannot be written (REASON)" for an errno value.
[[noreturn]] void fail_write(const std::filesystem::path& path, int reason);

/// Throws Error if an open file has another name, too: a folder that others have sent may have hard links to
/// files outside, which are not to be written through.
void require_one_name(const std::filesystem::path& path, int descriptor);

/// Writes all bytes. Throws Error naming `path` and the reason.
void write_all(int descriptor, const std::filesystem::path& path, std::string_view bytes);

/// Flushes a folder to disk, which makes renames in it durable. Throws Error if the disk fails.
void sync_folder(const std::filesystem::path& folder);

/// The folder that contains a file.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace ndnf
