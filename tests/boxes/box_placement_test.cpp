#include "ndnf/boxes/box_placement.h"

#include <gtest/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::square;

const std::vector<std::vector<std::size_t>> kNoWitnesses(2);
constexpr std::uint64_t kLimit = 1000;

TEST(BoxPlacement, FindsAsManyBoxesAsXorNeedsAndNotFewer) {
  const std::vector<std::uint64_t> allowed{1, 2, 2, 1};
  EXPECT_TRUE(place_boxes(square(), allowed, kNoWitnesses, 3, kLimit).impossible);
  const Placement placement = place_boxes(square(), allowed, kNoWitnesses, 4, kLimit);
  ASSERT_TRUE(placement.rules);
  EXPECT_FALSE(placement.impossible);
  EXPECT_EQ(placement.rules->size(), 4U);
}

TEST(BoxPlacement, SettlesTies) {
  // The tied corner goes to the second action; the first would need one more box for it.
  const std::vector<std::uint64_t> allowed{1, 2, 2, 3};
  const std::vector<std::vector<std::size_t>> witnesses{{0}, {1, 2}};
  const Placement placement = place_boxes(square(), allowed, witnesses, 3, kLimit);
  ASSERT_TRUE(placement.rules);
  for (const ActionRule& rule : *placement.rules) {
    EXPECT_EQ(members(rule.body, square()).contains(0), rule.action == 0);
    EXPECT_TRUE(rule.action == 1 || !members(rule.body, square()).contains(3));
  }
}

TEST(BoxPlacement, NeedsAtLeastOneBox) {
  EXPECT_TRUE(place_boxes(square(), std::vector<std::uint64_t>{1, 1, 1, 1}, kNoWitnesses, 1, kLimit).rules);
  EXPECT_TRUE(
      place_boxes(square(), std::vector<std::uint64_t>{1, 1, 1, 1}, kNoWitnesses, 0, kLimit).impossible);
}

}  // namespace
}  // namespace ndnf
