#pragma once

#include <cstddef>

#include "ndnf/mdp/decision_process.h"
#include "ndnf/mdp/local_search.h"

namespace ndnf {

/// The best memoryless policy found, and a bound that no memoryless policy exceeds.
struct GlobalOptimum {
  RatedPolicy best;
  double bound;
};

/// Whether `search_globally` applies: two actions, and few enough observations to branch on their
/// probabilities.
bool can_search_globally(const DecisionProcess& process);

/// Branch and bound over the probabilities of the first action until bound − value ≤ `tolerance` or the work
/// limit is reached. REQUIRES: can_search_globally(process).
GlobalOptimum search_globally(const DecisionProcess& process, double tolerance);

}  // namespace ndnf
