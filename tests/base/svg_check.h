#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace ndnf::testing {

/// "" if the elements of an SVG nest properly and every attribute has one quoted value, otherwise a
/// description of the defect.
inline std::string xml_defect(std::string_view xml) {
  std::vector<std::string_view> open;
  std::size_t place = 0;
  const auto attribute_defect = [](std::string_view rest) -> std::string {
    std::vector<std::string_view> names;
    while (!rest.empty()) {
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        rest.remove_prefix(1);
        continue;
      }
      const std::size_t equals = rest.find("=\"");
      const std::size_t end = equals == rest.npos ? equals : rest.find('"', equals + 2);
      if (end == rest.npos) return fmt::format("no value for {}", rest);
      for (const char c : rest.substr(0, equals)) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != ':')
          return fmt::format("no attribute: {}", rest.substr(0, equals));
      }
      names.push_back(rest.substr(0, equals));
      if (std::count(names.begin(), names.end(), names.back()) > 1)
        return fmt::format("{} twice", names.back());
      rest.remove_prefix(end + 1);
    }
    return "";
  };
  while ((place = xml.find('<', place)) != std::string_view::npos) {
    const std::size_t end = xml.find('>', place);
    if (end == std::string_view::npos) return "an element is not finished";
    std::string_view element = xml.substr(place + 1, end - place - 1);
    place = end;
    const std::string_view name = element.substr(0, element.find_first_of(" /", 1));
    if (element.find('<') != std::string_view::npos) return fmt::format("a bare < in <{}>", element);
    if (element.front() == '/') {
      if (open.empty() || open.back() != name.substr(1))
        return fmt::format("</{}> closes nothing", name.substr(1));
      open.pop_back();
      continue;
    }
    if (element.back() == '/') {
      element.remove_suffix(1);
    } else {
      open.push_back(name);
    }
    if (const std::string defect = attribute_defect(element.substr(name.size())); !defect.empty())
      return fmt::format("{} in <{}>", defect, name);
  }
  return open.empty() ? "" : fmt::format("<{}> is not closed", open.back());
}

/// How often a text occurs.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The most letters (UTF-8) in a line.
inline std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::size_t now = 0;
  for (const char c : text) {
    if (c == '\n') {
      now = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      longest = std::max(longest, ++now);
    }
  }
  return longest;
}

}  // namespace ndnf::testing
