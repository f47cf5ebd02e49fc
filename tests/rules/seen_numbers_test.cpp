#include "ndnf/rules/seen_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/rules/rule_policy.h"
#include "ndnf/rules/rule_trainer.h"
#include "ndnf/tasks/registry.h"
#include "rules/small_features.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The car in the valley, whose velocity rules see on this grid.
PlayedTask valley_on(const Grid& velocity) {
  const Task task = make_task("mountain-car");
  std::vector<Quantity> numbers = task.vocabulary->quantities();
  numbers.at(1).grid = velocity;
  const auto vocabulary =
      std::make_shared<const Vocabulary>(std::vector<AtomGroup>{}, task.vocabulary->actions(), numbers);
  return {task.environments, std::make_shared<const Features>("valley", vocabulary, numbers.size()), 1, 1,
          task.step_limit};
}

/// Pushes the car where it rolls, by the number itself: it gets out of the valley.
class ByVelocity final : public Policy {
 public:
  std::size_t action_count() const override { return 3; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    std::fill(rows.begin(), rows.end(), 0.0);
    for (std::size_t i = 0; i < ids.size(); ++i) rows[3 * i + (table.dense(ids[i])[1] <= 0 ? 0 : 2)] = 1;
  }
};

/// What a teacher earns on the grid and with exact numbers, as the last warning says.
std::pair<double, double> returns_in(const std::string& warning) {
  const auto number_after = [&](const std::string& words) {
    return std::stod(warning.substr(warning.find(words) + words.size()));
  };
  return {number_after("earns "), number_after("exact ones ")};
}

TEST(SeenNumbers, GridsThatFitNeedNoWord) {
  const Task task = make_task("mountain-car");
  const GridReport report =
      examine_grids(valley_on(*task.vocabulary->quantities().at(1).grid), ByVelocity(), 3);
  EXPECT_THAT(report.warnings, ElementsAre());
  EXPECT_GT(report.steps, 2 * 32 * 80u) << "it looked";
}

TEST(SeenNumbers, ARangeThatIsWrongByAMillionIsSaidWithWhatItCosts) {
  const GridReport report = examine_grids(valley_on(Grid::covering(1e6, 1e6 + 10, 1)), ByVelocity(), 3);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_THAT(report.warnings[0], AllOf(HasSubstr("velocity was never within its range 1000000 to 1000010"),
                                        HasSubstr("rules cannot tell its values apart")));
  const auto [on_grid, exact] = returns_in(report.warnings[1]);
  EXPECT_EQ(on_grid, -200) << "always the same action never gets there";
  EXPECT_GT(exact, -150);
}

TEST(SeenNumbers, AQuantumThatIsTooCoarseIsSaid) {
  for (const double quantum : {1.0, 1e6}) {
    const GridReport report =
        examine_grids(valley_on(Grid::covering(-quantum / 2, quantum / 2, quantum)), ByVelocity(), 3);
    ASSERT_EQ(report.warnings.size(), 2u);
    EXPECT_THAT(report.warnings[0], AllOf(HasSubstr("velocity was -0.0"),
                                          HasSubstr("of which rules see 2 values"), HasSubstr("is coarse")));
    const auto [on_grid, exact] = returns_in(report.warnings[1]);
    EXPECT_EQ(on_grid, exact) << "two steps, above 0 and not, are all that this teacher needs";
  }
}

TEST(SeenNumbers, ARangeThatIsOftenLeftIsSaid) {
  const GridReport report = examine_grids(valley_on(Grid::covering(-0.01, 0.01, 0.0001)), ByVelocity(), 3);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_THAT(report.warnings[0], AllOf(HasSubstr("velocity was outside its range -0.01 to 0.01 in "),
                                        HasSubstr(" % of the decisions")));
}

TEST(SeenNumbers, FewValuesThatAreAllThereAreNotTooFew) {
  SeenNumbers seen(small_features());
  ObservationTable table(small_features()->shared_vocabulary(), 2);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<float> numbers{static_cast<float>(i % 2), static_cast<float>(i) * 0.01f};
    seen(table, table.intern(std::vector<std::uint32_t>{0}, numbers));
  }
  EXPECT_THAT(seen.remarks(), ElementsAre()) << "a number that is 0 or 1";
}

RulesOptions few_steps() {
  RulesOptions options;
  options.total_timesteps = 20'000;
  options.rounds = 1;
  options.states = 256;
  options.episodes = 20;
  return options;
}

TEST(SeenNumbers, ASearchWarnsOfItsGridsAlsoWhenItIsResumed) {
  const PlayedTask task = valley_on(Grid::covering(1e6, 1e6 + 10, 1));
  const TeacherSource teacher{std::make_shared<const ByVelocity>(), nullptr, 0, nullptr};
  RuleTrainer whole(task, few_steps(), teacher, 7);
  whole.iterate();
  EXPECT_THAT(whole.front().warnings, ElementsAre(HasSubstr("never within"), HasSubstr("the teacher earns")));
  RuleTrainer resumed(task, few_steps(), teacher, 7);
  resumed.restore("state", whole.state());
  EXPECT_EQ(resumed.front().warnings, whole.front().warnings);
  while (!whole.done()) whole.iterate();
  while (!resumed.done()) resumed.iterate();
  EXPECT_EQ(resumed.state(), whole.state());
  EXPECT_THAT(whole.front().warnings, ElementsAre(HasSubstr("never within"), HasSubstr("the teacher earns"),
                                                  HasSubstr("20000 steps are too few: the search took ")));
  RuleTrainer read(task, few_steps(), teacher, 7);
  read.restore("state", whole.state());
  EXPECT_EQ(read.front().warnings, whole.front().warnings);
}

/// A number that is drawn anew in each step, without an end; 1 for each action where it is positive.
class Endless {
 public:
  struct State {
    double number = 0;
  };

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return 1'000'000; }  // of the simulation: the task has none
  State start(RandomSequence& random) const { return {2 * random.uniform() - 1}; }
  WorldStep step(State& state, ActionId action, RandomSequence& random) const {
    const double reward = (state.number > 0) == (action == 1) ? 1 : 0;
    state = start(random);
    return {reward, false};
  }
  void observe(const State& state, std::span<std::uint32_t>, std::span<float> dense) const {
    dense[0] = static_cast<float>(state.number);
  }
  bool is_valid(const State&) const { return true; }

 private:
  std::shared_ptr<const Vocabulary> vocabulary_ =
      std::make_shared<const Vocabulary>(std::vector<AtomGroup>{}, std::vector<std::string>{"wait", "press"},
                                         std::vector<Quantity>{quantity("level", "", -1, 1, 0.001)});
};

TEST(RuleTrainer, CutsEpisodesThatNeverEndAndSaysSo) {
  const Task task = streamed_task(std::make_shared<const Endless>());
  const PlayedTask endless{task.environments, std::make_shared<const Features>("endless", task.vocabulary, 1),
                           1, 1, std::nullopt};
  const auto teacher =
      std::make_shared<const RulePolicy>(RuleList{{{{{{{0, 1}}, 0, true}}, 1}}, 0}, endless.features);
  RuleTrainer trainer(endless, few_steps(), {teacher, nullptr, 0, nullptr}, 7);
  std::size_t steps = 0;
  while (!trainer.done()) steps = trainer.iterate().steps;
  EXPECT_LT(steps, 2'000'000u);
  EXPECT_EQ(trainer.front().pick().figures.mean, 1000);
  EXPECT_THAT(trainer.front().warnings,
              ::testing::Contains(
                  HasSubstr("no episode ended within 1000 steps: sampled returns are of the first 1000; "
                            "give the task a step limit")));
}

}  // namespace
}  // namespace ndnf
