#pragma once

#include "ndnf/solvers/solver_text.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// The rules of an ASP program for many observations in one call: every atom gets the number of its
/// observation as a last argument, `action(left,O) :- velocity(V,O), V > 18, ndnf_observation(O).` Nothing
/// else changes. Without it, as with a choice of one observation, a solver would combine the values of
/// different observations: a rule over two quantities has a million instances for a thousand observations. An
/// integrity constraint becomes a rule for ndnf_violated(O). REQUIRES: an ASP program.
SolverText indexed_rules(const ParsedProgram& parsed);

}  // namespace ndnf
