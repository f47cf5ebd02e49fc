#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/base/error.h"

namespace ndnf {

/// The size limit of files that we read.
inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

/// The whole contents of a file or pipe, never a part. Throws Error naming the path and the reason, also if
/// there are more than `most` bytes, if the path is neither a file nor a pipe, or if a pipe delivers nothing
/// for a while.
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostFileBytes);

/// The first bytes of a regular file; empty if it is not a regular file or cannot be read.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

/// Writes the file atomically: to a temporary file beside it, flushed to disk, then renamed to `path`. A new
/// file gets the permissions that the umask leaves; a replaced file keeps its own. Pipes and devices,
/// including /dev/stdout, are written to directly; symbolic links are refused. Throws Error naming the path
/// and the reason, and leaves nothing behind.
void write_file(const std::filesystem::path& path, std::string_view bytes);

struct FileContents {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Writes a file and its companions, FILE.SOMETHING, which have its SHA-256 in them. If the process is
/// killed, either none or all of them have changed; or the first has, and the next writer to the folder
/// completes the rest.
void write_files(const std::vector<FileContents>& files);

/// What the standard library says of a path that cannot even be looked at, such as one that is too long.
Error error_of(const std::filesystem::filesystem_error& failure);

/// Throws Error if a folder that the user has not named is a symbolic link: it may lead out of the one that
/// was named.
void require_own_folder(const std::filesystem::path& folder);

}  // namespace ndnf
