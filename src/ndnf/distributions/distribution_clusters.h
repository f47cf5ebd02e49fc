#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

/// What one distribution must satisfy to be within epsilon of several others, with their most probable
/// action.
class Envelope {
 public:
  void add(std::span<const double> p);
  void add(const Envelope& other);
  /// A distribution that serves them all, near their mean; nothing if there is none. What is impossible
  /// (probability 0, as under a shield) in one of them is so in it, whatever epsilon is.
  std::optional<std::vector<double>> centre(double epsilon) const;

 private:
  std::vector<double> least_;  // (A)
  std::vector<double> most_;   // (A)
  std::vector<double> sum_;    // (A)
  std::size_t action_ = 0;     // the most probable one
  bool one_action_ = true;     // all agree on it
};

/// Partitions these rows of `targets` into clusters that one distribution each serves, so that the number of
/// clusters plus the boxes they need is small: the least for boxes of greedy covers when there are two
/// actions and clusters are intervals. Positions of the scope, rising, per cluster.
std::vector<std::vector<std::size_t>> cluster_distributions(const Scope& scope, const Matrix<double>& targets,
                                                            std::span<const std::size_t> rows,
                                                            double epsilon);

}  // namespace ndnf
