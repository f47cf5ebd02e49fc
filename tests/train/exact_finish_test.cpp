#include "ndnf/train/exact_finish.h"

#include <gtest/gtest.h>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/model/build.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/staged_trainer.h"

namespace ndnf {
namespace {

ActorCritic<double> first_network(const Task& environment) {
  RandomSequence random(RandomStream(3, 1));
  ActorOptions actor;
  actor.conjunctions = 4;
  return build_network(environment.model().observations(), actor, {}, {}, random);
}

double return_of(const Task& environment, const ActorCritic<double>& network) {
  const std::size_t actions = environment.model().action_count();
  return evaluate_exactly(environment.model(),
                          tabulate(ActorPolicy(network, actions), environment.model().observations()))
      .mean_return;
}

std::vector<double> weights(const ActorCritic<double>& network) {
  std::vector<double> all;
  visit_parameters(network, [&](const std::string&, Part, const Matrix<double>& m) {
    all.insert(all.end(), m.values().begin(), m.values().end());
  });
  return all;
}

/// The optimum is −8.99298.
TEST(ExactFinish, FindsTheBestMemorylessPolicyOfTheSmallCorridor) {
  const Task environment = make_task("small-corridor:wall");
  ExactFinish<double> finish(environment.model(), first_network(environment), {2000, 0.02});
  double last = 0;
  while (!finish.done()) last = *finish.iterate().exact_return;
  EXPECT_NEAR(last, return_of(environment, finish.policy()), 1e-3);
  EXPECT_NEAR(return_of(environment, finish.policy()), -8.99298, 2e-3);
}

TEST(ExactFinish, NeverReturnsLessThanItWasGiven) {
  const Task environment = make_task("long-corridor-5:wall");
  const ActorCritic<double> before = first_network(environment);
  ExactFinish<double> finish(environment.model(), before, {5, 10});  // steps far too large
  while (!finish.done()) finish.iterate();
  EXPECT_GE(return_of(environment, finish.policy()), return_of(environment, before));
}

TEST(StagedTrainer, ARestoredStateGoesOnToTheSameBitsInEitherStage) {
  const Task environment = make_task("small-corridor:wall");
  struct Both {
    const ExactFinish<double>* first;
    const ExactFinish<double>* second = nullptr;
    std::unique_ptr<StagedTrainer> trainer;
  };
  const auto make = [&](Both& both) {
    auto first = std::make_unique<ExactFinish<double>>(environment.model(), first_network(environment),
                                                       FinishOptions{4, 0.01});
    both.first = first.get();
    both.trainer = std::make_unique<StagedTrainer>(
        std::move(first),
        [&] {
          auto second = std::make_unique<ExactFinish<double>>(environment.model(), both.first->policy(),
                                                              FinishOptions{3, 0.02});
          both.second = second.get();
          return second;
        },
        3);
  };
  Both through;
  make(through);
  for (std::size_t done = 1; done < 7; ++done) {
    EXPECT_EQ(through.trainer->iterate().iteration, done);
    Both resumed;
    make(resumed);
    resumed.trainer->restore("state", through.trainer->state());
    IterationReport last;
    while (!resumed.trainer->done()) last = resumed.trainer->iterate();
    EXPECT_EQ(last.iteration, 7u);
    Both whole;
    make(whole);
    while (!whole.trainer->done()) whole.trainer->iterate();
    EXPECT_EQ(weights(resumed.second->policy()), weights(whole.second->policy()));
  }
}

}  // namespace
}  // namespace ndnf
