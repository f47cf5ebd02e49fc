#include "ndnf/boxes/maximal_boxes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::any_below;
using testing::lettered_scope;
using testing::maximal_sets_by_trying;
using testing::positions_of;
using testing::random_scope;

PositionSet random_positions(const Scope& scope) {
  return positions_of(scope, any_below(std::uint64_t{1} << scope.size()));
}

RC_GTEST_PROP(MaximalBoxes, AreThoseFoundByTryingEverySubset, ()) {
  const Scope scope = random_scope(9);
  const PositionSet inside = random_positions(scope);
  const LegalBoxes boxes = maximal_boxes(scope, inside, 1000);
  RC_ASSERT(boxes.complete);
  RC_ASSERT(boxes.members == maximal_sets_by_trying(scope, inside));
}

RC_GTEST_PROP(MaximalBoxes, BeyondTheLimitAreSomeAroundEveryObservation, ()) {
  const Scope scope = random_scope(9);
  const PositionSet inside = random_positions(scope);
  RC_PRE(!inside.empty() && inside.size() < scope.size());
  const LegalBoxes some = maximal_boxes(scope, inside, 0);
  RC_ASSERT(!some.complete);
  PositionSet covered(scope.size());
  for (const PositionSet& set : some.members) {
    RC_ASSERT(set.is_subset_of(inside));
    RC_ASSERT(members(hull(scope, set), scope) == set);
    covered |= set;
  }
  RC_ASSERT(covered == inside);
}

TEST(MaximalBoxes, OfOneOneHotGroupIsOne) {
  const Scope scope = lettered_scope({6}, {{0}, {1}, {2}, {4}, {5}});
  const PositionSet inside = positions_of(scope, 0b10101);
  EXPECT_EQ(maximal_boxes(scope, inside, 100).members, std::vector{inside});
}

TEST(MaximalBoxes, OfAnActionNeverAllowedAreNone) {
  const Scope scope = lettered_scope({2}, {{0}, {1}});
  EXPECT_TRUE(maximal_boxes(scope, PositionSet(2), 100).members.empty());
}

RC_GTEST_PROP(MaximalBoxes, GrowIntoOneThatHoldsNoMoreOutside, ()) {
  const Scope scope = random_scope(9);
  const PositionSet inside = random_positions(scope);
  RC_PRE(!inside.empty());
  const PositionSet seed = positions_of(scope, std::uint64_t{1} << inside.values().front());
  std::vector<std::size_t> order(scope.vocabulary().group_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Box box = grown(hull(scope, seed), scope, inside, order);
  RC_ASSERT(seed.is_subset_of(members(box, scope)));
  RC_ASSERT(members(box, scope).is_subset_of(inside));
  for (std::size_t g = 0; g < order.size(); ++g) {
    for (const std::uint32_t value : scope.domain(g).values()) {
      Box larger = box;
      larger.groups[g].insert(value);
      RC_ASSERT(larger == box || !members(larger, scope).is_subset_of(inside));
    }
  }
}

}  // namespace
}  // namespace ndnf
