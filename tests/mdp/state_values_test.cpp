#include "ndnf/mdp/state_values.h"

#include <cmath>

#include <gtest/gtest.h>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

double from_starts(const FiniteModel& model, const std::vector<double>& values) {
  double sum = 0;
  for (const Start& start : model.starts()) sum += start.probability * values[start.state];
  return sum;
}

TEST(StateValues, OfTheStartsGiveTheExactReturnOfEveryTask) {
  for (const TaskKind& kind : task_kinds()) {
    const Task task = make_task(kind.name);
    if (!task.is_finite()) continue;
    const FiniteModel& model = task.model();
    for (const PolicyTable& policy : {uniform_policy(model.observations()), find_optimum(model).policy}) {
      for (const double discount : {1.0, 0.9}) {
        const FiniteModel discounted = model.discounted(discount);
        EXPECT_NEAR(from_starts(discounted, state_values(discounted, policy)),
                    evaluate_exactly(discounted, policy).mean_return, 1e-9)
            << kind.name << ", discount " << discount;
      }
    }
  }
}

/// A corridor 0 – 1 – 2, with the end behind 2, a reward of −1 for each step and no step limit.
FiniteModel endless_corridor(double discount) {
  auto vocabulary =
      std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::numbered("at", "at(", 4, ")")},
                                   std::vector<std::string>{"left", "right"});
  auto table = std::make_shared<ObservationTable>(vocabulary);
  FiniteModelData data;
  for (std::uint32_t s = 0; s < 3; ++s) {
    const ObsId obs = table->intern(std::vector<std::uint32_t>{s});
    data.add_state(
        obs, std::vector<std::vector<Outcome>>{{{1, -1, s == 0 ? 0 : s - 1}}, {{1, -1, s + 1, s == 2}}});
  }
  data.add_state(table->intern(std::vector<std::uint32_t>{3}), std::vector<std::vector<Outcome>>(2));
  data.observations = table;
  data.starts = {{1, 0}};
  data.discount = discount;
  return FiniteModel(std::move(data));
}

TEST(StateValues, WithoutAStepLimitSolveTheEquations) {
  const PolicyTable right(2, {0, 1, 0, 1, 0, 1, 0, 1});
  const std::vector<double> plain = state_values(endless_corridor(1), right);
  EXPECT_NEAR(plain[0], -3, 1e-12);
  EXPECT_NEAR(plain[2], -1, 1e-12);
  EXPECT_TRUE(std::isnan(plain[3]));  // the end
  const std::vector<double> discounted = state_values(endless_corridor(0.5), right);
  EXPECT_NEAR(discounted[0], -1.75, 1e-12);
}

TEST(StateValues, AreMissingWhereThereIsNoReturn) {
  const FiniteModel model = endless_corridor(1);
  // Left in 0 for ever, right from 1 on: only 0 has no return.
  const std::vector<double> stays = state_values(model, PolicyTable(2, {1, 0, 0, 1, 0, 1, 0, 1}));
  EXPECT_TRUE(std::isnan(stays[0]));
  EXPECT_NEAR(stays[1], -2, 1e-12);
  // No action in 2: every state leads there.
  for (const double value : state_values(model, PolicyTable(2, {0, 1, 0, 1, 0, 0, 0, 1})))
    EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace ndnf
