#include "ndnf/train/planning.h"

#include <bit>

#include <gtest/gtest.h>

#include "base/error_of.h"
#include "mdp/small_models.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::error_of;

PlanOptions quick(std::int64_t steps) {
  PlanOptions options;
  options.total_timesteps = steps;
  return options;
}

/// A chain of states against a current, with a little reward at its start and a large one at its end.
FiniteModel river() {
  constexpr StateId kLength = 6;
  FiniteModelData data = testing::numbered_states(kLength, {"left", "right"});
  for (StateId s = 0; s < kLength; ++s) {
    testing::add_row(data, {{1, s == 0 ? 0.005 : 0, s == 0 ? 0 : s - 1, false, -1}});
    if (s == 0) {
      testing::add_row(data, {{0.4, 0, 0, false, -1}, {0.6, 0, 1, false, -1}});
    } else if (s == kLength - 1) {
      testing::add_row(data, {{0.4, 0, s - 1, false, -1}, {0.6, 1, s, false, -1}});
    } else {
      testing::add_row(data,
                       {{0.05, 0, s - 1, false, -1}, {0.6, 0, s, false, -1}, {0.35, 0, s + 1, false, -1}});
    }
  }
  data.starts = {{1, 0}};
  data.step_limit = 40;
  return FiniteModel(std::move(data));
}

/// A trainer on a model; the model must outlive it.
struct Planner {
  explicit Planner(const FiniteModel& model, const PlanOptions& options, std::uint64_t seed,
                   std::function<bool(const BestActions&)> solved = nullptr, const ActionMask* mask = nullptr)
      : sampler(std::make_shared<const TransitionSampler>(model)),
        trainer(std::make_unique<TableEnv>(sampler, static_cast<std::size_t>(options.num_envs)), options,
                model.horizon(), seed, mask, std::move(solved)) {}

  void finish() {
    while (!trainer.done()) trainer.iterate();
  }
  std::vector<std::size_t> first_actions() const {
    std::vector<std::size_t> actions;
    for (const std::uint64_t bits : trainer.best_actions())
      actions.push_back(static_cast<std::size_t>(std::countr_zero(bits)));
    return actions;
  }

  std::shared_ptr<const TransitionSampler> sampler;
  PlanningTrainer trainer;
};

TEST(Planning, FindsAFarRewardAgainstTheCurrent) {
  const FiniteModel model = river();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Planner planner(model, quick(200'000), seed);
    planner.finish();
    EXPECT_EQ(planner.first_actions(), std::vector<std::size_t>(6, 1)) << seed;
  }
}

TEST(Planning, EndsWhenThePolicyIsGoodForLong) {
  const FiniteModel model = river();
  int asked = 0;
  Planner planner(model, quick(1'000'000), 0, [&](const BestActions&) { return ++asked > 3; });
  planner.finish();
  EXPECT_EQ(asked, 3 + 8);
}

TEST(Planning, IsResumedToTheSameBytes) {
  const FiniteModel model = river();
  Planner whole(model, quick(20'000), 7);
  Planner first(model, quick(20'000), 7);
  for (int i = 0; i < 5; ++i) first.trainer.iterate();
  Planner second(model, quick(20'000), 7);
  second.trainer.restore("state", first.trainer.state());
  whole.finish();
  second.finish();
  EXPECT_TRUE(whole.trainer.state() == second.trainer.state());
}

TEST(Planning, ShorterRunsAreTheBeginningOfLongerOnes) {
  const FiniteModel model = river();
  Planner longer(model, quick(1'000'000), 3);
  std::size_t steps = 0;
  for (int i = 0; i < 12; ++i) steps = longer.trainer.iterate().steps;
  Planner shorter(model, quick(static_cast<std::int64_t>(steps)), 3);
  for (int i = 0; i < 12; ++i) shorter.trainer.iterate();
  EXPECT_TRUE(shorter.trainer.done());
  EXPECT_TRUE(shorter.trainer.state().tensors.at("model.results") ==
              longer.trainer.state().tensors.at("model.results"));
}

TEST(Planning, TakesOnlyAllowedActions) {
  const FiniteModel model = river();
  const ActionMask left(2, std::vector<std::uint64_t>(6, 0b01));
  Planner planner(model, quick(10'000), 0, nullptr, &left);
  planner.finish();
  EXPECT_EQ(planner.trainer.best_actions()[0], 0b01u);
  EXPECT_EQ(planner.trainer.best_actions().size(), 1u);  // it never got anywhere
}

TEST(EpisodeModel, EstimatesWhatItHasSeen) {
  EpisodeModel seen(2);
  seen.add_start(0);
  seen.add(0, 0, 1, false, 1);
  seen.add(0, 0, 1, false, 1);
  seen.add(0, 0, 0, true, -1);
  seen.add(1, 1, 0, true, 5);
  auto table = std::make_shared<ObservationTable>(testing::numbered_vocabulary(2, {"a", "b"}));
  table->intern(std::vector<std::uint32_t>{0});
  table->intern(std::vector<std::uint32_t>{1});
  const FiniteModel model = seen.estimated(table, 10);
  ASSERT_EQ(model.outcomes(0, 0).size(), 2u);
  EXPECT_NEAR(model.outcomes(0, 0)[0].probability, 2.0 / 3, 1e-15);
  EXPECT_TRUE(model.outcomes(0, 0)[1].terminal);
  ASSERT_TRUE(model.offered());
  EXPECT_EQ(model.offered()->bits(0), 0b01u);
  EXPECT_EQ(model.offered()->bits(1), 0b10u);
}

TEST(EpisodeModel, RefusesObservationsThatDoNotExist) {
  EpisodeModel seen(2);
  seen.add(3, 1, 2, false, 0);
  TensorFile file;
  seen.save(file);
  EXPECT_NE(error_of([&] { EpisodeModel(2).restore("state", file, 3); }).find("does not exist"),
            std::string::npos);
}

}  // namespace
}  // namespace ndnf
