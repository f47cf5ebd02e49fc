#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ndnf {

/// A table of text; each column is as wide as its longest cell (UTF-8 characters count as one). `right`
/// lists the columns that are right-aligned, usually the numbers.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, std::vector<std::size_t> right = {});

  /// REQUIRES: one cell per column of the header.
  void add(std::vector<std::string> cells);

  std::string to_text() const;
  std::string to_markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

}  // namespace ndnf
