#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// An ASP term as written. Atoms are terms of kind kFunction, or pools of them.
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

/// The term as written, without spaces; nested operations are parenthesised.
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

/// An atom or a comparison in the body of a rule.
struct OpenLiteral {
  bool positive = true;      ///< Under an even number of `not`; a comparison has none.
  bool binds = true;         ///< Under no `not`: it binds its variables.
  Term left{};               ///< The atom, or the left side.
  std::string comparison{};  ///< `<`, `<=`, `>`, `>=`, `=` or `!=`; empty for an atom.
  Term right{};
};

/// A rule with variables, comparisons, tuples, intervals or arithmetic: clingo has to ground it.
struct OpenRule {
  std::size_t statement = 0;  ///< Its index in the program, where an empty Rule is its placeholder.
  Term head{};
  std::vector<OpenLiteral> body{};
  Place reason{};  ///< What makes it open.

  Place place() const { return head.place; }
};

std::string to_text(const OpenLiteral& literal);
/// Without the final dot.
std::string to_text(const OpenRule& rule);

}  // namespace ndnf
