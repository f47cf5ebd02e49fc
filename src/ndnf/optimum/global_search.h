#pragma once

#include <span>

#include "ndnf/optimum/decision_process.h"
#include "ndnf/optimum/local_search.h"

namespace ndnf {

/// The best memoryless policy found, and an upper bound for all memoryless policies.
struct GlobalOptimum {
  RatedPolicy best;
  double bound;
};

/// Whether `search_globally` applies: a step limit, two actions, and few enough observations to branch on
/// their probabilities.
bool can_search_globally(const DecisionProcess& process);

/// An upper bound on the returns of all policies whose probabilities of the first action lie, slot by slot,
/// between `low` and `high`: the bound that the search prunes with. REQUIRES: can_search_globally(process).
double bound_return(const DecisionProcess& process, std::span<const double> low,
                    std::span<const double> high);

/// Branch and bound over the probabilities of the first action until bound − value ≤ `tolerance` or the work
/// limit is reached. REQUIRES: can_search_globally(process).
GlobalOptimum search_globally(const DecisionProcess& process, double tolerance);

}  // namespace ndnf
