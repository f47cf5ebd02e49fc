#include "ndnf/boxes/greedy_boxes.h"

#include <algorithm>
#include <utility>

namespace ndnf {

GreedyBoxes::GreedyBoxes(const Scope& scope)
    : scope_(scope),
      by_group_(scope.vocabulary().group_count(), PositionSet(scope.size())),
      wider_(by_group_),
      members_(scope.size()) {}

const PositionSet& GreedyBoxes::grow(std::size_t seed, std::span<const std::size_t> order,
                                     const PositionSet& allowed) {
  for (std::size_t g = 0; g < by_group_.size(); ++g) by_group_[g] = scope_.showing(g, scope_.values(seed)[g]);
  absorb(seed, allowed);
  for (const std::size_t position : order) {
    if (!members_.contains(position)) absorb(position, allowed);
  }
  return members_;
}

void GreedyBoxes::absorb(std::size_t position, const PositionSet& allowed) {
  for (std::size_t g = 0; g < by_group_.size(); ++g) {
    wider_[g] = by_group_[g];
    wider_[g] |= scope_.showing(g, scope_.values(position)[g]);
  }
  wider_members_ = wider_.front();
  for (const PositionSet& let_in : wider_) wider_members_ &= let_in;
  if (!wider_members_.is_subset_of(allowed)) return;
  std::swap(by_group_, wider_);
  std::swap(members_, wider_members_);
}

std::size_t GreedyBoxes::cover_size(std::span<const std::size_t> positions) {
  PositionSet allowed(scope_.size());
  for (const std::size_t i : positions) allowed.insert(i);
  std::vector<std::size_t> left(positions.begin(), positions.end());
  std::vector<std::size_t> order = left;
  std::size_t boxes = 0;
  for (; !left.empty(); ++boxes) {
    // Uncovered positions first, then those that other boxes already cover.
    const PositionSet& box = grow(left.front(), order, allowed);
    std::erase_if(left, [&](std::size_t i) { return box.contains(i); });
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return std::binary_search(left.begin(), left.end(), i); });
  }
  return boxes;
}

}  // namespace ndnf
