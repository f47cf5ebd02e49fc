#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"

namespace ndnf {

/// Covers observations with boxes that contain nothing else of the scope. Boxes are given by their members.
class GreedyBoxes {
 public:
  /// REQUIRES: the scope outlives this.
  explicit GreedyBoxes(const Scope& scope);

  /// The members of a box around `seed` within `allowed`. Observations are added in this order, each if the
  /// box stays within `allowed`. The result is valid until the next call.
  /// REQUIRES: `allowed` contains the seed and all of `order`.
  const PositionSet& grow(std::size_t seed, std::span<const std::size_t> order, const PositionSet& allowed);

  /// The number of boxes in a greedy cover of the positions (ascending), each box grown from the first
  /// position not yet covered.
  std::size_t cover_size(std::span<const std::size_t> positions);

 private:
  void absorb(std::size_t position, const PositionSet& allowed);

  const Scope& scope_;
  std::vector<PositionSet> by_group_;  // what each group of the box admits
  std::vector<PositionSet> wider_;     // the same with one more observation
  PositionSet members_;
  PositionSet wider_members_;
};

}  // namespace ndnf
