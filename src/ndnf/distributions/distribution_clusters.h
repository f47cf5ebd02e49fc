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

/// Partitions these rows of `targets` into clusters that one distribution each can serve, so that the number
/// of clusters plus the number of their boxes is small. With two actions, it is the minimum over partitions
/// into intervals, if boxes are counted by greedy covers. Per cluster: positions of the scope, ascending.
std::vector<std::vector<std::size_t>> cluster_distributions(const Scope& scope, const Matrix<double>& targets,
                                                            std::span<const std::size_t> rows,
                                                            double epsilon);

}  // namespace ndnf
