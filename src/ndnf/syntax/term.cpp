#include "ndnf/syntax/term.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace ndnf {
namespace {

std::string joined(const std::vector<Term>& terms, std::string_view separator) {
  std::string text;
  for (const Term& term : terms) {
    if (&term != &terms.front()) text += separator;
    text += to_text(term);
  }
  return text;
}

std::string tuple_text(const std::vector<Term>& parts) {
  return fmt::format("({}{})", joined(parts, ","), parts.size() == 1 ? "," : "");
}

/// p(1;2) for the pool of p(1) and p(2).
std::string pooled_text(const Term& pool) {
  std::string text;
  for (const Term& part : pool.arguments) {
    text += (text.empty() ? pool.text + "(" : ";") + joined(part.arguments, ",");
  }
  return text + ")";
}

std::string operand_text(const Term& term) {
  const std::string text = to_text(term);
  return term.kind == Term::Kind::kOperation ? fmt::format("({})", text) : text;
}

}  // namespace

std::string to_text(const Term& term) {
  switch (term.kind) {
    case Term::Kind::kFunction:
      return term.arguments.empty() ? term.text
                                    : fmt::format("{}({})", term.text, joined(term.arguments, ","));
    case Term::Kind::kTuple:
      return tuple_text(term.arguments);
    case Term::Kind::kNegative:
      return fmt::format("-{}", operand_text(term.arguments[0]));
    case Term::Kind::kAbsolute:
      return fmt::format("|{}|", to_text(term.arguments[0]));
    case Term::Kind::kOperation:
      return operand_text(term.arguments[0]) + term.text + operand_text(term.arguments[1]);
    case Term::Kind::kPool:
      return term.text.empty() ? fmt::format("({})", joined(term.arguments, ";")) : pooled_text(term);
    default:
      return term.text;
  }
}

bool is_plain(const Term& term) {
  switch (term.kind) {
    case Term::Kind::kNumber:
    case Term::Kind::kQuoted:
      return true;
    case Term::Kind::kFunction:
    case Term::Kind::kTuple:
      return std::all_of(term.arguments.begin(), term.arguments.end(), is_plain);
    case Term::Kind::kNegative:  // plain for a name, arithmetic for a number
      return term.arguments[0].kind == Term::Kind::kFunction && is_plain(term.arguments[0]);
    default:
      return false;
  }
}

bool has_variables(const Term& term) {
  return term.kind == Term::Kind::kVariable ||
         std::any_of(term.arguments.begin(), term.arguments.end(), has_variables);
}

bool is_atom(const Term& term) {
  return term.kind == Term::Kind::kFunction || (term.kind == Term::Kind::kPool && !term.text.empty());
}

std::vector<const Term*> alternatives(const Term& atom) {
  std::vector<const Term*> atoms;
  if (atom.kind != Term::Kind::kPool) return {&atom};
  std::transform(atom.arguments.begin(), atom.arguments.end(), std::back_inserter(atoms),
                 [](const Term& part) { return &part; });
  return atoms;
}

std::string signature(const Term& atom) { return fmt::format("{}/{}", atom.text, atom.arguments.size()); }

std::string to_text(const OpenLiteral& literal) {
  if (!literal.comparison.empty()) {
    return fmt::format("{} {} {}", to_text(literal.left), literal.comparison, to_text(literal.right));
  }
  return (literal.positive ? "" : "not ") + to_text(literal.left);
}

std::string to_text(const OpenRule& rule) {
  std::string text = to_text(rule.head);
  for (const OpenLiteral& literal : rule.body) {
    text += (&literal == &rule.body.front() ? " :- " : ", ") + to_text(literal);
  }
  return text;
}

}  // namespace ndnf
