#include "ndnf/optimum/endless_optimum.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "mdp/fractions.h"
#include "mdp/small_models.h"
#include "ndnf/optimum/decision_process.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/optimum/return_gradient.h"

namespace ndnf {
namespace {

using testing::add_row;
using testing::endless;
using testing::numbered_states;
using testing::random_model;

/// The best return of all deterministic policies, one by one; −∞ if none ends.
double best_by_enumeration(const FiniteModel& model) {
  const std::size_t states = model.state_count();
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t code = 0; code < std::size_t{1} << states; ++code) {
    std::vector<double> rows;
    for (std::size_t s = 0; s < states; ++s) {
      const double second = static_cast<double>(code >> s & 1);
      rows.insert(rows.end(), {1 - second, second});
    }
    const Evaluation found = evaluate_exactly(model, {2, rows});
    if (found.has_return()) best = std::max(best, found.mean_return);
  }
  return best;
}

TEST(EndlessOptimum, IsTheBestOfAllPolicies) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const double discount : {1.0, 0.99, 0.5}) {
      const FiniteModel model = endless(random_model(seed), discount);
      if (!model.endless()) continue;
      const auto optimum = find_optimum_if_any(model);
      const double best = best_by_enumeration(model);
      if (!optimum) continue;  // rewards without end, see below
      ++found;
      EXPECT_NEAR(optimum->evaluation.mean_return, best, 1e-9 * std::max(1.0, std::abs(best)))
          << seed << ", " << discount;
      EXPECT_EQ(optimum->proof, OptimumProof::kDynamicProgramming) << seed << ", " << discount;
      EXPECT_GE(optimum->bound, best - 1e-12 * std::max(1.0, std::abs(best)));
      EXPECT_LT(optimum->rounding, 1e-6 * std::max(1.0, std::abs(best)));
    }
  }
  EXPECT_GT(found, 400);
}

TEST(EndlessOptimum, ADiscountAndAStepLimitBothApply) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const FiniteModel model = random_model(seed).discounted(0.8);
    const Optimum optimum = find_optimum(model);
    EXPECT_LE(best_by_enumeration(model), optimum.bound + 1e-12);
    EXPECT_NEAR(optimum.evaluation.mean_return, evaluate_exactly(model, optimum.policy).mean_return, 1e-15);
  }
}

/// A corridor without costs: left and right, the end on the right. The first step right may earn something.
FiniteModelData corridor(double reward_of_staying) {
  FiniteModelData data = numbered_states(4, {"left", "right"});
  for (StateId s = 0; s < 3; ++s) {
    add_row(data, {{1, reward_of_staying, s == 0 ? 0 : s - 1, false, -1}});
    add_row(data, {{1, s == 2 ? 1.0 : 0.0, s + 1, s == 2, -1}});
  }
  add_row(data, {});
  add_row(data, {});
  data.starts = {{1, 0}};
  return data;
}

TEST(EndlessOptimum, TiesThatLoopAreNotTaken) {
  const Optimum optimum = find_optimum(FiniteModel(corridor(0)));
  EXPECT_EQ(optimum.evaluation.mean_return, 1);
  EXPECT_EQ(optimum.evaluation.length, 3);
  EXPECT_EQ(optimum.proof, OptimumProof::kDynamicProgramming);
  const PolicyTable ties = with_ties(FiniteModel(corridor(0)), optimum);
  EXPECT_EQ(evaluate_exactly(FiniteModel(corridor(0)), ties).length, 3);
}

TEST(EndlessOptimum, RewardsWithoutEndHaveNoBest) {
  EXPECT_THROW(find_optimum(FiniteModel(corridor(0.001))), NoOptimum);
  const FiniteModel discounted = FiniteModel(corridor(0.5)).discounted(0.9);
  const Optimum optimum = find_optimum(discounted);
  EXPECT_NEAR(optimum.evaluation.mean_return, 5, 1e-12);  // for ever left
  EXPECT_TRUE(std::isinf(optimum.evaluation.length));
}

TEST(EndlessOptimum, NeedsAPolicyThatEnds) {
  FiniteModelData data = numbered_states(2, {"a", "b"});
  add_row(data, {{1, -1, 0, false, -1}});
  add_row(data, {{0.5, -1, 0, false, -1}, {0.5, 0, 1, false, -1}});
  add_row(data, {{1, -1, 0, false, -1}});
  add_row(data, {{1, -1, 1, false, -1}});
  data.starts = {{1, 0}};
  EXPECT_THROW(find_optimum(FiniteModel(data)), NoOptimum);
  EXPECT_FALSE(find_optimum_if_any(FiniteModel(data)));
  EXPECT_NEAR(find_optimum(FiniteModel(data).discounted(0.5)).evaluation.mean_return, -1.2, 1e-12);
}

TEST(EndlessOptimum, AvoidsStatesThatCannotEnd) {
  FiniteModelData data = numbered_states(4, {"risky", "safe"});
  add_row(data, {{0.9, 100, 3, true, -1}, {0.1, 0, 2, false, -1}});  // into the trap
  add_row(data, {{1, -5, 1, false, -1}});
  add_row(data, {{1, -5, 3, true, -1}});
  add_row(data, {{1, -7, 3, true, -1}});
  for (int a = 0; a < 2; ++a) add_row(data, {{1, 0, 2, false, -1}});
  for (int a = 0; a < 2; ++a) add_row(data, {});
  data.starts = {{1, 0}};
  const Optimum optimum = find_optimum(FiniteModel(data));
  EXPECT_EQ(optimum.evaluation.mean_return, -10);
  EXPECT_EQ(optimum.proof, OptimumProof::kDynamicProgramming);
}

/// Every state looks the same: a policy of one probability.
FiniteModel blind(double discount) {
  FiniteModelData data = numbered_states(4, {"left", "right"});
  for (StateId s = 0; s < 3; ++s) data.observation[s] = 0;
  for (StateId s = 0; s < 3; ++s) {
    const StateId right = s == 1 ? 0 : s + 1;  // the doors of state 1 are swapped
    const StateId left = s == 1 ? 2 : s == 0 ? 0 : 1;
    add_row(data, {{1, -1, left, false, -1}});
    add_row(data, {{1, -1, s == 2 ? 3 : right, s == 2, -1}});
  }
  add_row(data, {});
  add_row(data, {});
  data.starts = {{1, 0}};
  data.discount = discount;
  return FiniteModel(data);
}

TEST(EndlessOptimum, OfABlindAgentIsFoundByClimbing) {
  const Optimum optimum = find_optimum(blind(1));
  EXPECT_EQ(optimum.proof, OptimumProof::kBestFound);
  double best = -1e9;
  for (int i = 1; i < 1000; ++i) {
    const double p = i / 1000.0;
    best = std::max(best, evaluate_exactly(blind(1), {2, {1 - p, p, 1, 0, 1, 0, 1, 0}}).mean_return);
  }
  EXPECT_GE(optimum.evaluation.mean_return, best - 1e-9);
  EXPECT_LE(optimum.evaluation.mean_return, optimum.bound);
}

TEST(EndlessOptimum, TheGradientIsThatOfFiniteDifferences) {
  for (const double discount : {1.0, 0.9}) {
    const FiniteModel model = blind(discount);
    const DecisionProcess process(model);
    ReturnGradient objective(process);
    std::vector<double> gradient;
    const auto value = [&](double p) {
      std::vector<double> unused;
      return ReturnGradient(process).evaluate({1 - p, p}, unused);
    };
    EXPECT_NEAR(objective.evaluate({0.4, 0.6}, gradient),
                evaluate_exactly(model, {2, {0.4, 0.6, 1, 0, 1, 0, 1, 0}}).mean_return, 1e-12);
    const double slope = (value(0.6 + 1e-6) - value(0.6 - 1e-6)) / 2e-6;
    EXPECT_NEAR(gradient[1] - gradient[0], slope, 1e-6);
    EXPECT_EQ(discount < 1, std::isfinite(value(0)));  // for ever left
  }
}

}  // namespace
}  // namespace ndnf
