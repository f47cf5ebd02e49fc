#include "ndnf/rules/rule_list.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error_of.h"
#include "ndnf/rules/linear.h"
#include "ndnf/rules/moves.h"
#include "rules/small_features.h"

namespace ndnf {
namespace {

SumLiteral above(std::uint32_t feature, std::int32_t bound) { return {{{feature, 1}}, bound, true}; }
SumLiteral at_most(std::uint32_t feature, std::int32_t bound) { return {{{feature, 1}}, bound, false}; }

TEST(RuleList, TheFirstRuleThatHoldsDecides) {
  const RuleList list{{{{above(0, 5)}, 1}, {{above(1, 0), at_most(0, 3)}, 2}}, 0};
  EXPECT_EQ(list.decide(std::vector<std::int32_t>{6, 9}), 1u);
  EXPECT_EQ(list.decide(std::vector<std::int32_t>{5, 9}), 0u) << "neither > 5 nor <= 3";
  EXPECT_EQ(list.decide(std::vector<std::int32_t>{3, 1}), 2u);
  EXPECT_EQ(list.decide(std::vector<std::int32_t>{3, 0}), 0u);
  EXPECT_EQ(list.literal_count(), 3u);
}

TEST(RuleList, ALiteralThatFollowsFromAnotherIsDropped) {
  const RuleList list{{{{above(0, 5), above(0, 7)}, 1}}, 0};
  EXPECT_EQ(simplified(list), (RuleList{{{{above(0, 7)}, 1}}, 0}));
}

TEST(RuleList, RulesThatNeverDecideAreDropped) {
  const RuleList impossible{{{{above(0, 5), at_most(0, 5)}, 1}, {{above(1, 0)}, 2}}, 0};
  EXPECT_EQ(simplified(impossible), (RuleList{{{{above(1, 0)}, 2}}, 0}));
  const RuleList covered{{{{above(0, 5)}, 1}, {{above(0, 7), above(1, 0)}, 2}}, 0};
  EXPECT_EQ(simplified(covered), (RuleList{{{{above(0, 5)}, 1}}, 0}));
}

TEST(RuleList, LastRulesWithTheActionOfTheDefaultAreDropped) {
  EXPECT_EQ(simplified({{{{above(0, 5)}, 1}, {{above(1, 3)}, 0}}, 0}), (RuleList{{{{above(0, 5)}, 1}}, 0}));
}

TEST(RuleList, IsShortenedByEachRuleAndLiteralInTurn) {
  const RuleList list{{{{above(0, 5), at_most(1, 3)}, 1}, {{above(1, 0)}, 2}}, 0};
  EXPECT_THAT(shortened(list),
              ::testing::UnorderedElementsAre(RuleList{{{{above(1, 0)}, 2}}, 0},
                                              RuleList{{{{at_most(1, 3)}, 1}, {{above(1, 0)}, 2}}, 0},
                                              RuleList{{{{above(0, 5)}, 1}, {{above(1, 0)}, 2}}, 0},
                                              RuleList{{{{above(0, 5), at_most(1, 3)}, 1}}, 0}));
}

TEST(RuleList, ASumThatDoesNotFitInto32BitsIsRefused) {
  const auto features = small_features();
  EXPECT_TRUE(fits({{{0, 1'000'000}, {1, 1'000'000}}, 147'483'647, true}, *features));
  EXPECT_FALSE(fits({{{0, 1'000'000}, {1, 1'000'000}}, 147'483'648, true}, *features));
}

TEST(RuleList, DamagedNumbersAreNoList) {
  const auto features = small_features();
  std::vector<std::int64_t> numbers;
  append({{{{above(0, 5)}, 1}}, 2}, numbers);
  std::size_t at = 0;
  EXPECT_EQ(read_list("x", numbers, at, *features), (RuleList{{{{above(0, 5)}, 1}}, 2}));
  EXPECT_EQ(at, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<std::int64_t> damaged = numbers;
    damaged[i] = std::int64_t{1} << 40;
    at = 0;
    EXPECT_THROW(read_list("x", damaged, at, *features), Error) << i;
  }
}

/// Every list that moves lead to decides as it did before it was simplified, and survives being saved.
RC_GTEST_PROP(RuleList, SimplifyingAndSavingKeepEveryDecision, (std::uint32_t seed)) {
  const auto features = small_features();
  const StateSample sample = small_sample();
  const auto spreads = spreads_of(sample);
  const Moves moves(*features, spreads, {});
  RandomSequence random(RandomStream(seed, 0));
  RuleList list;
  for (int i = 0; i < 12; ++i) {
    moves.cover(list, sample, random);
    moves.add_literal(list, sample, random);
    moves.swap_rules(list, random);
  }
  const RuleList simple = simplified(list);
  std::vector<std::int64_t> numbers;
  append(simple, numbers);
  std::size_t at = 0;
  RC_ASSERT(read_list("x", numbers, at, *features) == simple);
  std::vector<std::uint8_t> decisions;
  write_decisions(simple, sample, decisions);
  for (std::size_t s = 0; s < sample.size(); ++s) {
    RC_ASSERT(list.decide(sample.row(s)) == simple.decide(sample.row(s)));
    RC_ASSERT(simple.decide(sample.row(s)) == decisions[s]);
  }
}

TEST(Linear, PhysicalFactorsBecomeWholeOnes) {
  const auto features = small_features();  // quanta 0.001 and 0.01
  const std::vector<PhysicalTerm> terms{{0, 1}, {1, 0.36}};
  const auto whole = whole_terms(terms, *features);
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, (std::vector<SumTerm>{{0, 10}, {1, 36}}));
  const auto back = physical_terms(*whole, *features);
  EXPECT_DOUBLE_EQ(back[0].factor, 1);
  EXPECT_DOUBLE_EQ(back[1].factor, 0.36);
}

TEST(Linear, AChangedSumIsASumOfAsManyNumbersInTheirOrder) {
  const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{}, std::vector<std::string>{"wait"},
      std::vector<Quantity>{quantity("a", "", -1, 1, 0.001), quantity("b", "", -10, 10, 0.01),
                            quantity("c", "", 0, 5, 0.005), quantity("d", "", -3, 3, 0.002)});
  const Features features("four", vocabulary, 4);
  const std::vector<std::uint32_t> numbers{0, 1, 2, 3};
  const std::vector<Spread> spreads{{-900, 900, 20}, {-800, 700, 10}, {0, 1000, 10}, {-1500, 1500, 20}};
  RandomSequence random(RandomStream(8, 0));
  std::vector<SumTerm> sum = *drawn_sum(3, numbers, spreads, features, random);
  std::set<std::uint32_t> used;
  for (int i = 0; i < 500; ++i) {
    const auto changed = changed_sum(sum, numbers, spreads, features, random);
    if (!changed) continue;  // a number that it has already, or factors that do not fit
    ASSERT_EQ(changed->size(), 3u);
    for (std::size_t t = 0; t < 3; ++t) {
      used.insert((*changed)[t].feature);
      EXPECT_TRUE(t == 0 || (*changed)[t - 1].feature < (*changed)[t].feature);
    }
    const auto factors = physical_terms(*changed, features);
    EXPECT_DOUBLE_EQ(factors.front().factor, 1);
    EXPECT_EQ(*whole_terms(factors, features), *changed) << "two digits say it all";
    sum = *changed;
  }
  EXPECT_EQ(used.size(), 4u);
}

TEST(Linear, FactorsHaveTwoSignificantDigits) {
  EXPECT_DOUBLE_EQ(two_digits(0.12345), 0.12);
  EXPECT_DOUBLE_EQ(two_digits(-987), -990);
  EXPECT_DOUBLE_EQ(two_digits(99.7), 100);
}

TEST(Features, ANumberWithoutAGridIsRefusedByName) {
  const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{}, std::vector<std::string>{"go"}, std::vector<Quantity>{{"height"}});
  EXPECT_THAT(testing::error_of([&] { Features("task", vocabulary, 1); }),
              ::testing::HasSubstr("height has no grid, so rules cannot be about it"));
}

}  // namespace
}  // namespace ndnf
