#include "ndnf/syntax/atoms.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace ndnf {
namespace {

/// Calls `visit` with the end of each argument: the commas outside of inner parentheses and quoted texts, and
/// the closing bracket.
template <class Visit>
void for_each_argument_end(std::string_view atom, const Visit& visit) {
  std::size_t depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < atom.size(); ++i) {
    const char c = atom[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(') ++depth;
    if ((c == ',' || c == ')') && depth == 1) visit(i);
    if (c == ')') --depth;
  }
}

std::size_t arity(std::string_view atom) {
  std::size_t count = 0;
  for_each_argument_end(atom, [&](std::size_t) { ++count; });
  return count;
}

}  // namespace

std::optional<std::string_view> action_of(std::string_view atom) {
  constexpr std::string_view kOpen = "action(";
  if (!atom.starts_with(kOpen) || arity(atom) != 1) return std::nullopt;
  return atom.substr(kOpen.size(), atom.size() - kOpen.size() - 1);
}

std::vector<std::string_view> arguments(std::string_view atom) {
  std::vector<std::string_view> all;
  std::size_t begin = atom.find('(') + 1;
  for_each_argument_end(atom, [&](std::size_t end) {
    all.push_back(atom.substr(begin, end - begin));
    begin = end + 1;
  });
  return all;
}

std::string action_atom(std::string_view action) { return fmt::format("action({})", action); }

std::string signature(std::string_view atom) {
  return fmt::format("{}/{}", atom.substr(0, std::min(atom.find('('), atom.size())), arity(atom));
}

std::vector<std::string_view> defined_signatures(const Directive& directive) {
  constexpr std::string_view kDefined = "#defined ";
  std::vector<std::string_view> names;
  std::string_view text = directive.text;
  if (!text.starts_with(kDefined)) return names;
  for (text.remove_prefix(kDefined.size()); !text.empty();) {
    const std::size_t end = std::min(text.find(", "), text.size());
    names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return names;
}

bool is_auxiliary(std::string_view atom) { return atom.starts_with("ndnf_aux("); }

std::string auxiliary_atom(std::size_t number) { return fmt::format("ndnf_aux({})", number); }

}  // namespace ndnf
