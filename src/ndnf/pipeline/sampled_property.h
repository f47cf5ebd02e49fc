#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/properties/property.h"
#include "ndnf/verify/check.h"

namespace ndnf {

/// How statements about episodes are sampled where there is no finite model.
struct PropertySampling {
  std::size_t episodes = 10000;
  std::uint64_t seed = 0;
};

/// Statements about the episodes of a task without a finite model, from the same sampled episodes. A verdict
/// needs an interval that contains the value with 99 % confidence to lie on one side of the bound; otherwise
/// it is undecided. Probabilities: Chernoff's bound, which is exact for every sample size and tighter than
/// Hoeffding's; lengths: Hoeffding's; returns, whose range is unknown: the normal approximation. The
/// probability that *all* intervals are right is lower; each says its own. All fail if the policy is
/// undefined in an observation that it meets.
std::vector<CheckResult> check_by_sampling(const Task& task, const Policy& policy, const Selection& selection,
                                           const std::vector<Property>& properties,
                                           const PropertySampling& sampling);

/// The interval of probabilities p for which `count` of `total` is not less likely than the bound
/// exp(−total · KL(count / total, p)) = (1 − confidence) / 2 allows.
struct Interval {
  double low = 0;
  double high = 1;
};
Interval chernoff_interval(std::size_t count, std::size_t total, double confidence);

}  // namespace ndnf
