#include "ndnf/boxes/box.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::lettered_scope;
using testing::random_scope;
using testing::satisfies;

/// Any subset of the domains, empty ones included.
Box random_box(const Scope& scope) {
  Box box = everything(scope);
  for (std::size_t g = 0; g < box.groups.size(); ++g) {
    for (const std::uint32_t value : scope.domain(g).values()) {
      if (any_below(3) == 0) box.groups[g].erase(value);
    }
  }
  return box;
}

RC_GTEST_PROP(Box, LiteralsHoldExactlyInItsMembers, ()) {
  const Scope scope = random_scope(12);
  const Box box = random_box(scope);
  const Conjunction conjunction = literals(box, scope);
  const PositionSet held = members(box, scope);
  for (std::size_t i = 0; i < scope.size(); ++i) {
    RC_ASSERT(held.contains(i) == contains(box, scope.values(i)));
    RC_ASSERT(held.contains(i) == satisfies(scope, i, conjunction));
  }
  RC_ASSERT(holds_nothing(box, scope) == held.empty());
}

RC_GTEST_PROP(Box, IsTheBoxOfItsLiterals, ()) {
  const Scope scope = random_scope(12);
  const Box box = random_box(scope);
  RC_ASSERT(box_of(literals(box, scope), scope) == box);
}

RC_GTEST_PROP(Box, IntersectionHoldsWhatBothHold, ()) {
  const Scope scope = random_scope(12);
  const Box a = random_box(scope);
  const Box b = random_box(scope);
  PositionSet common = members(a, scope);
  common &= members(b, scope);
  RC_ASSERT(members(intersection(a, b), scope) == common);
}

TEST(Box, EverythingNeedsNoLiteral) {
  const Scope scope = lettered_scope({4, 1}, {{0, 0}, {1, 1}, {3, 0}});
  EXPECT_THAT(literals(everything(scope), scope), IsEmpty());
  EXPECT_EQ(members(everything(scope), scope).size(), 3U);
}

TEST(Box, OneValueIsOneLiteralAndSeveralAreTheNegationsOfTheRest) {
  const Scope scope = lettered_scope({4, 1}, {{0, 0}, {1, 1}, {3, 0}});
  EXPECT_THAT(literals(hull(scope, std::array<std::size_t, 1>{1}), scope),
              ElementsAre(AtomLiteral{1, true}, AtomLiteral{4, true}));
  EXPECT_THAT(literals(hull(scope, std::array<std::size_t, 2>{0, 2}), scope),
              ElementsAre(AtomLiteral{1, false}, AtomLiteral{4, false}));
}

TEST(Box, ContradictingLiteralsHoldNothing) {
  const Scope scope = lettered_scope({4, 1}, {{0, 0}, {1, 1}, {3, 0}});
  const Conjunction contradiction{{0, true}, {1, true}};
  EXPECT_TRUE(holds_nothing(box_of(contradiction, scope), scope));
}

TEST(Box, SplitsCountTheBordersAlongTheDomain) {
  const Scope scope = lettered_scope({5}, {{0}, {1}, {2}, {4}});
  EXPECT_EQ(splits(everything(scope), scope), 0U);
  EXPECT_EQ(splits(hull(scope, std::array<std::size_t, 2>{0, 1}), scope), 1U);
  EXPECT_EQ(splits(hull(scope, std::array<std::size_t, 2>{1, 2}), scope), 2U);
  EXPECT_EQ(splits(hull(scope, std::array<std::size_t, 2>{0, 2}), scope), 3U);
  EXPECT_EQ(splits(hull(scope, std::array<std::size_t, 2>{2, 3}), scope), 1U) << "nothing shows value 3";
}

}  // namespace
}  // namespace ndnf
