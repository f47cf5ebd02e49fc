#pragma once

#include "ndnf/mdp/observation_table.h"
#include "ndnf/solvers/solver_text.h"

namespace ndnf {

/// The query to the real ProbLog for the distribution in one observation: the rules, a fact for each atom and
/// a query for each action. With `as_probabilities` facts are written as `1.0::x` and `0.0::y`, as in the
/// authors' code.
SolverText problog_query(const SolverText& rules, const ObservationTable& table, ObsId obs,
                         bool as_probabilities = false);

}  // namespace ndnf
