#include "ndnf/boxes/greedy_boxes.h"

#include <algorithm>
#include <utility>

namespace ndnf {

GreedyBoxes::GreedyBoxes(const Scope& scope)
    : scope_(scope),
      by_group_(std::max<std::size_t>(1, scope.varying_groups().size()), PositionSet::first(scope.size())),
      wider_(by_group_),
      members_(scope.size()) {}

const PositionSet& GreedyBoxes::grow(std::size_t seed, std::span<const std::size_t> order,
                                     const PositionSet& allowed) {
  const std::span<const std::size_t> groups = scope_.varying_groups();
  for (std::size_t k = 0; k < groups.size(); ++k)
    by_group_[k] = scope_.showing(groups[k], scope_.values(seed)[groups[k]]);
  absorb(seed, allowed);
  for (const std::size_t position : order) {
    if (!members_.contains(position)) absorb(position, allowed);
  }
  return members_;
}

void GreedyBoxes::absorb(std::size_t position, const PositionSet& allowed) {
  const std::span<const std::size_t> groups = scope_.varying_groups();
  for (std::size_t k = 0; k < groups.size(); ++k) {
    wider_[k] = by_group_[k];
    wider_[k] |= scope_.showing(groups[k], scope_.values(position)[groups[k]]);
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
