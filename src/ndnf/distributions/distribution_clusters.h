#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

/// The conditions for one distribution to be within epsilon of several others and to have their most probable
/// action.
class Envelope {
 public:
  void add(std::span<const double> p);
  void add(const Envelope& other);
  /// A distribution that meets the conditions, near the mean of all that were added; nothing if there is
  /// none. An action that is impossible in one of them (probability 0, as under a shield) is impossible in
  /// it, for any epsilon.
  std::optional<std::vector<double>> centre(double epsilon) const;

 private:
  std::vector<double> least_;  // (A)
  std::vector<double> most_;   // (A)
  std::vector<double> sum_;    // (A)
  std::size_t action_ = 0;     // the most probable one
  bool one_action_ = true;     // all agree on it
};

/// The distribution nearest to q, as KL(t‖q), among those with low ≤ t ≤ high, action by action.
/// REQUIRES: the sum of `low` is at most 1, that of `high` at least 1.
void nearest_between(std::span<const double> low, std::span<const double> high, std::span<const double> q,
                     std::span<double> t);

/// Partitions these rows of `targets` into clusters that one distribution each serves, in time near linear in
/// their number: along a line of similar distributions a cluster ends where the next row does not fit.
std::vector<std::vector<std::size_t>> clusters_in_line(const Matrix<double>& targets,
                                                       std::span<const std::size_t> rows, double epsilon);

/// Partitions these rows of `targets` into clusters that one distribution each serves, so that the number of
/// clusters plus the boxes they need is small: the least for boxes of greedy covers when there are two
/// actions and clusters are intervals. Positions of the scope, rising, per cluster.
std::vector<std::vector<std::size_t>> cluster_distributions(const Scope& scope, const Matrix<double>& targets,
                                                            std::span<const std::size_t> rows,
                                                            double epsilon);

}  // namespace ndnf
