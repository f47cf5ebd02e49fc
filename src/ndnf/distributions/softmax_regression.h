#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// Find W such that softmax(X W) comes within `tolerance` of every target distribution, action by action.
/// The loss of an observation is the least KL(t‖q) over the distributions t that are within tolerance of its
/// target: 0 where q is good enough, so that targets of 0 and 1 do not drive weights to infinity. With
/// tolerance 0 it is KL(p‖q), the usual regression. Convex for two actions, and for any with tolerance 0.
struct SoftmaxProblem {
  const Matrix<double>& features;      // X (n, k); a column of ones is the bias
  const Matrix<double>& targets;       // P (n, A), rows sum to 1
  std::span<const double> importance;  // (n), the weight of each observation
  double tolerance = 0;
};

struct SoftmaxSolver {
  std::size_t max_steps = 30;
  double min_decrease = 1e-6;  ///< Stops when a step lowers the loss by less than this part of it.
  double ridge = 1e-9;         ///< Keeps the curvature positive where features depend on each other.
  /// What observations that are good enough add to the curvature: without it a step would throw them out.
  double slack_curvature = 0.1;
};

/// Damped Newton steps from W (k, A), the warm start. Each step is solved by conjugate gradients with the
/// curvature that all actions share as preconditioner, which is exact for two actions. Returns the loss.
double fit_softmax(const SoftmaxProblem& problem, const SoftmaxSolver& solver, Matrix<double>& W);

/// softmax(X W), (n, A).
Matrix<double> softmax_rows(const Matrix<double>& X, const Matrix<double>& W);

/// The distribution nearest to q, as KL(t‖q), among those with low ≤ t ≤ high, action by action.
/// REQUIRES: the sum of `low` is at most 1, that of `high` at least 1.
void nearest_between(std::span<const double> low, std::span<const double> high, std::span<const double> q,
                     std::span<double> t);

/// How far two tables of distributions are apart.
struct Distance {
  double max_dp = 0;   ///< The largest |p − q| of any action.
  double mean_kl = 0;  ///< KL(p‖q), the mean over rows.
};
Distance distance(const Matrix<double>& p, const Matrix<double>& q);

}  // namespace ndnf
