#include "ndnf/mdp/induced_chain.h"

#include <gmock/gmock.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// The actions that may be taken in a state, with their probabilities.
std::vector<std::pair<ActionId, double>> actions(const InducedChain& chain, StateId s) {
  std::vector<std::pair<ActionId, double>> all;
  chain.for_each_action(s, [&](ActionId a, double probability) { all.emplace_back(a, probability); });
  return all;
}

/// Probabilities of action and outcome, and where the outcome leads.
std::vector<std::tuple<double, double, StateId>> steps(const InducedChain& chain, StateId s) {
  std::vector<std::tuple<double, double, StateId>> all;
  chain.for_each_step(s, [&](double taken, const Outcome& outcome) {
    all.emplace_back(taken, outcome.probability, outcome.next);
  });
  return all;
}

TEST(InducedChain, HasOnlyTheActionsThatThePolicyTakes) {
  const FiniteModel model(testing::gambler());
  const PolicyTable policy(2, {1, 0, 0.25, 0.75, 0, 0, 1, 1});
  const InducedChain chain(model, policy);
  EXPECT_THAT(actions(chain, 0), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(actions(chain, 1), ElementsAre(Pair(0, 0.25), Pair(1, 0.75)));
  EXPECT_THAT(actions(chain, 2), IsEmpty());  // names no action
  EXPECT_THAT(actions(chain, 3), IsEmpty());  // names two
}

TEST(InducedChain, KeepsTheProbabilitiesOfActionAndOutcomeApart) {
  const FiniteModel model(testing::gambler());
  const PolicyTable policy(2, {1, 0, 0.25, 0.75, 1, 0, 1, 0});
  const InducedChain chain(model, policy);
  std::vector<std::tuple<double, double, StateId>> expected;
  for (ActionId a = 0; a < 2; ++a) {
    for (const Outcome& outcome : model.outcomes(1, a)) {
      expected.emplace_back(a == 0 ? 0.25 : 0.75, outcome.probability, outcome.next);
    }
  }
  EXPECT_EQ(steps(chain, 1), expected);
  EXPECT_THAT(steps(chain, 0), IsEmpty());  // an end state
}

}  // namespace
}  // namespace ndnf
