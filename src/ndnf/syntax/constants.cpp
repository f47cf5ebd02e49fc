#include "ndnf/syntax/constants.h"

#include <fmt/format.h>

#include "ndnf/syntax/term_parser.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {

Constants::Constants(std::string_view program) {
  if (program.find("#const") == std::string_view::npos) return;
  for (TokenStream tokens(program, Syntax::kAsp); !tokens.is(TokenKind::kEnd); tokens.take()) {
    if (!tokens.is(TokenKind::kDirective) || tokens.token().text != "#const") continue;
    try {
      tokens.take();
      const std::string name(tokens.token().text);
      tokens.take();
      tokens.expect("=", "=");
      values_.emplace(name, TermParser(tokens).term("a term"));
    } catch (const Wrong&) {  // the parser reports it
    }
  }
}

bool Constants::apply(Term& term) const { return !values_.empty() && apply(term, 0); }

bool Constants::apply_to_arguments(Term& atom) const {
  bool changed = false;
  for (Term& argument : atom.arguments) {
    changed |= atom.kind == Term::Kind::kPool ? apply_to_arguments(argument) : apply(argument);
  }
  return changed;
}

bool Constants::apply(OpenLiteral& literal) const {
  const bool atom = !literal.is_aggregate() && literal.comparison.empty();
  bool changed = atom ? apply_to_arguments(literal.left) : apply(literal.left);
  changed |= apply(literal.right);
  for (OpenLiteral::Element& element : literal.elements) {
    for (Term& term : element.terms) changed |= apply(term);
    for (OpenLiteral& inner : element.condition) changed |= apply(inner);
  }
  return changed;
}

bool Constants::apply(Term& term, std::size_t depth) const {
  if (term.kind == Term::Kind::kFunction && term.arguments.empty()) {
    const auto found = values_.find(term.text);
    if (found == values_.end()) return false;
    if (depth > values_.size()) {
      throw Wrong{term.place,
                  fmt::format("the constant {} is defined by itself, expected a value", term.text)};
    }
    const Place place = term.place;
    term = found->second;
    term.place = place;
    apply(term, depth + 1);
    return true;
  }
  bool changed = false;
  for (Term& argument : term.arguments) changed |= apply(argument, depth);
  return changed;
}

}  // namespace ndnf
