#include "ndnf/boxes/fooling_set.h"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::maximal_sets_by_trying;
using testing::random_actions;
using testing::random_scope;
using testing::square;

/// a xor b: no legal box contains both observations of an action.
const std::vector<std::uint64_t> kXor{1, 2, 2, 1};

TEST(FoolingSet, OfXorHasTwoOfEachAction) {
  EXPECT_EQ(find_fooling_set(square(), kXor, 0), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(find_fooling_set(square(), kXor, 1), (std::vector<std::size_t>{1, 2}));
}

TEST(FoolingSet, IsNoneIfTwoFitIntoOneBox) {
  const std::vector<std::uint64_t> allowed{1, 1, 2, 1};
  EXPECT_FALSE(is_fooling_set(square(), allowed, 0, std::array<std::size_t, 2>{0, 1}));
  EXPECT_TRUE(is_fooling_set(square(), allowed, 0, std::array<std::size_t, 2>{0, 3}));
}

TEST(FoolingSet, RefusesForgedMembers) {
  EXPECT_FALSE(is_fooling_set(square(), kXor, 0, std::array<std::size_t, 2>{0, 0})) << "twice the same";
  EXPECT_FALSE(is_fooling_set(square(), kXor, 0, std::array<std::size_t, 2>{0, 1})) << "of another action";
  EXPECT_FALSE(is_fooling_set(square(), kXor, 0, std::array<std::size_t, 2>{0, 4})) << "not in the scope";
  const std::vector<std::uint64_t> tied{1, 2, 2, 3};
  EXPECT_FALSE(is_fooling_set(square(), tied, 0, std::array<std::size_t, 2>{0, 3}))
      << "another will do there";
}

RC_GTEST_PROP(FoolingSet, HasAtMostOneMemberInAnyMaximalBox, ()) {
  const Scope scope = random_scope(9);
  const std::vector<std::uint64_t> allowed = random_actions(scope, true);
  const std::vector<std::size_t> found = find_fooling_set(scope, allowed, 0);
  RC_ASSERT(is_fooling_set(scope, allowed, 0, found));
  for (const PositionSet& box : maximal_sets_by_trying(scope, allowing(scope, allowed, 0))) {
    const auto inside =
        std::count_if(found.begin(), found.end(), [&](std::size_t i) { return box.contains(i); });
    RC_ASSERT(inside <= 1);
  }
}

}  // namespace
}  // namespace ndnf
