#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/rules/distillation.h"
#include "ndnf/rules/halving.h"
#include "ndnf/rules/moves.h"
#include "ndnf/rules/race.h"
#include "ndnf/rules/teaching.h"
#include "rules/small_features.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;

TEST(Distillation, FindsTheTeachersRulesAndNothingSmallerIsAsGood) {
  RandomSequence random(RandomStream(1, 0));
  const auto found = distil(small_sample(), *small_features(), {}, 6, random);
  ASSERT_EQ(found.size(), 3u) << "sizes 0, 1 and 2; more literals cannot be better";
  EXPECT_EQ(found.back().regret, 0);
  EXPECT_EQ(found.back().list.literal_count(), 2u);
  EXPECT_GT(found[0].regret, found[1].regret);
}

TEST(Distillation, RespectsTheLimits) {
  RandomSequence random(RandomStream(1, 0));
  const ListLimits limits{1, 1, false};
  for (const DistilledList& found : distil(small_sample(), *small_features(), limits, 6, random))
    EXPECT_TRUE(limits.allow(found.list));
}

TEST(StateSample, RegretsAreLogarithmsOfRatiosUpToFour) {
  std::vector<std::int32_t> regrets(3);
  write_regrets(std::vector<double>{0.5, 0.25, 0}, regrets);
  EXPECT_THAT(regrets, ElementsAre(0, 710, 4 * kRegretUnit));  // 1024 ln 2 = 709.8
}

TEST(StateSample, BoundsAreRoundNumbersOfAboutAHundredthOfTheSpread) {
  std::vector<std::int32_t> values(1001);
  std::iota(values.begin(), values.end(), -500);
  const Spread spread = spread_of(values);
  EXPECT_EQ(spread.low, -495);
  EXPECT_EQ(spread.high, 495);
  EXPECT_EQ(spread.step, 5);
  EXPECT_EQ(spread.rounded(13), 15);
  EXPECT_FALSE(spread_of(std::vector<std::int32_t>(10, 7)).varies());
}

TEST(Moves, ACoveringRuleChangesADecisionInAVisitedState) {
  const auto features = small_features();
  const StateSample sample = small_sample();
  const auto spreads = spreads_of(sample);
  const Moves moves(*features, spreads, {});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomSequence random(RandomStream(seed, 0));
    RuleList list{{}, 0};
    ASSERT_TRUE(moves.cover(list, sample, random));
    std::vector<std::uint8_t> decisions;
    write_decisions(list, sample, decisions);
    EXPECT_NE(std::count(decisions.begin(), decisions.end(), 0), static_cast<std::ptrdiff_t>(sample.size()));
    EXPECT_LE(list.literal_count(), 3u);
  }
}

TEST(Moves, LeadFromNothingToTheTeachersDecisionsByRegretAlone) {
  const auto features = small_features();
  const StateSample sample = small_sample();
  const auto spreads = spreads_of(sample);
  const ListLimits limits{4, 6, true};
  const Moves moves(*features, spreads, limits);
  RandomSequence random(RandomStream(3, 0));
  RuleList best{{}, 0};
  std::vector<std::uint8_t> decisions;
  write_decisions(best, sample, decisions);
  std::int64_t least = regret_of(decisions, sample);
  for (int i = 0; i < 20'000 && least > 0; ++i) {
    const RuleList next = moves.changed(best, sample, best, random);
    ASSERT_TRUE(limits.allow(next));
    write_decisions(next, sample, decisions);
    const std::int64_t regret = regret_of(decisions, sample);
    if (regret > least) continue;
    least = regret;
    best = next;
  }
  EXPECT_EQ(least, 0);
}

/// Counts what a challenger plays; its returns are given.
struct Challenger {
  std::vector<double> returns;
  std::size_t played = 0;

  PlayOn play_on() {
    return [this](std::vector<double>& own, std::size_t count) {
      for (; own.size() < count; ++played) own.push_back(returns[own.size()]);
    };
  }
};

TEST(Race, AChallengerBelowTheIncumbentsWorstLosesAfterOneEpisode) {
  const Contender incumbent{{}, {5, 3, 4, 5}};
  Challenger challenger{{2, 9, 9, 9}};
  std::vector<double> returns;
  EXPECT_EQ(race(incumbent, challenger.play_on(), returns), RaceResult::kLost);
  EXPECT_EQ(challenger.played, 1u);
}

TEST(Race, AClearlyWorseChallengerLosesEarly) {
  const Contender incumbent{{}, std::vector<double>(64, 5.0)};
  Challenger challenger{std::vector<double>(64, 4.0)};
  challenger.returns[0] = 5;
  std::vector<double> returns;
  EXPECT_EQ(race(incumbent, challenger.play_on(), returns), RaceResult::kLost);
  EXPECT_LE(challenger.played, 4u);
}

TEST(Race, TheHigherMeanOverAllEpisodesWins) {
  const Contender incumbent{{}, {5, 3, 4, 5}};
  Challenger challenger{{5, 3, 5, 5}};
  std::vector<double> returns;
  EXPECT_EQ(race(incumbent, challenger.play_on(), returns), RaceResult::kWon);
  EXPECT_EQ(returns.size(), 4u);
}

TEST(Race, EqualReturnsAreAlikeAndCostSixteenEpisodes) {
  const Contender incumbent{{}, std::vector<double>(512, 500.0)};
  Challenger challenger{std::vector<double>(512, 500.0)};
  std::vector<double> returns;
  EXPECT_EQ(race(incumbent, challenger.play_on(), returns), RaceResult::kAlike);
  EXPECT_LE(challenger.played, 20u);
}

RuleList of_size(std::int32_t terms) {
  RuleList list;
  for (std::int32_t i = 0; i < terms; ++i) list.rules.push_back({{{{{0, 1}}, i, true}}, 1});
  return list;
}

TEST(Archive, KeepsWhatIsBetterThanEverythingSmaller) {
  Archive archive;
  EXPECT_TRUE(archive.add({of_size(2), {5}}));
  EXPECT_TRUE(archive.add({of_size(4), {7}}));
  EXPECT_FALSE(archive.add({of_size(3), {5}})) << "as good as a smaller one";
  EXPECT_TRUE(archive.add({of_size(1), {6}}));
  EXPECT_EQ(archive.size(), 2u) << "2 is now worse than 1";
  EXPECT_EQ(archive.rival(3)->mean(), 6);
  EXPECT_EQ(archive.rival(0), nullptr);
}

TEST(Front, ThePickIsTheSmallestWithinHalfAStandardErrorOfTheBest) {
  const Contender small{of_size(1), {1, 1, 1, 1}};
  const Contender middle{of_size(2), {9, 11, 9, 10}};
  const Contender large{of_size(3), {11, 9, 11, 9}};
  const std::vector<Contender> front{small, middle, large};
  EXPECT_EQ(pick_from(front), 1u);
  const Contender best{of_size(3), {12, 13, 12, 13}};
  EXPECT_EQ(pick_from({small, middle, best}), 2u);
}

TEST(Teacher, IsPoorIfItLearnsNothingOrIsStillImproving) {
  EXPECT_THAT(why_poor(std::vector<double>(20, -200.0), -200), ::testing::HasSubstr("learned nothing"));
  std::vector<double> rising(20);
  std::iota(rising.begin(), rising.end(), 0.0);
  EXPECT_THAT(why_poor(rising, 19), ::testing::HasSubstr("still improving"));
  std::vector<double> fine{0, 5, 9};
  fine.resize(20, 10);
  EXPECT_EQ(why_poor(fine, 10), "");
  EXPECT_THAT(why_poor(fine, 3), ::testing::HasSubstr("with its best actions"));
}

}  // namespace
}  // namespace ndnf
