#pragma once

#include <filesystem>

#include "ndnf/system/file_descriptor.h"

namespace ndnf {

/// An advisory lock on a folder: no other process that asks for it may write there while this object lives.
/// The lock is released however the process ends.
class FolderLock {
 public:
  /// Waits up to a second for a process that is just ending; throws Error naming the one that holds the lock.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&&) = default;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  std::filesystem::path file_;
  FileDescriptor open_;
};

}  // namespace ndnf
