#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/boxes/box.h"

namespace ndnf {

/// Finds boxes where a residual piles up. With slope g and curvature h of a loss in every observation, a box
/// with weight s lowers the loss by s Σg − s² Σh / 2; at the best s that is half its *gain* (Σg)² / Σh.
class BoxSearch {
 public:
  /// REQUIRES: the scope outlives the search.
  explicit BoxSearch(const Scope& scope) : scope_(scope) {}

  struct Found {
    Box box;
    double gain = 0;  ///< 0 if no box helps.
  };

  /// The best box of both signs that climbing finds, from the observations with the largest slopes.
  Found find(std::span<const double> g, std::span<const double> h) const;

  /// Improves one group after the other until none can be improved, only ever counting boxes with Σg > 0.
  /// For one group, the others fixed, the best set is exact: the values with the largest Σg / Σh.
  Found climb(std::span<const double> g, std::span<const double> h, Box start, std::size_t first_group) const;

 private:
  /// The observations whose value of group g is in the set.
  PositionSet showing_one_of(std::size_t g, const ValueSet& set) const;
  /// The best set for a group, given the observations that only this group can keep out of the box. Returns
  /// the gain; 0, and the set as it was, if there is none.
  double improve(std::span<const double> g, std::span<const double> h, const PositionSet& open,
                 std::size_t group, ValueSet& set) const;

  const Scope& scope_;
};

/// A box of the same observations that needs few literals: it takes in every value that adds none.
Box simplified(const Box& box, const Scope& scope);

}  // namespace ndnf
