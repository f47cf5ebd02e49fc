#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// A term as written. Atoms are terms of kind kFunction, or pools of them.
struct Term {
  enum class Kind : std::uint8_t {
    kNumber,     ///< `18`, `-2`; `text` has the digits.
    kQuoted,     ///< `"a text"`; `text` has the quotes too.
    kVariable,   ///< `X`, or `_`, which is a new variable each time.
    kFunction,   ///< `f(1,X)`; without arguments a constant, `red`.
    kTuple,      ///< `(1,X)`, `(1,)`, `()`.
    kNegative,   ///< `-t`.
    kAbsolute,   ///< `|t|`.
    kOperation,  ///< `t+t`; `text` is the operator. Intervals are operations, too.
    kPool,       ///< `(1;2)`; or `p(1;2)`, the pool of p(1) and p(2), with p as `text`.
  };
  Kind kind = Kind::kNumber;
  std::string text{};
  std::vector<Term> arguments{};
  Place place{};
};

/// The term as written, without spaces; nested operations are parenthesised, except products in sums.
std::string to_text(const Term& term);

/// Whether it is a ground term that is its own value: no variables, arithmetic, intervals or pools.
bool is_plain(const Term& term);
/// Whether it contains a variable.
bool has_variables(const Term& term);
/// Calls `visit` for each occurrence of a variable.
template <class Visit>
void for_each_variable(const Term& term, const Visit& visit) {
  if (term.kind == Term::Kind::kVariable) visit(term);
  for (const Term& argument : term.arguments) for_each_variable(argument, visit);
}
/// Whether the term can be an atom: a function with or without arguments, or a pool of such.
bool is_atom(const Term& term);

/// The alternatives of an atom: itself, or the members of the pool.
std::vector<const Term*> alternatives(const Term& atom);

/// "hand/1" for hand(X). REQUIRES: the term is a function.
std::string signature(const Term& atom);

/// What the body of a rule consists of: an atom, a comparison, a conditional literal or an aggregate.
struct OpenLiteral {
  /// An element of an aggregate, `X,Y : p(X), not q(Y)`, or a condition of a conditional literal (no terms).
  struct Element {
    std::vector<Term> terms;
    std::vector<OpenLiteral> condition;
  };
  bool positive = true;      ///< Under an even number of `not`; a comparison has none.
  bool binds = true;         ///< Under no `not`: it binds its variables.
  Term left{};               ///< The atom, or the left side.
  std::string comparison{};  ///< As written in the language; in ASP `<`, `<=`, `>`, `>=`, `=` or `!=`.
  Term right{};
  /// `#count`, `#sum`, `#sum+`, `#min` or `#max`; `:` for a conditional literal, whose first part is above;
  /// otherwise empty. The guards of an aggregate are `left comparison` before it and `upper right` after it.
  std::string aggregate{};
  std::string upper{};  ///< The comparison between an aggregate and `right`; empty without one.
  /// Of an aggregate; for a conditional literal its conditions, of which one must hold.
  std::vector<Element> elements{};

  bool is_aggregate() const { return !aggregate.empty() && aggregate != ":"; }
  bool is_conditional() const { return aggregate == ":"; }
  bool is_comparison() const { return !is_aggregate() && !comparison.empty(); }
  /// An atom on its own, negated or not.
  bool is_plain_atom() const { return aggregate.empty() && comparison.empty(); }
};

/// Calls `visit` for each term of a literal, those of its elements included. Literal may be const.
template <class Literal, class Visit>
void for_each_term(Literal& literal, const Visit& visit) {
  visit(literal.left);
  visit(literal.right);
  for (auto& element : literal.elements) {
    for (auto& term : element.terms) visit(term);
    for (auto& inner : element.condition) for_each_term(inner, visit);
  }
}

/// Calls `visit` for each atom of a literal, with the literal of which it is the left side.
template <class Literal, class Visit>
void for_each_atom(Literal& literal, const Visit& visit) {
  if (!literal.is_aggregate() && literal.comparison.empty()) visit(literal);
  for (auto& element : literal.elements) {
    for (auto& inner : element.condition) for_each_atom(inner, visit);
  }
}

/// A head of a rule with its probability.
struct OpenHead {
  Term atom;
  double probability = 1;
};

using OpenBody = std::vector<OpenLiteral>;

/// A rule that has to be grounded: with variables, comparisons, intervals, arithmetic, conditional literals,
/// aggregates or disjunctions.
struct OpenRule {
  std::size_t statement = 0;  ///< Its index in the program, where an empty Rule is its placeholder.
  Term head{};
  OpenBody body{};
  Place reason{};                        ///< What makes it open.
  std::vector<OpenHead> choice{};        ///< ProbLog: the heads of an annotated rule, `head` among them.
  std::vector<OpenBody> other_bodies{};  ///< ProbLog: `body ; other ; other`.

  Place place() const { return head.place; }
};

/// Calls `visit` for each body of the rule.
template <class Rule, class Visit>
void for_each_body(Rule& rule, const Visit& visit) {
  visit(rule.body);
  for (auto& body : rule.other_bodies) visit(body);
}

/// The heads of a rule: its alternatives, members of pools; none for an integrity constraint.
std::vector<const Term*> heads(const OpenRule& rule);

/// The head of an integrity constraint, which has none: a reserved name, never printed.
inline constexpr std::string_view kConstraint = "ndnf_constraint";

std::string to_text(const OpenLiteral& literal, Syntax syntax = Syntax::kAsp);
/// Without the final dot.
std::string to_text(const OpenRule& rule, Syntax syntax = Syntax::kAsp);

}  // namespace ndnf
