#include "ndnf/nodes/target.h"

#include <cmath>

#include <gtest/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

/// Two observations, two actions; the best are `do0` in the first and `do1` in the second.
class TwoObservations : public ::testing::Test {
 protected:
  /// do0 and do1 in the first observation, then in the second.
  static RawOutputs raw(double a0, double b0, double a1, double b1) {
    RawOutputs raw(2, 2);
    raw(0, 0) = a0;
    raw(1, 0) = b0;
    raw(0, 1) = a1;
    raw(1, 1) = b1;
    return raw;
  }

  Scope scope_ = testing::lettered_scope({2}, {{0}, {1}});
  Target target_ = make_target(scope_, PolicyTable(2, {0.75, 0.25, 0.25, 0.75}));
};

TEST_F(TwoObservations, KeepTheBestActionTheLargest) {
  const OutputCheck keeps = keeps_best_action(target_, raw(-1, -2, -2, -1));
  EXPECT_TRUE(keeps(raw(-1, -2, -2, -1)));
  EXPECT_TRUE(keeps(raw(2, 1, 1, 2)));  // none was true alone, so truth does not count
  EXPECT_FALSE(keeps(raw(1, 2, 1, 2)));
  EXPECT_FALSE(keeps(raw(2, 1, 2, 1)));
}

TEST_F(TwoObservations, KeepTheBestActionTheOnlyTrueOneWhereItWas) {
  const OutputCheck first = keeps_best_action(target_, raw(1, -1, 1, 2));
  EXPECT_TRUE(first(raw(3, -1, -2, -1)));
  EXPECT_FALSE(first(raw(3, 1, -2, -1)));
  EXPECT_FALSE(first(raw(-1, -2, -2, -1)));
  const OutputCheck second = keeps_best_action(target_, raw(1, 2, -1, 1));
  EXPECT_TRUE(second(raw(2, 1, -1, 3)));
  EXPECT_FALSE(second(raw(2, 1, 1, 3)));
}

TEST_F(TwoObservations, MayChangeWhatWasTrueAloneButNotTheBest) {
  EXPECT_TRUE(keeps_best_action(target_, raw(-1, 1, 1, -1))(raw(2, 1, 1, 2)));
}

TEST_F(TwoObservations, HaveExactlyOneTrueActionWhichIsTheBest) {
  const OutputCheck keeps = keeps_exactly_one(target_);
  EXPECT_TRUE(keeps(raw(1, -1, -1, 1)));
  EXPECT_FALSE(keeps(raw(2, 1, -1, 1)));
  EXPECT_FALSE(keeps(raw(1, -1, -2, -1)));
  EXPECT_FALSE(keeps(raw(1, -1, 1, -1)));
}

TEST_F(TwoObservations, AreAsFarOffAsTheToleranceAllows) {
  const double odds = std::log(3.0);
  const OutputCheck keeps = keeps_distribution(target_, 0.01);
  EXPECT_TRUE(keeps(raw(odds, 0, 0, odds)));
  EXPECT_FALSE(keeps(raw(odds, 0, 0, 1)));
  EXPECT_FALSE(keeps(raw(1, 0, 0, odds)));
  EXPECT_TRUE(keeps(raw(odds, 0, 0, odds)));  // what it has learned from failures changes no answer
  EXPECT_DOUBLE_EQ(mean_kl(target_, raw(odds, 0, 0, odds)), 0);
  EXPECT_NEAR(mean_kl(target_, raw(odds, 0, 0, 0)),
              (std::log(2.0) + 0.75 * std::log(0.75) + 0.25 * std::log(0.25)) / 2, 1e-12);
}

TEST(BestActions, AreTheFirstOfThoseThatTieUnlessTiesAreFree) {
  const PolicyTable policy(3, {0.2, 0.4, 0.4});
  EXPECT_EQ(best_actions(policy, 0, Ties::kEval), 0b010U);
  EXPECT_EQ(best_actions(policy, 0, Ties::kFree), 0b110U);
  RawOutputs raw(3, 1);
  raw(1, 0) = raw(2, 0) = 1;
  EXPECT_EQ(largest_action(raw, 0), 1U);
}

TEST(RawOutputs, HaveProbabilitiesHoweverLargeTheyAre) {
  RawOutputs raw(2, 1);
  raw(0, 0) = 800;
  raw(1, 0) = 800 + std::log(3.0);
  std::vector<double> p;
  probabilities(raw, 0, p);
  EXPECT_NEAR(p[0], 0.25, 1e-12);
  EXPECT_NEAR(p[1], 0.75, 1e-12);
}

}  // namespace
}  // namespace ndnf
