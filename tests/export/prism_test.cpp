#include "ndnf/export/prism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// How Storm reads such files is tested with Storm (tests/referee/properties_test.py).
TEST(Prism, WritesTheGamblerWhoAlwaysBets) {
  const FiniteModel model(testing::gambler());
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  EXPECT_EQ(to_prism(EpisodeChain(model, bets)),
            R"(// Step bounds count the agent's decisions.
// Episodes stop after 4 steps: t counts them.
dtmc

module policy
  s : [0..4] init 0;
  t : [0..3] init 0;
  [] s=0 & t<3 -> 0.5 : (s'=2)&(t'=0) + 0.5 : (s'=1)&(t'=t+1);
  [] s=1 & t<3 -> 0.5 : (s'=0)&(t'=t+1) + 0.5 : (s'=3)&(t'=0);
  [] s=1 & t=3 -> 0.5 : (s'=4)&(t'=0) + 0.5 : (s'=3)&(t'=0);
  [] s=2 -> 1 : (s'=2)&(t'=0);
  [] s=3 -> 1 : (s'=3)&(t'=0);
  [] s=4 -> 1 : (s'=4)&(t'=0);
endmodule

label "end" = (s>=2&s<=3); // "end"
label "rich" = s=3; // "rich"
label "ruin" = s=2; // "ruin"
label "action_bet" = (s>=0&s<=1); // action(bet)
label "action_stop" = false; // action(stop)
label "s0" = s=2; // s0
label "s1" = s=0|s=4; // s1
label "s2" = s=1; // s2
label "s3" = s=3; // s3

rewards "return"
endrewards
rewards "length"
  s=0 : 1;
  s=1 : 1;
endrewards
)");
}

TEST(Prism, CountsNoStepsWhereTheLimitStopsNothing) {
  const FiniteModel model(testing::gambler());
  const PolicyTable stops_at_2(2, {1, 0, 1, 0, 0, 1, 1, 0});
  const std::string text = to_prism(EpisodeChain(model, stops_at_2));
  EXPECT_THAT(text, Not(HasSubstr("t : ")));
  EXPECT_THAT(text, HasSubstr("  [] s=0 -> 0.5 : (s'=2) + 0.5 : (s'=1);\n"));
}

TEST(Prism, DrawsTheStartWhenThereAreSeveral) {
  const FiniteModel model(testing::gambler());
  const PolicyTable coin(2, {0.5, 0.5, 0.25, 0.75, 0.5, 0.5, 0.5, 0.5});
  const std::string text = to_prism(EpisodeChain(model, coin));
  EXPECT_THAT(text, HasSubstr("// State 0 draws the start: add 1 to step bounds.\n"));
  EXPECT_THAT(text, HasSubstr("  s : [0..9] init 0;\n"));
  EXPECT_THAT(text, HasSubstr("  [] s=0 -> 0.25 : (s'=1)&(t'=0) + 0.75 : (s'=2)&(t'=0);\n"));
  EXPECT_THAT(text, HasSubstr("label \"action_stop\" = s=2|s=4; // action(stop)\n"));
  EXPECT_THAT(text, HasSubstr("label \"s1\" = (s>=1&s<=2)|s=6|s=9; // s1\n"));
  EXPECT_THAT(text, HasSubstr("rewards \"length\"\n  s=1 : 1;\n  s=2 : 1;\n  s=3 : 1;\n  s=4 : 1;\nend"));
}

TEST(Prism, ASingleStartNeedNotBeTheFirstState) {
  FiniteModelData data = testing::gambler();
  data.starts = {{1, 2}};
  const FiniteModel model(std::move(data));
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  EXPECT_THAT(to_prism(EpisodeChain(model, bets)), HasSubstr("  s : [0..4] init 1;\n"));
}

TEST(Prism, RewardsAreWhatAStepBringsOnAverage) {
  FiniteModelData data = testing::gambler();
  data.outcomes[0].reward = -3;  // of losing the bet at 1
  const FiniteModel model(std::move(data));
  const PolicyTable bets(2, {1, 0, 1, 0, 1, 0, 1, 0});
  EXPECT_THAT(to_prism(EpisodeChain(model, bets)), HasSubstr("rewards \"return\"\n  s=0 : -1;\nend"));
}

}  // namespace
}  // namespace ndnf
