#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include "ndnf/base/error.h"
#include "ndnf/base/file.h"

namespace ndnf::testing {

/// A folder that goes when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ndnf-json-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view text) const {
    write_file(path_ / name, text);
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string source_text(const std::string& file) {
  return read_file(std::filesystem::path(NDNF_SOURCE_DIR) / file);
}

/// The text with the first `from` replaced; an empty `from` replaces all.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return to;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << "there is no " << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

/// What stands between ```json and ``` in a document.
inline std::string json_block(const std::string& markdown) {
  const std::string opening = "```json\n";
  const std::size_t begin = markdown.find(opening) + opening.size();
  return markdown.substr(begin, markdown.find("```", begin) - begin);
}

/// The message of the Error that `action` throws, or "" when it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// An edit that makes a good file bad, and the end of the message that it gives (after the file's name).
struct BadEdit {
  std::string name;
  std::string from;
  std::string to;
  std::string message;
};

inline void PrintTo(const BadEdit& edit, std::ostream* out) { *out << edit.name; }
inline std::string name_of(const ::testing::TestParamInfo<BadEdit>& info) { return info.param.name; }

}  // namespace ndnf::testing
