#include "ndnf/solvers/grounding_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

/// Renames variables. Every `_` becomes a new variable.
class Renamer {
 public:
  void rename(Term& term) {
    if (term.kind == Term::Kind::kVariable) term.text = name_of(term.text);
    for (Term& argument : term.arguments) rename(argument);
  }
  Term fresh() { return {Term::Kind::kVariable, fmt::format("V{}", count_++), {}, {}}; }

 private:
  std::string name_of(const std::string& variable) {
    if (variable == "_") return fresh().text;
    const auto [found, added] = names_.try_emplace(variable);
    if (added) found->second = fresh().text;
    return found->second;
  }

  std::map<std::string, std::string> names_;
  std::size_t count_ = 0;
};

bool has_anonymous(const Term& term) {
  if (term.kind == Term::Kind::kVariable) return term.text == "_";
  for (const Term& argument : term.arguments) {
    if (has_anonymous(argument)) return true;
  }
  return false;
}

/// An atom with `_` taken apart: p(X+1,_) has the form p(V0,V1) with V0 = X+1.
struct Projection {
  Renamer names{};
  std::vector<Term> variables{};  ///< Variables of the form that represent terms without `_`,
  std::vector<Term> values{};     ///< and these terms.

  Term form_of(const Term& term) {
    if (!has_anonymous(term)) {
      values.push_back(term);
      return variables.emplace_back(names.fresh());
    }
    if (term.kind == Term::Kind::kVariable) return names.fresh();
    Term form{term.kind, term.text, {}, {}};
    for (const Term& argument : term.arguments) form.arguments.push_back(form_of(argument));
    return form;
  }
};

Term function(std::string_view name, std::size_t number) {
  return {
      Term::Kind::kFunction, std::string(name), {{Term::Kind::kNumber, std::to_string(number), {}, {}}}, {}};
}

OpenLiteral mark(std::size_t statement) {
  return {true, true, function(GroundingText::kMark, statement), "", {}};
}

}  // namespace

GroundingText::GroundingText(const ParsedProgram& parsed, const Vocabulary& vocabulary,
                             const std::vector<const Term*>& unevaluated)
    : parsed_(parsed) {
  for (const OpenRule& rule : parsed_.open) add_rule(rule);
  for (std::size_t k = 0; k < unevaluated.size(); ++k) {
    Term value = function(kValue, k);
    value.arguments.push_back(*unevaluated[k]);
    add_line({0, std::move(value), {mark(parsed_.program.statements.size())}, {}}, nullptr);
  }
  add_ground_rules();
  add_observations(vocabulary);
}

const OpenRule* GroundingText::rule_in_line(std::size_t line) const {
  return line == 0 || line > lines_.size() ? nullptr : lines_[line - 1];
}

void GroundingText::add_line(const OpenRule& printed, const OpenRule* rule) {
  text_.add(printed);
  lines_.push_back(rule);
}

void GroundingText::add_rule(const OpenRule& rule) {
  OpenRule printed = rule;
  for (OpenLiteral& literal : printed.body) {
    if (!literal.positive && has_anonymous(literal.left)) project(literal, rule);
  }
  Renamer names;
  names.rename(printed.head);
  for (OpenLiteral& literal : printed.body) {
    names.rename(literal.left);
    names.rename(literal.right);
  }
  printed.body.push_back(mark(rule.statement));
  add_line(printed, &rule);
}

/// not p(t,_) becomes not ndnf_some(K,t) with ndnf_some(K,V0) :- p(V0,V1).
void GroundingText::project(OpenLiteral& literal, const OpenRule& rule) {
  Projection projection;
  Term head = function(kSome, projections_++);
  Term some = head;
  const OpenLiteral form{true, true, projection.form_of(literal.left), "", {}};
  std::move(projection.variables.begin(), projection.variables.end(), std::back_inserter(head.arguments));
  std::move(projection.values.begin(), projection.values.end(), std::back_inserter(some.arguments));
  literal.left = std::move(some);
  add_line({0, std::move(head), {form}, {}}, &rule);
}

/// Their own instances are not needed, so they share one mark.
void GroundingText::add_ground_rules() {
  const SolverText shared = SolverText().add("ndnf_rule({})", parsed_.program.statements.size());
  for (const Statement& statement : parsed_.program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule != nullptr && !rule->heads.empty()) text_.add_rule(*rule, shared);
  }
}

void GroundingText::add_observations(const Vocabulary& vocabulary) {
  text_.add("#external ndnf_rule(0..{}).\n", parsed_.program.statements.size());
  for (AtomId atom = 0; atom < vocabulary.atom_count(); ++atom) {
    text_.add("#external ").add_atom(vocabulary, atom).add(".\n");
  }
}

}  // namespace ndnf
