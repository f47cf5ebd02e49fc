#include "ndnf/simulation/simulate.h"

#include <gtest/gtest.h>

#include "ndnf/optimum/optimum.h"
#include "ndnf/simulation/played_episode.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Looks rows up in a table.
class TabledPolicy final : public Policy {
 public:
  explicit TabledPolicy(PolicyTable table) : table_(std::move(table)) {}
  std::size_t action_count() const override { return table_.action_count(); }
  void probabilities(const ObservationTable&, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    for (std::size_t i = 0; i < ids.size(); ++i)
      std::ranges::copy(table_.row(ids[i]), rows.begin() + static_cast<std::ptrdiff_t>(i * action_count()));
  }

 private:
  PolicyTable table_;
};

TEST(EvaluateBySimulation, AgreesWithTheExactFigures) {
  for (const char* spec : {"blackjack", "taxi", "long-corridor-5:wall", "crossing"}) {
    SCOPED_TRACE(spec);
    const Task task = make_task(spec);
    const PolicyTable rows = find_optimum(task.model()).policy;
    const Selection often = Selection::parse("", "epsilon:0.2");
    const Evaluation exact = evaluate_exactly(task.model(), select(rows, often));
    const Evaluation sampled =
        evaluate_by_simulation(task.environments, TabledPolicy(rows), often, {20000, 1, 2, nullptr});
    EXPECT_FALSE(sampled.exact);
    EXPECT_EQ(sampled.expected_return().episodes, 20000u);
    EXPECT_NEAR(sampled.mean_return, exact.mean_return, 4 * sampled.standard_error);
    EXPECT_NEAR(sampled.length, exact.length, 0.05 * exact.length);
    EXPECT_NEAR(sampled.terminated, exact.terminated, 0.02);
  }
}

TEST(EvaluateBySimulation, DoesNotDependOnThreads) {
  const Task task = make_task("blackjack");
  const TabledPolicy policy(uniform_policy(task.model().observations()));
  const Evaluation one = evaluate_by_simulation(task.environments, policy, {}, {3000, 4, 1, nullptr});
  const Evaluation two = evaluate_by_simulation(task.environments, policy, {}, {3000, 4, 2, nullptr});
  EXPECT_EQ(one.mean_return, two.mean_return);
  EXPECT_EQ(one.length, two.length);
}

TEST(EvaluateBySimulation, NamesAnObservationInWhichThePolicyIsUndefined) {
  const Task task = make_task("small-corridor");
  const std::size_t actions = task.vocabulary->action_count();
  const TabledPolicy nothing(
      PolicyTable(actions, std::vector<double>(task.model().observations().size() * actions, 0.0)));
  const Evaluation result = evaluate_by_simulation(task.environments, nothing, {}, {10, 0, 1, nullptr});
  ASSERT_TRUE(result.undefined);
  EXPECT_EQ(result.undefined->described, "in_s_0");
  EXPECT_EQ(result.undefined->defect, "names no action");
}

TEST(SampleObservations, FindsWhatThePolicyVisitsAndHowOften) {
  const Task task = make_task("small-corridor");
  const PolicyTable rows = find_optimum(task.model()).policy;
  const ObservationSample sample =
      sample_observations(task.environments, TabledPolicy(rows), {}, 100, {50, 0, 1, nullptr});
  const Evaluation exact = evaluate_exactly(task.model(), rows);
  ASSERT_EQ(sample.episodes, 50u);
  std::size_t visited = 0;
  for (const double visits : exact.visits) visited += visits > 0 ? 1 : 0;
  ASSERT_EQ(sample.table->size(), visited);
  for (ObsId obs = 0; obs < sample.table->size(); ++obs) EXPECT_EQ(sample.visits[obs], 1);
}

/// Offers all actions but one in each of the rows it shows.
class PickyEnv final : public VectorEnv {
 public:
  PickyEnv(std::unique_ptr<VectorEnv> inner, ActionId never)
      : inner_(std::move(inner)),
        never_(never),
        offered_(ActionMask::all(observations().vocabulary().action_count(), observations().size())) {
    const std::uint64_t all = offered_.bits(0);
    for (ObsId obs = 0; obs < offered_.size(); ++obs) offered_.set(obs, all & ~(std::uint64_t{1} << never));
  }
  std::size_t size() const override { return inner_->size(); }
  const ObservationTable& observations() const override { return inner_->observations(); }
  const ActionMask* offered() const override { return &offered_; }
  std::span<const ObsId> reset(std::uint64_t seed) override { return inner_->reset(seed); }
  VectorStep step(std::span<const ActionId> actions) override {
    for (const ActionId action : actions) EXPECT_NE(action, never_);
    return inner_->step(actions);
  }

 private:
  std::unique_ptr<VectorEnv> inner_;
  const ActionId never_;
  ActionMask offered_;
};

TEST(OfferedRows, ActionsThatAreNotOfferedAreNeverTaken) {
  const Task task = make_task("blackjack");
  const EnvFactory picky = [&task](std::size_t count, std::uint64_t stream) {
    return std::make_unique<PickyEnv>(task.environments(count, stream), 1);
  };
  const TabledPolicy uniform(uniform_policy(task.model().observations()));
  for (const char* select : {"sample", "argmax", "epsilon:0.5"}) {
    const Evaluation result =
        evaluate_by_simulation(picky, uniform, Selection::parse("", select), {1000, 1, 1, nullptr});
    EXPECT_EQ(result.length, 1) << select;  // only stick is left
  }
  EXPECT_EQ(play_episode(picky, uniform, {}, 1, 100).steps.size(), 1u);
  const ObservationSample sample = sample_observations(picky, uniform, {}, 1000, {100000, 0, 1, nullptr});
  ASSERT_TRUE(sample.offered);
  for (ObsId obs = 0; obs < sample.table->size(); ++obs) EXPECT_EQ(sample.rows_of(uniform).row(obs)[0], 1);
  const FiniteModel model = decision_model(sample);
  ASSERT_TRUE(model.offered());
  EXPECT_EQ(model.offered()->bits(0), 1u);
}

TEST(SampleObservations, StopsWhenHalfOfTheEpisodesHaveShownNothingNew) {
  const Task task = make_task("blackjack");
  const TabledPolicy uniform(uniform_policy(task.model().observations()));
  const ObservationSample sample =
      sample_observations(task.environments, uniform, {}, 1000, {1000000, 0, 1, nullptr});
  EXPECT_EQ(sample.table->size(), 280u);
  EXPECT_LT(sample.episodes, 100000u);
}

}  // namespace
}  // namespace ndnf
