#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "ndnf/system/file.h"

namespace ndnf {

/// Something to be read: a file or pipe, by its path, or contents that the caller already has.
struct Input {
  /// The path. For contents: what messages call them, with the extension that says what they are.
  std::string name{};
  std::optional<std::string> contents{};

  Input() = default;
  // A path alone is an input. Names are shown, so one with a control character or invisible mark is an Error:
  // NOLINTBEGIN(google-explicit-constructor)
  Input(std::string path);
  Input(const char* path) : Input(std::string(path)) {}
  Input(const std::filesystem::path& path) : Input(path.string()) {}
  // NOLINTEND(google-explicit-constructor)
  Input(std::string its_name, std::string its_contents)
      : name(std::move(its_name)), contents(std::move(its_contents)) {}

  bool is_file() const { return !contents; }
  /// The whole contents. Throws Error as read_file does, also for contents of more than `most` bytes.
  std::string read(std::size_t most = kMostFileBytes) const;
};

}  // namespace ndnf
