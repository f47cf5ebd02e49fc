#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Rows that differ by at most this are unchanged: networks and softmax differ by rounding for the same
/// numbers.
inline constexpr double kSameProbability = 1e-9;

/// An observation in which two policies differ.
struct ChangedObservation {
  ObsId obs = 0;
  double max_dp = 0;       ///< The largest difference of an action's probability.
  bool reachable = false;  ///< By some policy.
  bool visited_a = false;
  bool visited_b = false;
  double visits_b = 0;  ///< Expected decisions in it under B.
  /// The contribution of this change to the return of B minus that of A: expected visits under B, step by
  /// step, times the advantage of B's row over A's if A continues; discounted as the returns are. Nothing if
  /// a policy has no return, or A would have none where only B gets to.
  std::optional<double> contribution;
};

struct PolicyDiff {
  std::size_t observations = 0;     ///< Compared: those of decision states.
  std::size_t within_rounding = 0;  ///< Of these: differ, but by no more than kSameProbability.
  /// Largest contribution first, then by visits under B and number.
  std::vector<ChangedObservation> changed;
  std::optional<double> return_a;  ///< Nothing if there is none (Evaluation).
  std::optional<double> return_b;
  bool endless_a = false;  ///< There is none because an episode may never end.
  bool endless_b = false;
};

/// Compares two policies (apply `select` first) row by row and attributes the change of return to
/// observations: the contributions sum to return_b − return_a.
PolicyDiff diff_policies(const FiniteModel& model, const PolicyTable& a, const PolicyTable& b);

}  // namespace ndnf
