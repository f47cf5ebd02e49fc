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

/// Whether the values of all states at all steps fit into memory, as `climb` needs.
bool can_climb(const DecisionProcess& process);

/// Climbs from `rows` along the exact gradient of the return to a local optimum, or until `max_evaluations`
/// are used up. REQUIRES: can_climb(process).
RatedPolicy climb(const DecisionProcess& process, std::vector<double> rows,
                  std::size_t max_evaluations = 2000);

/// The best of several climbs: from the uniform policy, from `given`, from a mixture of the two and from
/// random policies. REQUIRES: can_climb(process).
RatedPolicy search_locally(const DecisionProcess& process, const std::vector<double>& given);

}  // namespace ndnf
