#include "ndnf/simulation/simulate.h"

#include <gtest/gtest.h>

#include "ndnf/optimum/optimum.h"
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

}  // namespace
}  // namespace ndnf
