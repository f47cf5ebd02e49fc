#pragma once

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "ndnf/system/file.h"

/// Reads the project's own files, for tests that check its documentation.
namespace ndnf::project {

inline std::filesystem::path root() { return NDNF_SOURCE_DIR; }

/// Our files below root()/`folder` with one of these extensions, relative to root(), in alphabetical order.
inline std::vector<std::filesystem::path> files(const std::filesystem::path& folder,
                                                const std::vector<std::string>& extensions) {
  std::vector<std::filesystem::path> found;
  for (auto entry = std::filesystem::recursive_directory_iterator(root() / folder);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (name == "build" || name == "runs" || name == ".git") entry.disable_recursion_pending();
    if (std::ranges::count(extensions, entry->path().extension().string()) > 0) {
      found.push_back(entry->path().lexically_relative(root()));
    }
  }
  std::ranges::sort(found);
  return found;
}

inline std::string read(const std::filesystem::path& relative) { return read_file(root() / relative); }

/// All matches of the first group of `pattern`.
inline std::vector<std::string> find_all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex); match != std::sregex_iterator();
       ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

/// The `code spans` of a piece of markdown.
inline std::vector<std::string> code_spans(const std::string& markdown) {
  return find_all(markdown, "`([^`]+)`");
}

/// The rows below every table whose header line is exactly `header`, cell by cell.
inline std::vector<std::vector<std::string>> table_rows(const std::string& markdown,
                                                        const std::string& header) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(markdown);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == header) {
      inside = true;
      std::getline(lines, line);  // |---|---|
    } else if (inside && line.starts_with("|")) {
      rows.push_back(find_all(line, R"(\| *([^|]*?) *(?=\|))"));
    } else {
      inside = false;
    }
  }
  return rows;
}

}  // namespace ndnf::project
