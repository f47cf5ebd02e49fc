#pragma once

#include <vector>

#include "ndnf/syntax/term.h"

namespace ndnf {

/// The unsafe variables of a rule, each at its first occurrence. A variable is safe if it occurs in a
/// positive body atom, or in an equation whose other side is safe; there it may be within functions, tuples
/// and linear arithmetic (`2*X+1`). `_` in an atom under `not` is always safe: `not p(_)` says that no p
/// holds. A variable that occurs only in an element of an aggregate or in a conditional literal belongs to
/// that alone, and its conditions must bind it; `X = #sum{…}` binds X. Every variable that clingo calls
/// unsafe is reported.
std::vector<const Term*> unbound_variables(const OpenRule& rule);

/// The same for ProbLog, which reads bodies from left to right: a positive atom, `X is …` and an equation
/// bind their variables; a comparison, a negation and the head need theirs bound before, in each alternative
/// body. In an annotated rule all variables must be bound in each of them.
std::vector<const Term*> unbound_in_order(const OpenRule& rule);

}  // namespace ndnf
