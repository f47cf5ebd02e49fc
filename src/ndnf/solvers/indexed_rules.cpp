#include "ndnf/solvers/indexed_rules.h"

#include <set>
#include <string>
#include <utility>

#include "ndnf/syntax/term_parser.h"

namespace ndnf {
namespace {

Term parsed_atom(const std::string& atom) {
  TokenStream tokens(atom, Syntax::kAsp);
  return TermParser(tokens).atom("an atom");
}

/// A ground rule as an open one.
OpenRule opened(const Rule& rule) {
  OpenRule open;
  open.head = parsed_atom(rule.heads.front().atom);
  for (const BodyLiteral& literal : rule.body) {
    open.body.push_back({literal.positive, literal.positive, parsed_atom(literal.atom), "", {}});
  }
  return open;
}

/// A variable that the rule does not use.
Term fresh_variable(const OpenRule& rule) {
  std::set<std::string> used;
  const auto collect = [&](const Term& term) {
    for_each_variable(term, [&](const Term& variable) { used.insert(variable.text); });
  };
  collect(rule.head);
  for (const OpenLiteral& literal : rule.body) for_each_term(literal, collect);
  Term variable{Term::Kind::kVariable, "O", {}, {}};
  while (used.contains(variable.text)) variable.text += '_';
  return variable;
}

void index(Term& atom, const Term& observation) {
  if (atom.kind == Term::Kind::kPool) {
    for (Term& one : atom.arguments) one.arguments.push_back(observation);
  } else {
    atom.arguments.push_back(observation);
  }
}

OpenRule indexed(OpenRule rule) {
  const Term observation = fresh_variable(rule);
  if (rule.head.text == kConstraint) rule.head = {Term::Kind::kFunction, "ndnf_violated", {}, {}};
  index(rule.head, observation);
  for (OpenLiteral& literal : rule.body) {
    for_each_atom(literal, [&](OpenLiteral& atom) { index(atom.left, observation); });
  }
  Term domain{Term::Kind::kFunction, "ndnf_observation", {observation}, {}};
  rule.body.insert(rule.body.begin(), OpenLiteral{true, true, std::move(domain), "", {}});
  return rule;
}

}  // namespace

SolverText indexed_rules(const ParsedProgram& parsed) {
  SolverText text;
  for (const OpenRule& rule : parsed.open) text.add(indexed(rule));
  for (const Statement& statement : parsed.program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule != nullptr && !rule->heads.empty()) text.add(indexed(opened(*rule)));
  }
  return text;
}

}  // namespace ndnf
