#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <unistd.h>

#include "ndnf/base/terminal.h"

namespace ndnf::cli {

/// The width that tables on standard output must fit; nothing if it is not a terminal: a file or pipe gets
/// them complete.
inline std::optional<std::size_t> screen_width() {
  const Terminal terminal = terminal_of(STDOUT_FILENO);
  return terminal.present ? std::optional(terminal.width) : std::nullopt;
}

/// In colour, if standard output is a terminal that has some.
inline std::string coloured(std::string_view text, Colour colour) {
  return painted(text, colour, terminal_of(STDOUT_FILENO));
}

/// What error messages begin with.
inline std::string error_prefix() { return painted("ndnf:", Colour::kRed, terminal_of(STDERR_FILENO)); }

}  // namespace ndnf::cli
