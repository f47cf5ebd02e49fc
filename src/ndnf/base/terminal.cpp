#include "ndnf/base/terminal.h"

#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ndnf {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int code(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return 31;
    case Colour::kGreen:
      return 32;
    case Colour::kYellow:
      return 33;
    case Colour::kCyan:
      break;
  }
  return 36;
}

}  // namespace

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  const std::string_view kind = variable("TERM");
  if (::isatty(descriptor) != 1 || kind == "dumb") return terminal;
  terminal.present = true;
  terminal.colour = !kind.empty() && variable("NO_COLOR").empty();
  struct winsize size {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  return terminal;
}

std::string painted(std::string_view text, Colour colour, const Terminal& terminal) {
  if (!terminal.colour) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code(colour), text);
}

}  // namespace ndnf
