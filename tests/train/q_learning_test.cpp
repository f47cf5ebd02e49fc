#include "ndnf/train/q_learning.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/model/q_table.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"
#include "train/foreign_env.h"
#include "train/run.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using testing::run;
using ::testing::ThrowsMessage;

/// A model ready for walkers.
class QTask {
 public:
  explicit QTask(FiniteModel model) : model_(std::move(model)), sampler_(model_) {}
  explicit QTask(const char* env) : QTask(make_task(env).model()) {}

  std::unique_ptr<VectorEnv> walkers(std::size_t count = 1) const {
    return std::make_unique<TableEnv>(sampler_, count);
  }
  QLearningTrainer trainer(const QLearningOptions& options, TdTarget target = TdTarget::kBest,
                           std::uint64_t seed = 0) const {
    return {walkers(), options, target, seed};
  }
  const FiniteModel& model() const { return model_; }

 private:
  const FiniteModel model_;
  const TransitionSampler sampler_;
};

double exact_return(const QTask& task, const QLearningTrainer& trainer) {
  const QTablePolicy policy(make_q_table(trainer.observations(), trainer.q()));
  return evaluate_exactly(task.model(), tabulate(policy, task.model().observations())).mean_return;
}

/// s0 → s1 → end with rewards 1 and 2, and nothing to decide.
FiniteModel two_steps() {
  FiniteModelData data = testing::numbered_states(3, {"go"});
  testing::add_row(data, {{1, 1, 1, false, -1}});
  testing::add_row(data, {{1, 2, 2, true, -1}});
  testing::add_row(data, {});
  data.starts = {{1, 0}};
  data.step_limit = 10;
  return FiniteModel(data);
}

TEST(QLearning, MatchesTwoEpisodesByHand) {
  const QTask task(two_steps());
  QLearningTrainer trainer = task.trainer({2, 0.9, 0.5, 1, 1, 10});
  trainer.iterate();
  EXPECT_EQ(trainer.q()(0, 0), 0.5);
  EXPECT_EQ(trainer.q()(1, 0), 1);
  EXPECT_FALSE(trainer.done());
  trainer.iterate();
  EXPECT_DOUBLE_EQ(trainer.q()(0, 0), 0.5 + 0.5 * (1 + 0.9 * 1 - 0.5));
  EXPECT_EQ(trainer.q()(1, 0), 1.5);
  EXPECT_TRUE(trainer.done());
}

TEST(QLearning, AnEpisodeCutOffAtTheStepLimitStillHasAFuture) {
  FiniteModelData data = testing::numbered_states(1, {"stay"});
  testing::add_row(data, {{1, 1, 0, false, -1}});
  data.starts = {{1, 0}};
  data.step_limit = 1;
  const QTask task{FiniteModel(data)};
  QLearningTrainer trainer = task.trainer({1000, 0.5, 0.1, 0, 0, 10});
  run(trainer);
  EXPECT_NEAR(trainer.q()(0, 0), 2, 1e-9);  // 1 + 0.5 + 0.25 + …
}

/// After s1 the reward is +1 or −1, depending on the action.
FiniteModel choice_at_the_end() {
  FiniteModelData data = testing::numbered_states(3, {"left", "right"});
  for (int action = 0; action < 2; ++action) testing::add_row(data, {{1, 0, 1, false, -1}});
  testing::add_row(data, {{1, 1, 2, true, -1}});
  testing::add_row(data, {{1, -1, 2, true, -1}});
  for (int action = 0; action < 2; ++action) testing::add_row(data, {});
  data.starts = {{1, 0}};
  data.step_limit = 10;
  return FiniteModel(data);
}

// The goal looks like the square before it, so valuing it by its observation makes every step look the same.
TEST(QLearning, TheEndIsWorthNothingUnlessItIsValuedByItsLooks) {
  const QTask task("long-corridor-5:wall,start=2,goal=1,special=[3]");
  for (const bool by_looks : {false, true}) {
    QLearningTrainer trainer = task.trainer({2000, 0.5, 0.5, 0.1, 0.1, 10, by_looks});
    run(trainer);
    const double* middle = trainer.q().row(task.model().observation(2));
    EXPECT_NEAR(std::max(middle[0], middle[1]), by_looks ? -2 : -1, 0.05);
  }
}

TEST(QLearning, ValuesTheBestNextActionAndSarsaTheTakenOne) {
  const QTask task(choice_at_the_end());
  const QLearningOptions random_actions{20000, 1, 0.01, 1, 1, 10};
  QLearningTrainer best = task.trainer(random_actions, TdTarget::kBest);
  QLearningTrainer taken = task.trainer(random_actions, TdTarget::kTaken);
  run(best);
  run(taken);
  EXPECT_NEAR(best.q()(0, 0), 1, 0.01);
  EXPECT_NEAR(taken.q()(0, 0), 0, 0.2);
}

TEST(QLearning, EpsilonFallsExponentiallyWithTheSteps) {
  const QTask task(two_steps());
  QLearningTrainer trainer = task.trainer({400, 0.9, 0.5, 0.9, 0.05, 100});
  for (int i = 0; i < 50; ++i) trainer.iterate();
  const IterationReport report = trainer.iterate();
  EXPECT_EQ(report.steps, 51u * 2 * 2);
  EXPECT_NEAR(*report.epsilon, 0.05 + 0.85 * std::exp(-204.0 / 100), 1e-12);
  EXPECT_EQ(report.episodes, 2u);
  EXPECT_EQ(*report.episodic_return, 3);
  EXPECT_EQ(*report.episodic_length, 2);
}

TEST(QLearning, SolvesTaxiWithThePapersSettings) {
  const QTask task("taxi");
  QLearningTrainer trainer = task.trainer({10000, 0.99, 0.2, 0.9, 0.05, 10000});
  run(trainer);
  EXPECT_NEAR(exact_return(task, trainer), 7.93, 0.05);
}

TEST(QLearning, SeveralWalkersLearnTogether) {
  const QTask task("small-corridor");
  QLearningTrainer trainer(task.walkers(7), {20000, 0.95, 0.01, 1, 0.1, 50000}, TdTarget::kTaken, 3);
  run(trainer);
  EXPECT_EQ(exact_return(task, trainer), -3);
}

TEST(QLearning, ATableThatGrowsGivesTheSameValues) {
  const QTask task("blackjack");
  const QLearningOptions options{2000, 0.95, 0.1, 1, 0.1, 5000};
  QLearningTrainer known = task.trainer(options);
  QLearningTrainer growing(std::make_unique<testing::ForeignEnv>(task.walkers()), options, TdTarget::kBest,
                           0);
  run(known);
  run(growing);
  ASSERT_GT(growing.q().rows(), 100u);
  for (ObsId obs = 0; obs < growing.q().rows(); ++obs) {
    for (ObsId other = 0; other < known.q().rows(); ++other) {
      if (growing.observations().facts(obs) != known.observations().facts(other)) continue;
      for (ActionId a = 0; a < 2; ++a) EXPECT_EQ(growing.q()(obs, a), known.q()(other, a));
    }
  }
}

TEST(QLearning, ARestoredTrainingGoesOnAsIfNothingHadHappened) {
  const QTask task("blackjack");
  for (const TdTarget target : {TdTarget::kBest, TdTarget::kTaken}) {
    const QLearningOptions options{3000, 0.95, 0.1, 1, 0.1, 1000};
    QLearningTrainer whole = task.trainer(options, target, 5);
    for (int i = 0; i < 77; ++i) whole.iterate();
    QLearningTrainer restored = task.trainer(options, target, 5);
    restored.restore("state", whole.state());
    run(whole);
    run(restored);
    EXPECT_TRUE(
        std::equal(whole.q().values().begin(), whole.q().values().end(), restored.q().values().begin()));
  }
}

TEST(QLearning, RefusesAStateThatDoesNotFit) {
  const QTask task("small-corridor");
  QLearningTrainer trainer = task.trainer({});
  TensorFile state = trainer.state();
  state.tensors["actions"] = Tensor::of(std::vector<ActionId>{9});
  EXPECT_THAT([&] { trainer.restore("state", state); },
              ThrowsMessage<Error>(HasSubstr("an action that does not exist")));
  state = task.trainer({}).state();
  state.tensors["q"] = Tensor::of(std::vector<double>{1});
  EXPECT_THAT([&] { trainer.restore("state", state); }, ThrowsMessage<Error>(HasSubstr("q has 1 numbers")));
}

}  // namespace
}  // namespace ndnf
