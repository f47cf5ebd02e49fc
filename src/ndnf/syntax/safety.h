#pragma once

#include <vector>

#include "ndnf/syntax/term.h"

namespace ndnf {

/// The variables of a rule that nothing gives a value, each where it first stands. A variable has its values
/// from an atom of the body that is not negated, or from an equation whose other side has one; it may stand
/// there within functions, tuples and linear arithmetic (`2*X+1`). `_` in an atom under `not` needs none:
/// `not p(_)` says that no p holds. Nothing that clingo calls unsafe is left out.
std::vector<const Term*> unbound_variables(const OpenRule& rule);

}  // namespace ndnf
