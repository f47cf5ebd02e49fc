#include "ndnf/boxes/scope.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::lettered_scope;

ValueSet set_of(const std::set<std::size_t>& values, std::size_t count) {
  ValueSet set(count);
  for (const std::size_t value : values) set.insert(value);
  return set;
}

std::set<std::size_t> numbers_below(std::size_t count) {
  return *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(0, count));
}

RC_GTEST_PROP(ValueSet, BehavesLikeAStandardSet, ()) {
  constexpr std::size_t kCount = 130;
  const std::set<std::size_t> a = numbers_below(kCount);
  const std::set<std::size_t> b = numbers_below(kCount);
  std::set<std::size_t> both;
  std::set<std::size_t> either = a;
  std::set<std::size_t> only_a;
  either.insert(b.begin(), b.end());
  for (const std::size_t value : a) (b.contains(value) ? both : only_a).insert(value);
  ValueSet joined = set_of(a, kCount);
  ValueSet common = set_of(a, kCount);
  ValueSet rest = set_of(a, kCount);
  RC_ASSERT((joined |= set_of(b, kCount)) == set_of(either, kCount));
  RC_ASSERT((common &= set_of(b, kCount)) == set_of(both, kCount));
  RC_ASSERT((rest -= set_of(b, kCount)) == set_of(only_a, kCount));
  RC_ASSERT(set_of(a, kCount).intersects(set_of(b, kCount)) == !both.empty());
  RC_ASSERT(set_of(a, kCount).is_subset_of(set_of(b, kCount)) == only_a.empty());
  RC_ASSERT(joined.size() == either.size());
  RC_ASSERT(joined.empty() == either.empty());
  const std::vector<std::uint32_t> values = joined.values();
  RC_ASSERT(std::set<std::size_t>(values.begin(), values.end()) == either);
}

TEST(ValueSet, FirstHoldsAllBelowTheCount) {
  EXPECT_THAT(ValueSet::first(3).values(), ElementsAre(0, 1, 2));
  EXPECT_EQ(ValueSet::first(128).size(), 128U);
  EXPECT_TRUE(ValueSet::first(0).empty());
}

TEST(ValueSet, ErasesWhatWasInserted) {
  ValueSet set = ValueSet::first(70);
  set.erase(69);
  EXPECT_FALSE(set.contains(69));
  EXPECT_TRUE(set.contains(68));
}

TEST(Scope, DomainsHoldWhatItsObservationsShow) {
  const Scope all = lettered_scope({4, 1}, {{0, 0}, {1, 1}, {3, 0}});
  const Scope scope(all.shared_table(), {0, 2});
  EXPECT_EQ(scope.size(), 2U);
  EXPECT_THAT(scope.domain(0).values(), ElementsAre(0, 3));
  EXPECT_THAT(scope.domain(1).values(), ElementsAre(0));
  EXPECT_THAT(scope.values(1), ElementsAre(3, 0));
}

TEST(Scope, KnowsWhichPositionsShowAValue) {
  const Scope all = lettered_scope({4, 1}, {{0, 0}, {1, 1}, {3, 0}});
  const Scope scope(all.shared_table(), {1, 2});
  EXPECT_THAT(scope.showing(0, 3).values(), ElementsAre(1));
  EXPECT_THAT(scope.showing(1, 1).values(), ElementsAre(0));
  EXPECT_TRUE(scope.showing(0, 0).empty());
}

TEST(Scope, KnowsWhichPositionsNoRuleCanTellApart) {
  const auto table = std::make_shared<ObservationTable>(testing::lettered_vocabulary({3, 1}), 1);
  const std::vector<std::vector<std::uint32_t>> rows = {{2, 0}, {0, 1}, {2, 0}, {0, 0}, {0, 1}, {2, 0}};
  std::vector<ObsId> all;
  for (const std::vector<std::uint32_t>& row : rows) {
    all.push_back(table->intern(row, std::vector{static_cast<float>(all.size())}));
  }
  EXPECT_THAT(Scope(table, all).first_alike(), ElementsAre(0, 1, 0, 3, 1, 0));
}

}  // namespace
}  // namespace ndnf
