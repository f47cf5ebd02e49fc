#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/rules/distillation.h"
#include "ndnf/rules/halving.h"
#include "ndnf/rules/island.h"
#include "ndnf/rules/literal_search.h"
#include "ndnf/rules/moves.h"
#include "ndnf/rules/race.h"
#include "ndnf/rules/teaching.h"
#include "ndnf/tasks/registry.h"
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

/// The sum of the weights of the states where a literal holds.
std::int64_t weight_where(const SumLiteral& literal, const StateSample& sample,
                          std::span<const std::int32_t> weights) {
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < sample.size(); ++s) sum += literal.holds(sample.row(s)) ? weights[s] : 0;
  return sum;
}

std::vector<std::int32_t> random_weights(std::size_t count, RandomSequence& random) {
  std::vector<std::int32_t> weights(count);
  for (std::int32_t& own : weights) own = static_cast<std::int32_t>(random.below(7)) - 3;  // some are 0
  return weights;
}

TEST(LiteralSearch, FindsTheBestRoundBoundOfEveryFeature) {
  const StateSample sample = small_sample();
  const auto features = small_features();
  const auto spreads = spreads_of(sample);
  RandomSequence random(RandomStream(4, 0));
  LiteralSearch search(sample, *features, false);
  for (int round = 0; round < 100; ++round) {
    const std::vector<std::int32_t> weights = random_weights(sample.size(), random);
    search.weigh(weights);
    const auto found = search.best({}, random);
    ASSERT_EQ(found.size(), 1u) << "without sums there is one number of terms";
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::uint32_t f = 0; f < features->size(); ++f) {
      const Spread& spread = spreads[f];
      for (std::int32_t bound = spread.rounded(spread.low); bound < spread.high; bound += spread.step) {
        for (const bool above : {false, true})
          most = std::max(most, weight_where({{{f, 1}}, bound, above}, sample, weights));
      }
    }
    EXPECT_EQ(found.front().gain, most);
    EXPECT_EQ(found.front().gain, weight_where(found.front().literal, sample, weights));
  }
}

TEST(LiteralSearch, GainsOfSumsAreExact) {
  const StateSample sample = small_sample();
  const auto features = small_features();
  RandomSequence random(RandomStream(5, 0));
  LiteralSearch search(sample, *features, true);
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::int32_t> weights = random_weights(sample.size(), random);
    search.weigh(weights);
    const auto found = search.best({}, random);
    ASSERT_EQ(found.size(), 2u) << "of two numbers there are no sums of three";
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].literal.terms.size(), i + 1);
      EXPECT_EQ(found[i].gain, weight_where(found[i].literal, sample, weights));
    }
  }
}

TEST(LiteralSearch, WhatComesInsteadIsNeverWorseNorLarger) {
  const StateSample sample = small_sample();
  const auto features = small_features();
  RandomSequence random(RandomStream(6, 0));
  LiteralSearch search(sample, *features, true);
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::int32_t> weights = random_weights(sample.size(), random);
    search.weigh(weights);
    SumLiteral literal{{{0, 1}}, static_cast<std::int32_t>(random.below(2000)) - 1000, round % 2 == 0};
    if (round % 3 == 0) literal.terms.push_back({1, 7});
    const SumLiteral other = search.best_instead(literal, {}, random);
    EXPECT_LE(other.terms.size(), literal.terms.size());
    EXPECT_GE(weight_where(other, sample, weights), weight_where(literal, sample, weights));
  }
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

PlayedTask played(const char* name) {
  const Task task = make_task(name);
  return {task.environments,
          std::make_shared<const Features>(task.spec, task.vocabulary, task.observations()->dense_size()),
          task.discount, 1};
}

TEST(Halving, TheLastStageIsJudgedByNewEpisodes) {
  const PlayedTask stage = played("mountain-car");
  const std::vector<RuleList> lists{{{{{{{{1, 1}}, 0, false}}, 0}}, 2}, {{{{{{{1, 1}}, -1, false}}, 0}}, 2}};
  const EpisodeSeries series{11, kSelectionSeries};
  Player player(stage);
  Halving halving(lists, {{4, 8}, {1000, 8, 0.5}, {12, 8, 1, HalvingStage::Kind::kFresh}}, series, 20'000);
  while (!halving.done()) halving.advance(player);
  ASSERT_FALSE(halving.contenders().empty());
  for (const Contender& contender : halving.contenders()) {
    EXPECT_EQ(contender.returns.size(), 12u) << "the second stage would not have left half of the steps";
    EXPECT_EQ(contender.returns, player.returns(contender.list, series, 4, 12));
  }
}

TEST(Halving, LeadersPlayLongestAndTheRestIsJudgedByFewerEpisodes) {
  const PlayedTask stage = played("mountain-car");
  constexpr ActionId kLeft = 0;
  constexpr ActionId kRight = 2;
  const RuleList with_the_velocity{{{{{{{1, 1}}, 0, true}}, kRight}}, kLeft};
  const RuleList against_it{{{{{{{1, 1}}, 0, true}}, kLeft}}, kRight};
  const EpisodeSeries series{11, kSelectionSeries};
  Player player(stage);
  Halving halving(
      {with_the_velocity, against_it},
      {{8, 8, 0.3}, {12, 8, 0.6, HalvingStage::Kind::kFreshApart}, {40, 8, 1, HalvingStage::Kind::kLeaders}},
      series, 100'000);
  while (!halving.done()) halving.advance(player);
  ASSERT_EQ(halving.contenders().size(), 2u);
  EXPECT_EQ(halving.first_episode(), 8u);
  for (const Contender& contender : halving.contenders()) {
    EXPECT_EQ(contender.returns, player.returns(contender.list, series, 8, contender.returns.size()));
    EXPECT_EQ(contender.returns.size(), contender.list == with_the_velocity ? 40u : 12u);
  }
}

TEST(Halving, WhatIsAheadByChanceHasNoPartInTheLastStage) {
  const PlayedTask stage = played("pendulum");
  std::vector<RuleList> lists;  // one of each size, all of them bad
  for (std::int32_t size = 1; size <= 12; ++size) {
    RuleList list{{}, 4};
    for (std::int32_t rule = 0; rule < size; ++rule)
      list.rules.push_back({{{{{2, 1}}, 30 * size - 100 * rule, true}}, static_cast<ActionId>(rule % 4)});
    lists.push_back(list);
  }
  const auto take_part = [&](HalvingStage::Kind kind) {
    Player player(stage);
    Halving halving(lists, {{12, 0, 0.3}, {12, 12, 1, kind}}, {4, kSelectionSeries}, 1'000'000);
    halving.advance(player);
    const std::size_t front = halving.contenders().size();
    halving.advance(player);
    return std::pair(front, halving.contenders().size());
  };
  const auto [front, all] = take_part(HalvingStage::Kind::kFresh);
  const auto [same_front, apart] = take_part(HalvingStage::Kind::kFreshApart);
  EXPECT_EQ(front, same_front);
  EXPECT_EQ(all, front);
  EXPECT_LT(apart, front);
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
