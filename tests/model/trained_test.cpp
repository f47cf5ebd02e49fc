#include "model/trained.h"

#include <string>

#include <gtest/gtest.h>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/tasks/registry.h"

// Networks trained by an independent implementation must behave the same here: their exact returns are
// known.

namespace ndnf {
namespace {

double exact_return(const std::string& file, const std::string& env, const std::string& selection) {
  const Task environment = make_task(env);
  const ActorPolicy policy(testing::read_trained(file), environment.model().action_count());
  const PolicyTable rows = tabulate(policy, environment.model().observations());
  const Evaluation result =
      evaluate_exactly(environment.model(), select(rows, Selection::parse("test", selection)));
  EXPECT_FALSE(result.undefined);
  return result.mean_return;
}

TEST(TrainedNetwork, OfSmallCorridorTakesTheShortestWay) {
  EXPECT_NEAR(exact_return("sc_mdp_ndnf_1.json", "small-corridor", "argmax"), -3, 1e-12);
}

TEST(TrainedNetwork, OfSmallCorridorWithWallsEarnsTheReferencesReturn) {
  EXPECT_NEAR(exact_return("sc_pomdp_ndnf_1.json", "small-corridor:wall", "sample"), -9.0814, 5e-5);
}

TEST(TrainedNetwork, OfLongCorridorWithWallsEarnsTheReferencesReturn) {
  EXPECT_NEAR(exact_return("lc11_pomdp_ndnf_1.json", "long-corridor-11:wall", "sample"), -16.6853, 5e-5);
}

TEST(TrainedNetwork, OfBlackjackEarnsTheReferencesReturns) {
  EXPECT_NEAR(exact_return("bj_ndnf_1.json", "blackjack", "argmax"), -0.054684, 5e-7);
  EXPECT_NEAR(exact_return("bj_ndnf_1.json", "blackjack", "sample"), -0.075948, 5e-7);
}

TEST(TrainedNetwork, OfDoorCorridorOpensAllDoors) {
  EXPECT_NEAR(exact_return("dc_ndnf_1.json", "door-corridor", "argmax"), -8, 1e-12);
}

}  // namespace
}  // namespace ndnf
