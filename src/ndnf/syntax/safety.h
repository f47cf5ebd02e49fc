#pragma once

#include <vector>

#include "ndnf/syntax/term.h"

namespace ndnf {

/// The unsafe variables of a rule, each at its first occurrence. A variable is safe if it occurs in a
/// positive body atom, or in an equation whose other side is safe; there it may be within functions, tuples
/// and linear arithmetic (`2*X+1`). `_` in an atom under `not` is always safe: `not p(_)` says that no p
/// holds. Every variable that clingo calls unsafe is reported.
std::vector<const Term*> unbound_variables(const OpenRule& rule);

}  // namespace ndnf
