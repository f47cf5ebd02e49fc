#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// A term of ASP as it is written. Atoms are terms of kind kFunction, or pools of them.
struct Term {
  enum class Kind : std::uint8_t {
    kNumber,     ///< `18`, `-2`; `text` has the digits.
    kQuoted,     ///< `"a text"`; `text` has the quotes too.
    kVariable,   ///< `X`, or `_`, which is another variable each time.
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

/// As it is written, without spaces; every operation within an operation has brackets.
std::string to_text(const Term& term);

/// Whether it is a ground term that stands for itself: no variables, arithmetic, intervals or pools.
bool is_plain(const Term& term);
/// Whether there is a variable in it.
bool has_variables(const Term& term);
/// Calls `visit` with each variable in it, as often as it stands there.
template <class Visit>
void for_each_variable(const Term& term, const Visit& visit) {
  if (term.kind == Term::Kind::kVariable) visit(term);
  for (const Term& argument : term.arguments) for_each_variable(argument, visit);
}
/// A function with or without arguments, or a pool of such: what can be an atom.
bool is_atom(const Term& term);

/// The atoms that an atom stands for: itself, or those of the pool.
std::vector<const Term*> alternatives(const Term& atom);

/// "hand/1" for hand(X). REQUIRES: the term is a function.
std::string signature(const Term& atom);

/// An atom or a comparison in the body of a rule.
struct OpenLiteral {
  bool positive = true;      ///< Under an even number of `not`; a comparison has none.
  bool binds = true;         ///< Under none: its variables get their values here.
  Term left{};               ///< The atom, or the left side.
  std::string comparison{};  ///< `<`, `<=`, `>`, `>=`, `=` or `!=`; empty for an atom.
  Term right{};
};

/// A rule with variables, comparisons, tuples, intervals or arithmetic: clingo has to ground it.
struct OpenRule {
  std::size_t statement = 0;  ///< Its index in the program, where an empty Rule keeps its place.
  Term head{};
  std::vector<OpenLiteral> body{};
  Place reason{};  ///< What makes it open.

  Place place() const { return head.place; }
};

std::string to_text(const OpenLiteral& literal);
/// Without the final dot.
std::string to_text(const OpenRule& rule);

}  // namespace ndnf
