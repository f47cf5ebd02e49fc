#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/optimum/decision_process.h"

namespace ndnf {

/// A memoryless policy and its exact return.
struct RatedPolicy {
  std::vector<double> rows;  ///< (slots, actions)
  double value = 0;
};

/// Whether `climb` can hold the values of all states at all steps in memory.
bool can_climb(const DecisionProcess& process);

/// Climbs from `rows` along the exact gradient of the return to a local optimum, or as far as
/// `max_evaluations` lead. REQUIRES: can_climb(process).
RatedPolicy climb(const DecisionProcess& process, std::vector<double> rows,
                  std::size_t max_evaluations = 2000);

/// The best of several climbs: from the uniform policy, from `given`, from between them and from random
/// policies. REQUIRES: can_climb(process).
RatedPolicy search_locally(const DecisionProcess& process, const std::vector<double>& given);

}  // namespace ndnf
