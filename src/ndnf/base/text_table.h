#pragma once

#include <cstddef>
#include <optional>
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

  /// Complete or, if `width` is given, in lines of at most so many columns: text in the last column is broken
  /// into lines or, where there is no room beside the others, put below its row; if those do not fit either,
  /// each row becomes a list of its figures.
  std::string to_text(std::optional<std::size_t> width = std::nullopt) const;
  std::string to_markdown() const;

 private:
  using Row = std::vector<std::string>;

  std::vector<std::size_t> widths() const;
  std::string line(const Row& row, const std::vector<std::size_t>& widths, std::size_t columns) const;
  std::string beside(const std::vector<std::size_t>& widths, std::size_t room) const;
  std::string below(const std::vector<std::size_t>& widths, std::size_t width) const;
  std::string lists(std::size_t width) const;

  std::vector<Row> rows_;
  std::vector<bool> right_;
};

}  // namespace ndnf
