#include "ndnf/training/rule_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/rules/rule_policy.h"

namespace ndnf {
namespace {

/// A lamp that is on or off and a number from −1 to 1, both drawn anew in each of ten steps. `press` is right
/// where the lamp is on and the number is above 0.3.
class LampAndNumber {
 public:
  struct State {
    double number = 0;
    std::uint64_t lamp = 0;
  };

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return 10; }
  State start(RandomSequence& random) const { return {2 * random.uniform() - 1, random.below(2)}; }
  WorldStep step(State& state, ActionId action, RandomSequence& random) const {
    const bool press = state.lamp == 1 && state.number > 0.3;
    const double reward = press == (action == 1) ? 1 : 0;
    state = start(random);
    return {reward, false};
  }
  void observe(const State& state, std::span<std::uint32_t> values, std::span<float> dense) const {
    values[0] = static_cast<std::uint32_t>(state.lamp);
    dense[0] = static_cast<float>(state.number);
  }
  bool is_valid(const State&) const { return true; }

 private:
  std::shared_ptr<const Vocabulary> vocabulary_ = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::single("lamp")}, std::vector<std::string>{"wait", "press"},
      std::vector<Quantity>{quantity("level", "", -1, 1, 0.001)});
};

TEST(RuleLearner, LearnsRulesOverAtomsAndNumbersTogether) {
  Task task = streamed_task(std::make_shared<const LampAndNumber>());
  task.spec = "lamp";
  const TrainConfig config = parse_train_config("test", R"(
env = "lamp"
method = "rules"
[actor]
model = "mlp"
hidden = [32]
[ppo]
total_timesteps = 40960
num_envs = 16
num_steps = 128
learning_rate = 3e-3
scale_inputs = true
scale_rewards = true
[rules]
total_timesteps = 300000
rounds = 3
states = 1024
episodes = 200
[eval]
select = "argmax"
)");
  const auto trainer = make_rule_trainer(config, task, nullptr, 1);
  std::uint64_t steps = 0;
  while (!trainer->done()) steps = trainer->iterate().steps;
  const LearnedRules learned = learned_rules(*trainer, config, task, steps);
  const FrontEntry& pick = learned.front.pick();
  EXPECT_GT(pick.figures.mean, 9.8) << "of 10";
  EXPECT_EQ(pick.list.literal_count(), 2u);
  EXPECT_FALSE(learned.teacher) << "no other command could read it";

  // The printed program decides as the list does.
  const std::string text = program_text(learned, pick);
  EXPECT_THAT(text, ::testing::AllOf(::testing::HasSubstr("lamp"), ::testing::HasSubstr("level(L)")));
  const Program program = ground_program(parse_program_text("pick.lp", text, Syntax::kAsp), *task.vocabulary);
  const BoundProgram bound(program, task.vocabulary);
  const RulePolicy list(pick.list, learned.features);
  ObservationTable table(task.vocabulary, 1);
  for (int i = -1000; i <= 1000; ++i) {
    for (std::uint32_t lamp = 0; lamp < 2; ++lamp)
      table.intern(std::vector<std::uint32_t>{lamp}, std::vector<float>{static_cast<float>(i) * 0.001f});
  }
  const PolicyTable ours = tabulate(list, table);
  const PolicyTable printed = tabulate(bound, table);
  for (ObsId obs = 0; obs < table.size(); ++obs) ASSERT_EQ(ours.argmax(obs), printed.argmax(obs)) << obs;
}

}  // namespace
}  // namespace ndnf
