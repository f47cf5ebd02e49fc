#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndnf {

/// What a stream is connected to. Everything that is known about terminals is asked here.
struct Terminal {
  bool present = false;    ///< A terminal whose lines can be redrawn; `TERM=dumb` is not one.
  std::size_t width = 80;  ///< Columns, as they are now.
  bool colour = false;     ///< It has colours, and NO_COLOR (https://no-color.org) is not set.
};

/// Of a file descriptor, such as STDERR_FILENO.
Terminal terminal_of(int descriptor);

enum class Colour : std::uint8_t { kRed, kGreen, kYellow, kCyan };

/// The text in this colour if the terminal has colours, otherwise as it is.
std::string painted(std::string_view text, Colour colour, const Terminal& terminal);

}  // namespace ndnf
