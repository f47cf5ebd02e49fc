#pragma once

#include "ndnf/mdp/observation_table.h"
#include "ndnf/solvers/solver_text.h"

namespace ndnf {

/// What the real ProbLog is asked for the distribution in one observation: the rules, a fact for each atom
/// and a query for each action. `as_probabilities` gives facts as `1.0::x` and `0.0::y`, as the authors' code
/// does.
SolverText problog_query(const SolverText& rules, const ObservationTable& table, ObsId obs,
                         bool as_probabilities = false);

}  // namespace ndnf
