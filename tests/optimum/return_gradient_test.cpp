#include "ndnf/optimum/return_gradient.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Rows need not be distributions to compare gradients.
TEST(ReturnGradient, MatchesFiniteDifferences) {
  for (const char* name : {"long-corridor-5:wall", "door-corridor"}) {
    const Task environment = make_task(name);
    const DecisionProcess process(environment.model());
    ReturnGradient objective(process);
    std::vector<double> rows(process.observations().size() * process.action_count(),
                             1.0 / static_cast<double>(process.action_count()));
    std::vector<double> gradient;
    std::vector<double> ignored;
    objective.evaluate(rows, gradient);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      constexpr double kStep = 1e-5;
      const double before = rows[i];
      rows[i] = before + kStep;
      const double above = objective.evaluate(rows, ignored);
      rows[i] = before - kStep;
      const double below = objective.evaluate(rows, ignored);
      rows[i] = before;
      EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-4 * std::max(1.0, std::abs(gradient[i])));
    }
  }
}

TEST(ReturnGradient, ValueIsTheExactReturn) {
  const Task environment = make_task("blackjack");
  const DecisionProcess process(environment.model());
  const std::vector<double> rows(process.observations().size() * 2, 0.5);
  std::vector<double> gradient;
  const double uniform =
      evaluate_exactly(environment.model(), uniform_policy(environment.model().observations())).mean_return;
  EXPECT_NEAR(ReturnGradient(process).evaluate(rows, gradient), uniform, 1e-12);
}

}  // namespace
}  // namespace ndnf
