#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// No file of ours is larger.
inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

/// The whole file, or all that comes through a pipe: never a part of it. Throws Error naming the path and the
/// reason, also if there are more than `most` bytes, if it is neither a file nor a pipe, and if nothing comes
/// through a pipe for a while.
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostFileBytes);

/// The first bytes of a regular file; nothing if it is none or cannot be read.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

/// Writes the file whole or not at all: into a temporary file beside it, flushed to disk, then renamed over
/// `path`. A new file has the rights that the umask leaves, a replaced one keeps those it had. Pipes and
/// devices, /dev/stdout among them, are written to; a symbolic link is refused. Throws Error naming the path
/// and the reason, and leaves nothing behind.
void write_file(const std::filesystem::path& path, std::string_view bytes);

struct FileContents {
  std::filesystem::path path;
  std::string_view bytes;
};

/// Writes files of one folder that belong together. If the process is killed none of them has changed, or all
/// have; or the first ones have, and whoever writes to the folder next changes the others.
void write_files(const std::vector<FileContents>& files);

}  // namespace ndnf
