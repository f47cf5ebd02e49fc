#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/boxes/box.h"

namespace ndnf {

/// Finds boxes with a large residual. Let g be the negative gradient and h the curvature of a loss in every
/// observation. A box with weight s lowers the loss by s Σg − s² Σh / 2; with the best s that is half of its
/// *gain* (Σg)² / Σh.
class BoxSearch {
 public:
  /// REQUIRES: the scope outlives the search.
  explicit BoxSearch(const Scope& scope) : scope_(scope) {}

  struct Found {
    Box box;
    double gain = 0;  ///< 0 if no box helps.
  };

  /// The best box of either sign found by climbing from the observations with the largest gradients.
  Found find(std::span<const double> g, std::span<const double> h) const;

  /// Coordinate ascent: improves one group after the other until none can be improved. Only boxes with Σg > 0
  /// count. For one group, with the others fixed, the best set is found exactly: the values with the largest
  /// Σg / Σh.
  Found climb(std::span<const double> g, std::span<const double> h, Box start, std::size_t first_group) const;

 private:
  /// The observations whose value of group g is in the set.
  PositionSet showing_one_of(std::size_t g, const ValueSet& set) const;
  /// The best value set for a group. `open` are the observations that all other groups admit. Returns the
  /// gain, or 0 with the set unchanged if no set has a positive gain.
  double improve(std::span<const double> g, std::span<const double> h, const PositionSet& open,
                 std::size_t group, ValueSet& set) const;

  const Scope& scope_;
};

/// A box with the same observations and few literals: it admits every value that adds no observation.
Box simplified(const Box& box, const Scope& scope);

}  // namespace ndnf
