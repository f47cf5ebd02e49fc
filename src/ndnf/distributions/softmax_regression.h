#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// Find W such that softmax(X W) is within `tolerance` of every target distribution, for each action. The
/// loss of an observation is the minimum of KL(t‖q) over the distributions t that are within tolerance of its
/// target. It is 0 where q is close enough, so targets of 0 and 1 do not drive weights to infinity. With
/// tolerance 0 it is KL(p‖q), the usual regression. Convex for two actions, and for any number with tolerance
/// 0.
struct SoftmaxProblem {
  const Matrix<double>& features;      // X (n, k); a column of ones is the bias
  const Matrix<double>& targets;       // P (n, A), rows sum to 1
  std::span<const double> importance;  // (n), the weight of each observation
  double tolerance = 0;
};

struct SoftmaxSolver {
  std::size_t max_steps = 30;
  double min_decrease = 1e-6;  ///< Stops when a step reduces the loss by less than this fraction.
  double ridge = 1e-9;         ///< Keeps the Hessian positive definite if features are dependent.
  /// What observations within tolerance add to the curvature: without it a step would push them out again.
  double slack_curvature = 0.1;
};

/// Damped Newton steps from W (k, A), the warm start. Each step is solved by preconditioned conjugate
/// gradients; the preconditioner is the part of the curvature that all actions share, which is exact for two
/// actions. Returns the loss.
double fit_softmax(const SoftmaxProblem& problem, const SoftmaxSolver& solver, Matrix<double>& W);

/// softmax(X W), (n, A).
Matrix<double> softmax_rows(const Matrix<double>& X, const Matrix<double>& W);

/// The distribution t that minimises KL(t‖q) subject to low ≤ t ≤ high for each action.
/// REQUIRES: the sum of `low` is at most 1, that of `high` at least 1.
void nearest_between(std::span<const double> low, std::span<const double> high, std::span<const double> q,
                     std::span<double> t);

/// The distance between two tables of distributions.
struct Distance {
  double max_dp = 0;   ///< The largest |p − q| of any row and action.
  double mean_kl = 0;  ///< Mean KL(p‖q) over the rows.
};
Distance distance(const Matrix<double>& p, const Matrix<double>& q);

}  // namespace ndnf
