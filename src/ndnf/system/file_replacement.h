#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/system/file_descriptor.h"

namespace ndnf {

/// Files of one folder that change together: their new contents are written to temporary files beside them
/// and flushed to disk; then each is renamed over its file, in order.
///
/// A process may be killed at any moment. The temporary file of the first is called `.ndnf-ID`, that of
/// another `.ndnf-ID-NAME`, and each is locked by its writer for as long as it lives. What is not locked is
/// left over: if the first is still there, nothing has been renamed, and all are removed; if it is not, the
/// others are complete and are renamed, too. Whoever writes to the folder next does so.
class FileReplacement {
 public:
  /// Clears the folder of what others left over.
  explicit FileReplacement(const std::filesystem::path& folder);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// Writes the temporary file. Throws Error naming the file and the reason. REQUIRES: it lies in the folder.
  void add(const std::filesystem::path& file, std::string_view bytes);
  void commit();

 private:
  struct Part {
    std::filesystem::path target;
    std::filesystem::path temporary;
    FileDescriptor open;
  };
  void create(const std::filesystem::path& target);

  std::filesystem::path folder_;
  std::filesystem::path first_;  ///< The first temporary file.
  std::vector<Part> parts_;
  bool committed_ = false;  ///< The first has been renamed.
};

/// Whether a file of this name is one of ours that no command needs: left over, or a lock (folder_lock.h).
bool is_internal_file(const std::filesystem::path& file);

/// Finishes or removes what killed writers left over in a folder, as above; what cannot be done is left.
void clear_leftovers(const std::filesystem::path& folder);

}  // namespace ndnf
