#include "ndnf/base/text_table.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

constexpr std::size_t kGap = 2;
/// Text is broken into lines beside the other columns if it has this much room.
constexpr std::size_t kRoom = 30;
constexpr std::size_t kIndent = 4;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - letters(text), ' ');
  return right ? space + text : text + space;
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

/// Indented lines of at most `width` columns.
std::string paragraph(const std::string& text, std::size_t width) {
  std::string all;
  for (const std::string& line : wrapped(text, std::max(width, 2 * kIndent) - kIndent))
    all += std::string(kIndent, ' ') + line + '\n';
  return all;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header, std::vector<std::size_t> right)
    : right_(header.size(), false) {
  rows_.push_back(std::move(header));
  for (const std::size_t column : right) right_.at(column) = true;
}

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == right_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(right_.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], letters(row[c]));
  }
  return widths;
}

/// The first columns of a row.
std::string TextTable::line(const Row& row, const std::vector<std::size_t>& widths,
                            std::size_t columns) const {
  std::string line;
  for (std::size_t c = 0; c < columns; ++c)
    line += std::string(c ? kGap : 0, ' ') + padded(row[c], widths[c], right_[c]);
  return without_end(std::move(line));
}

/// The last column in lines of `room`.
std::string TextTable::beside(const std::vector<std::size_t>& widths, std::size_t room) const {
  std::vector<std::size_t> own = widths;
  own.back() = room;
  std::string text;
  for (Row row : rows_) {
    for (const std::string& part : wrapped(row.back(), room)) {
      row.back() = part;
      text += line(row, own, row.size());
      std::fill(row.begin(), row.end(), "");
    }
  }
  return text;
}

std::string TextTable::below(const std::vector<std::size_t>& widths, std::size_t width) const {
  std::string text;
  for (const Row& row : rows_) text += line(row, widths, row.size() - 1) + paragraph(row.back(), width);
  return text;
}

std::string TextTable::lists(std::size_t width) const {
  std::string text;
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    std::string figures;
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (row[c].empty()) continue;
      figures += fmt::format("{}{} {}", figures.empty() ? "" : ", ", rows_[0][c], row[c]);
    }
    for (const std::string& part : wrapped(row[0], width)) text += part + '\n';
    text += paragraph(figures, width);
  }
  return text;
}

std::string TextTable::to_text(std::optional<std::size_t> width) const {
  const std::vector<std::size_t> needed = widths();
  const std::size_t others =
      std::accumulate(needed.begin(), needed.end() - 1, std::size_t{0}) + kGap * (needed.size() - 1);
  if (!width || others + needed.back() <= *width) {
    std::string text;
    for (const Row& row : rows_) text += line(row, needed, row.size());
    return text;
  }
  const bool prose = !right_.back();
  if (prose && others + std::min(kRoom, needed.back()) <= *width) return beside(needed, *width - others);
  return prose && others <= *width + kGap ? below(needed, *width) : lists(*width);
}

std::string TextTable::to_markdown() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (const std::string& cell : rows_[r]) text += " " + cell + " |";
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (const bool right : right_) text += right ? "---:|" : "---|";
    text += "\n";
  }
  return text;
}

}  // namespace ndnf
