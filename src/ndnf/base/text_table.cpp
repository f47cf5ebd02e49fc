#include "ndnf/base/text_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ndnf {
namespace {

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - letters(text), ' ');
  return right ? space + text : text + space;
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

std::string TextTable::to_text() const {
  std::vector<std::size_t> widths(right_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], letters(row[c]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c ? "  " : "") + padded(row[c], widths[c], right_[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
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
