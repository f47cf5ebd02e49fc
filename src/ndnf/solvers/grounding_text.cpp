#include "ndnf/solvers/grounding_text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/syntax/body_parser.h"
#include "ndnf/syntax/comparison_atom.h"

namespace ndnf {
namespace {

/// Renames variables. Every `_` becomes a new variable.
class Renamer {
 public:
  void rename(OpenRule& rule) {
    rename(rule.head);
    for (OpenHead& head : rule.choice) rename(head.atom);
    for_each_body(rule, [&](OpenBody& body) {
      for (OpenLiteral& literal : body) for_each_term(literal, [&](Term& term) { rename(term); });
    });
  }
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

OpenLiteral literal_of(Term atom) { return {true, true, std::move(atom), "", {}}; }

OpenLiteral mark(std::size_t statement) { return literal_of(function(GroundingText::kMark, statement)); }

/// t ** 1, which has a value only if t is a number.
Term as_number(Term term) {
  const Place place = term.place;
  return {Term::Kind::kOperation, "**", {std::move(term), {Term::Kind::kNumber, "1", {}, {}}}, place};
}

/// ProbLog's comparisons in ASP's way.
void translate(OpenLiteral& literal) {
  if (!literal.is_comparison()) return;
  if (is_arithmetic(literal.comparison)) {
    if (literal.comparison != "is") literal.left = as_number(std::move(literal.left));
    literal.right = as_number(std::move(literal.right));
  }
  literal.comparison = asp_comparison(literal.comparison);
}

/// The variables of a rule's bodies, in order of appearance.
Term variables_of(const OpenRule& rule) {
  Term all{Term::Kind::kTuple, "", {}, {}};
  std::set<std::string> seen;
  for_each_body(rule, [&](const OpenBody& body) {
    for (const OpenLiteral& literal : body) {
      for_each_term(literal, [&](const Term& term) {
        for_each_variable(term, [&](const Term& variable) {
          if (seen.insert(variable.text).second) all.arguments.push_back(variable);
        });
      });
    }
  });
  return all;
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
  for_each_body(printed, [&](OpenBody& body) {
    for (OpenLiteral& literal : body) {
      for_each_atom(literal, [&](OpenLiteral& atom) {
        if (!atom.positive && has_anonymous(atom.left)) project(atom, rule);
      });
      if (parsed_.program.syntax == Syntax::kProbLog) translate(literal);
    }
  });
  Renamer().rename(printed);
  for_each_body(printed, [&](const OpenBody& body) { add_comparisons(body, rule); });
  if (!printed.choice.empty()) return add_choice(std::move(printed), rule);
  for_each_body(printed, [&](OpenBody& body) {
    body.push_back(mark(rule.statement));
    add_line({0, printed.head, std::move(body), {}}, &rule);
  });
}

/// Each comparison of quantities may hold, for all values of its variables that the rest of the body allows.
void GroundingText::add_comparisons(const OpenBody& body, const OpenRule& rule) {
  OpenBody rest;
  std::copy_if(body.begin(), body.end(), std::back_inserter(rest), [](const OpenLiteral& literal) {
    return literal.binds && !(literal.is_plain_atom() && is_comparison(to_text(literal.left)));
  });
  rest.push_back(mark(parsed_.program.statements.size()));
  for (const OpenLiteral& literal : body) {
    if (literal.is_plain_atom() && is_comparison(to_text(literal.left)))
      add_line({0, literal.left, rest, {}}, &rule);
  }
}

/// Each substitution is a choice of its own, whose bodies may be several. Its heads may hold.
void GroundingText::add_choice(OpenRule printed, const OpenRule& rule) {
  Term choice = function(kChoice, rule.statement);
  choice.arguments.push_back(variables_of(printed));
  for (const OpenHead& head : printed.choice) choice.arguments.push_back(head.atom);
  for (const OpenHead& head : printed.choice) {
    add_line({0, head.atom, {literal_of(choice), mark(parsed_.program.statements.size())}, {}}, &rule);
  }
  for_each_body(printed, [&](OpenBody& body) {
    body.push_back(mark(rule.statement));
    add_line({0, choice, std::move(body), {}}, &rule);
  });
}

/// not p(t,_) becomes not ndnf_some(K,t) with ndnf_some(K,V0) :- p(V0,V1).
void GroundingText::project(OpenLiteral& literal, const OpenRule& rule) {
  Projection projection;
  Term head = function(kSome, projections_++);
  Term some = head;
  const OpenLiteral form = literal_of(projection.form_of(literal.left));
  std::move(projection.variables.begin(), projection.variables.end(), std::back_inserter(head.arguments));
  std::move(projection.values.begin(), projection.values.end(), std::back_inserter(some.arguments));
  literal.left = std::move(some);
  add_line({0, std::move(head), {form}, {}}, &rule);
}

/// Their own instances are not needed, so they share one mark.
void GroundingText::add_ground_rules() {
  const SolverText shared = SolverText().add("ndnf_rule({})", parsed_.program.statements.size());
  for (const Statement& statement : parsed_.program.statements) {
    const Rule* written = std::get_if<Rule>(&statement.content);
    if (written == nullptr || written->heads.empty()) continue;
    Rule rule = *written;  // comparisons of quantities may hold or not
    std::erase_if(rule.body, [](const BodyLiteral& literal) { return is_comparison(literal.atom); });
    if (parsed_.program.syntax == Syntax::kAsp) {
      text_.add_rule(rule, shared);
    } else {
      text_.add_certain(rule, shared);
    }
  }
}

void GroundingText::add_observations(const Vocabulary& vocabulary) {
  text_.add("#external ndnf_rule(0..{}).\n", parsed_.program.statements.size());
  for (AtomId atom = 0; atom < vocabulary.atom_count(); ++atom) {
    text_.add("#external ").add_atom(vocabulary, atom).add(".\n");
  }
}

}  // namespace ndnf
