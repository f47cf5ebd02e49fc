#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/system/file.h"

namespace ndnf::testing {

inline std::string source_text(const std::string& file) {
  return read_file(std::filesystem::path(NDNF_SOURCE_DIR) / file);
}

/// The text with the first `from` replaced; an empty `from` replaces everything.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return to;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << "there is no " << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

/// The text between ```json and ``` in a document.
inline std::string json_block(const std::string& markdown) {
  const std::string opening = "```json\n";
  const std::size_t begin = markdown.find(opening) + opening.size();
  return markdown.substr(begin, markdown.find("```", begin) - begin);
}

/// An edit that makes a valid file invalid, and the end of the resulting message (after the file's name).
struct BadEdit {
  std::string name;
  std::string from;
  std::string to;
  std::string message;
};

inline void PrintTo(const BadEdit& edit, std::ostream* out) { *out << edit.name; }
inline std::string name_of(const ::testing::TestParamInfo<BadEdit>& info) { return info.param.name; }

}  // namespace ndnf::testing
