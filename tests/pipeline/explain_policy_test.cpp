#include "ndnf/pipeline/explain_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

ExplainRequest request(const std::string& policy, const std::string& env) {
  ExplainRequest request;
  request.policy = policy;
  request.env = env;
  return request;
}

TEST(ExplainPolicy, ExplainsEveryReachableObservationThatFits) {
  ExplainRequest ask = request("optimal", "blackjack");
  ask.observations = {"hand(18), dealer(9)"};
  const PolicyExplanation result = explain_policy(ask);
  ASSERT_EQ(result.explanations.size(), 2u);
  for (const Explanation& explanation : result.explanations) {
    const bool soft = explanation.observation == "hand(18), dealer(9), usable_ace";
    EXPECT_EQ(*explanation.action, soft ? "hit" : "stick");
    ASSERT_EQ(explanation.why_not.size(), 1u);
    // Hard 18 with 9 becomes a hit by one change.
    EXPECT_EQ(explanation.why_not[0].change.find(','), std::string::npos);
  }
}

TEST(ExplainPolicy, AnEpisodeDependsOnTheSeedAloneAndEndsWithTheTask) {
  ExplainRequest ask = request("optimal", "taxi");
  const PolicyExplanation once = explain_policy(ask);
  EXPECT_EQ(to_json(once), to_json(explain_policy(ask)));
  EXPECT_EQ(once.ending, "the episode is over");
  EXPECT_EQ(once.episode.back().action, "dropoff");
  EXPECT_EQ(once.episode.back().reward, 20);
  ask.seed = 1;
  EXPECT_NE(to_json(once), to_json(explain_policy(ask)));
}

TEST(ExplainPolicy, SaysThatReasonsOfAStochasticPolicyAreForItsBestAction) {
  EXPECT_TRUE(explain_policy(request("uniform", "small-corridor")).stochastic);
  EXPECT_FALSE(explain_policy(request("optimal", "small-corridor")).stochastic);
}

TEST(ExplainPolicy, NamesWhatIsWrongWithADescription) {
  ExplainRequest ask = request("uniform", "blackjack");
  for (const char* description : {"hand(180)", "hand(18), hand(17)", "action(hit)", "\"soft\"", ""}) {
    ask.observations = {description};
    EXPECT_THROW(explain_policy(ask), Error) << description;
  }
}

}  // namespace
}  // namespace ndnf
