#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ndnf {

/// The length in bytes of the UTF-8 character at the front, or 0 if it is invalid.
std::size_t utf8_length(std::string_view text);

/// A character that makes a text look different from what it is.
struct HiddenCharacter {
  std::size_t at = 0;  ///< In bytes.
  std::string what;    ///< "this byte is not UTF-8", …
};

/// The first byte that is not UTF-8, control character (terminals obey those; tabs and line ends are none),
/// or invisible mark that separates lines, joins words or turns the direction of text: with those a rule can
/// be shown as a comment ("Trojan Source", Boucher and Anderson, 2021).
std::optional<HiddenCharacter> find_hidden(std::string_view text);

/// The text with a visible escape, `\x1b`, in place of each byte of such a character.
std::string without_hidden(std::string_view text);

/// The same with `\n`, `\t` and so on for characters that end a line or a column, too.
std::string in_one_line(std::string_view text);

/// The word as a shell reads it, quoted where that is needed: for commands that people copy.
std::string shell_word(const std::string& word);

/// "-1.5 ± 0.2"; the value alone if the standard error is NaN, as a single episode's is.
std::string with_error(const std::string& value, double error,
                       const std::function<std::string(double)>& figure = nullptr);

}  // namespace ndnf
