#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ndnf {

/// Columns of text, as wide as they need to be (UTF-8 letters count as one). Numbers read better on the
/// right: `right` lists the columns set flush right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, std::vector<std::size_t> right = {});

  /// REQUIRES: as many cells as the header has.
  void add(std::vector<std::string> cells);

  std::string to_text() const;
  std::string to_markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

}  // namespace ndnf
