#include "ndnf/syntax/atoms.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace ndnf {
namespace {

/// The number of arguments of an atom: counts the commas outside of inner parentheses and quoted texts.
std::size_t arity(std::string_view atom) {
  std::size_t count = 0;
  std::size_t depth = 0;
  char quote = '\0';
  for (const char c : atom) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' && ++depth == 1) count = 1;
    if (c == ')') --depth;
    if (c == ',' && depth == 1) ++count;
  }
  return count;
}

}  // namespace

std::optional<std::string_view> action_of(std::string_view atom) {
  constexpr std::string_view kOpen = "action(";
  if (!atom.starts_with(kOpen) || arity(atom) != 1) return std::nullopt;
  return atom.substr(kOpen.size(), atom.size() - kOpen.size() - 1);
}

std::string action_atom(std::string_view action) { return fmt::format("action({})", action); }

std::string signature(std::string_view atom) {
  return fmt::format("{}/{}", atom.substr(0, std::min(atom.find('('), atom.size())), arity(atom));
}

std::optional<std::string_view> defined_signature(const Directive& directive) {
  constexpr std::string_view kDefined = "#defined ";
  const std::string_view text = directive.text;
  if (!text.starts_with(kDefined)) return std::nullopt;
  return text.substr(kDefined.size());
}

}  // namespace ndnf
