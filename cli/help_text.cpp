#include "cli/help_text.h"

#include <algorithm>

#include "cli/screen.h"

namespace ndnf::cli {
namespace {

/// Where the description of an option begins: behind its name and at least two spaces.
std::size_t description_column(std::string_view line) {
  const std::size_t name = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", name);
  if (name == 0 || gap == std::string_view::npos) return name;
  return std::min(line.find_first_not_of(' ', gap), line.size());
}

}  // namespace

std::string fitted_help(std::string_view help, std::size_t width) {
  std::string text;
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = std::min(help.find('\n', begin), help.size());
    const std::string_view line = help.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t column = description_column(line);
    const bool command = line.starts_with("  ndnf ");  // an example, to be copied as it is
    if (letters(line) <= width || column * 2 > width || command) {
      text += std::string(line) + "\n";
      continue;
    }
    std::string start(line.substr(0, column));
    for (const std::string& part : wrapped(line.substr(column), width - column)) {
      text += start + part + "\n";
      start.assign(column, ' ');
    }
  }
  return text;
}

std::string help_text(std::string help) {
  // How CLI11 marks the negative form of a flag.
  constexpr std::string_view kMark = "{false}";
  for (std::size_t at = help.find(kMark); at != std::string::npos; at = help.find(kMark))
    help.erase(at, kMark.size());
  const auto width = screen_width();
  return width ? fitted_help(help, *width) : help;
}

}  // namespace ndnf::cli
