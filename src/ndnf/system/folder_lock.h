#pragma once

#include <filesystem>

#include "ndnf/system/file_descriptor.h"

namespace ndnf {

/// While it lives nobody else who asks for the lock may write to the folder, whatever becomes of this
/// process.
class FolderLock {
 public:
  /// Throws Error naming the process that has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&&) = default;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  std::filesystem::path file_;
  FileDescriptor open_;
};

}  // namespace ndnf
