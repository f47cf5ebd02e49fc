#include "ndnf/base/plain_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ndnf {
namespace {

/// The code of a valid character.
unsigned code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  unsigned code = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
  return code;
}

bool is_control(unsigned code, bool line_ends) {
  if (code == '\t' || code == '\n' || (code == '\r' && line_ends)) return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// U+200C and U+200D are not among them: words and pictograms are written with those.
bool is_invisible_mark(unsigned code) {
  return code == 0x061C || code == 0x200B || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF5 || lead < 0xC2 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values beyond U+10FFFF can be detected in the second byte.
  const bool bad = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                   (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return bad ? 0 : length;
}

std::optional<HiddenCharacter> find_hidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return HiddenCharacter{at, "this byte is not UTF-8"};
    const unsigned code = code_of(text.substr(at, length));
    at += length;
    if (is_control(code, text.substr(at).starts_with('\n')))
      return HiddenCharacter{at - length, fmt::format("this is the control character U+{:04X}", code)};
    if (is_invisible_mark(code))
      return HiddenCharacter{at - length, fmt::format("this is the invisible mark U+{:04X}", code)};
  }
  return std::nullopt;
}

std::string without_hidden(std::string_view text) {
  std::string shown;
  while (const auto hidden = find_hidden(text)) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text.substr(hidden->at)));
    shown += text.substr(0, hidden->at);
    for (const char byte : text.substr(hidden->at, length))
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    text.remove_prefix(hidden->at + length);
  }
  return shown.append(text);
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : without_hidden(text)) {
    if (c == '\n' || c == '\t' || c == '\r') {
      line += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

std::string shell_word(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,") ==
      std::string::npos;
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string with_error(const std::string& value, double error,
                       const std::function<std::string(double)>& figure) {
  if (std::isnan(error)) return value;
  return fmt::format("{} ± {}", value, figure ? figure(error) : fmt::format("{:.2g}", error));
}

}  // namespace ndnf
