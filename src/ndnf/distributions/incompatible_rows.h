#pragma once

#include <span>
#include <vector>

#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Observations each of which needs an annotated disjunction of its own in a program of class P within
/// epsilon of the policy: no two distributions are within 2 epsilon of each other, and none is within epsilon
/// of a certain action, for which a plain rule would do. As many as a greedy search finds, ascending.
std::vector<ObsId> incompatible_rows(const PolicyTable& policy, std::span<const ObsId> where, double epsilon);

}  // namespace ndnf
