#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace ndnf {

/// An open file, closed when it goes.
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

  /// Whether there is one: false where open() failed.
  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

/// Throws Error: "PATH: cannot be written (WHY)", for a value of errno.
[[noreturn]] void fail_write(const std::filesystem::path& path, int reason);

/// Writes all of it. Throws Error naming `path` and the reason.
void write_all(int descriptor, const std::filesystem::path& path, std::string_view bytes);

/// Flushes a folder to disk, so that a file renamed in it stays so. Throws Error if the disk fails.
void sync_folder(const std::filesystem::path& folder);

/// The folder that a file lies in.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace ndnf
