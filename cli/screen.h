#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <unistd.h>

#include "ndnf/base/terminal.h"
#include "ndnf/base/wrapped_text.h"

namespace ndnf::cli {

/// The width that tables on standard output must fit; nothing if it is not a terminal: a file or pipe gets
/// them complete.
inline std::optional<std::size_t> screen_width() {
  const Terminal terminal = terminal_of(STDOUT_FILENO);
  return terminal.present ? std::optional(terminal.width) : std::nullopt;
}

/// The text, broken into lines that fit the terminal.
inline std::string fitted(const std::string& text) {
  const auto width = screen_width();
  if (!width) return text + "\n";
  std::string lines;
  for (const std::string& line : wrapped(text, *width)) lines += line + "\n";
  return lines;
}

/// In colour, if standard output is a terminal that has some.
inline std::string coloured(std::string_view text, Colour colour) {
  return painted(text, colour, terminal_of(STDOUT_FILENO));
}

/// What error messages begin with.
inline std::string error_prefix() { return painted("ndnf:", Colour::kRed, terminal_of(STDERR_FILENO)); }

}  // namespace ndnf::cli
