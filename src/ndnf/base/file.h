#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ndnf {

/// The whole file. Throws Error naming the path and the reason.
std::string read_file(const std::filesystem::path& path);

/// Writes the file whole or not at all: into a temporary file beside it, flushed to disk, then renamed over
/// `path`. Throws Error naming the path and the reason, and leaves nothing behind.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace ndnf
