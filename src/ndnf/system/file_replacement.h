#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/system/file_descriptor.h"

namespace ndnf {

/// Replaces files of one folder together: their new contents are written to temporary files beside
/// them and flushed to disk; then each is renamed to its target, in order.
///
/// The process may be killed at any moment. The temporary file of the first target is called `.ndnf-ID`, the
/// others `.ndnf-ID-NAME`, and the writer holds a lock on each. An unlocked temporary file is a leftover,
/// which the next writer to the folder removes. Only the certificate of a program is renamed instead, if the
/// program is already in place: it is called PROGRAM.certificate.json, the program .lp or .pl, and it has the
/// program's SHA-256 in it. (A folder that others have sent may have leftovers that nobody left. Thus they
/// can replace a certificate by another one for the same program, and nothing else.)
class FileReplacement {
 public:
  /// Clears the folder of other processes' leftovers.
  explicit FileReplacement(const std::filesystem::path& folder);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// Writes the temporary file. Throws Error naming the file and the reason. REQUIRES: the file is in the
  /// folder.
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

/// Whether the name is that of an internal file, which no command needs: a leftover or a lock
/// (folder_lock.h).
bool is_internal_file(const std::filesystem::path& file);

/// Finishes or removes the leftovers of killed writers in a folder, as above; failures are ignored.
void clear_leftovers(const std::filesystem::path& folder);

}  // namespace ndnf
