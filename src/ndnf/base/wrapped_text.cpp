#include "ndnf/base/wrapped_text.h"

#include <algorithm>
#include <cassert>

namespace ndnf {
namespace {

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// The bytes of the first `count` letters.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size() && (count > 0 || !begins_letter(text[end]))) {
    count -= begins_letter(text[end]) ? 1 : 0;
    ++end;
  }
  return end;
}

}  // namespace

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {  // a colour ends with m
      i = std::min(text.find('m', i), text.size());
    } else {
      count += begins_letter(text[i]) ? 1 : 0;
    }
  }
  return count;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  assert(width > 0);
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool fits = letters(lines.back()) + 1 + letters(word) <= width;
    if (!lines.back().empty() && !fits) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    for (; letters(word) > width; word.remove_prefix(bytes_of(word, width))) {
      lines.back() = word.substr(0, bytes_of(word, width));
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (letters(text) <= width) return std::string(text);
  if (width == 0) return "";
  return std::string(text.substr(0, bytes_of(text, width - 1))) + "…";
}

}  // namespace ndnf
