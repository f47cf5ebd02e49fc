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

/// The left or right side of + and -: products need no brackets, nor do sums on the left.
std::string summand_text(const Term& term, bool left) {
  const bool plain = term.text == "*" || (left && (term.text == "+" || term.text == "-"));
  return term.kind == Term::Kind::kOperation && plain ? to_text(term) : operand_text(term);
}

std::string operation_text(const Term& term) {
  const bool sum = term.text == "+" || term.text == "-";
  const Term& left = term.arguments[0];
  const Term& right = term.arguments[1];
  if (!sum) return operand_text(left) + term.text + operand_text(right);
  return summand_text(left, true) + term.text + summand_text(right, false);
}

std::string negation(const OpenLiteral& literal, Syntax syntax) {
  if (literal.positive) return "";  // `not not p` holds where p does
  return syntax == Syntax::kAsp ? "not " : "\\+ ";
}

/// A body. A condition ends with a semicolon, so semicolons separate what follows it.
std::string joined(const OpenBody& body, Syntax syntax) {
  std::string text;
  for (const OpenLiteral& literal : body) {
    if (&literal != &body.front()) text += (&literal - 1)->is_conditional() ? "; " : ", ";
    text += to_text(literal, syntax);
  }
  return text;
}

std::string aggregate_text(const OpenLiteral& literal, Syntax syntax) {
  std::string text = negation(literal, syntax);
  if (!literal.comparison.empty()) text += fmt::format("{} {} ", to_text(literal.left), literal.comparison);
  text += literal.aggregate + " { ";
  for (const OpenLiteral::Element& element : literal.elements) {
    if (&element != &literal.elements.front()) text += "; ";
    text += joined(element.terms, ",");
    if (!element.condition.empty() || element.terms.empty())
      text += " : " + joined(element.condition, syntax);
  }
  text += " }";
  if (!literal.upper.empty()) text += fmt::format(" {} {}", literal.upper, to_text(literal.right));
  return text;
}

std::string head_text(const OpenRule& rule) {
  if (rule.head.text == kConstraint) return "";
  if (rule.choice.empty()) return to_text(rule.head);
  Rule heads;
  for (const OpenHead& head : rule.choice) {
    heads.heads.push_back({to_text(head.atom), head.probability, true, {}});
  }
  return to_text(heads, Syntax::kProbLog);
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
      return operation_text(term);
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

std::vector<const Term*> heads(const OpenRule& rule) {
  if (rule.head.text == kConstraint) return {};
  if (rule.choice.empty()) return alternatives(rule.head);
  std::vector<const Term*> all;
  for (const OpenHead& head : rule.choice) all.push_back(&head.atom);
  return all;
}

std::string to_text(const OpenLiteral& literal, Syntax syntax) {
  if (literal.is_aggregate()) return aggregate_text(literal, syntax);
  std::string text = literal.comparison.empty() ? negation(literal, syntax) + to_text(literal.left)
                                                : fmt::format("{} {} {}", to_text(literal.left),
                                                              literal.comparison, to_text(literal.right));
  for (const OpenLiteral::Element& element : literal.elements) {
    text += " : " + joined(element.condition, syntax);
  }
  return text;
}

std::string to_text(const OpenRule& rule, Syntax syntax) {
  std::string text = head_text(rule);
  std::string_view separator = rule.head.text == kConstraint ? ":- " : " :- ";
  for_each_body(rule, [&](const OpenBody& body) {
    if (body.empty()) return;
    text += separator;
    text += joined(body, syntax);
    separator = " ; ";
  });
  return text;
}

}  // namespace ndnf
