#include "ndnf/rules/rule_trainer.h"

#include <limits>

#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "ndnf/model/build.h"
#include "ndnf/rules/rule_policy.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// "left if the car rolls left, else right": a simple teacher of the car in the valley.
TeacherSource simple_teacher(const std::shared_ptr<const Features>& features) {
  const RuleList list{{{{{{{1, 1}}, 0, false}}, 0}}, 2};
  return {std::make_shared<const RulePolicy>(list, features), nullptr, 0, nullptr};
}

PlayedTask valley() {
  const Task task = make_task("mountain-car");
  return {task.environments,
          std::make_shared<const Features>(task.spec, task.vocabulary, task.observations()->dense_size()),
          task.discount, 1};
}

RulesOptions small_options() {
  RulesOptions options;
  options.total_timesteps = 200'000;
  options.rounds = 2;
  options.states = 512;
  options.episodes = 20;
  return options;
}

TensorFile finished(RuleTrainer& trainer) {
  while (!trainer.done()) trainer.iterate();
  return trainer.state();
}

TEST(RuleTrainer, GivesTheSameBytesOnTwoThreadsAsOnOne) {
  const PlayedTask task = valley();
  RuleTrainer one(task, small_options(), simple_teacher(task.features), 7, 1);
  RuleTrainer two(task, small_options(), simple_teacher(task.features), 7, 2);
  EXPECT_EQ(finished(one), finished(two));
}

TEST(RuleTrainer, ResumedAfterAnyIterationItEndsAsIfItHadNotStopped) {
  const PlayedTask task = valley();
  RuleTrainer whole(task, small_options(), simple_teacher(task.features), 7);
  std::vector<TensorFile> states;
  while (!whole.done()) {
    states.push_back(whole.state());
    whole.iterate();
  }
  const TensorFile end = whole.state();
  for (const std::size_t stop : {std::size_t{1}, std::size_t{4}, states.size() / 2, states.size() - 1}) {
    RuleTrainer resumed(task, small_options(), simple_teacher(task.features), 7);
    resumed.restore("state", states[stop]);
    EXPECT_EQ(finished(resumed), end) << "after iteration " << stop;
  }
}

/// A state whose numbers were changed by somebody, its checksum included.
TEST(RuleTrainer, AForgedSliceIsRefusedInEveryPhase) {
  const PlayedTask task = valley();
  RuleTrainer whole(task, small_options(), simple_teacher(task.features), 7);
  while (!whole.done()) {
    TensorFile state = whole.state();
    std::vector<std::int64_t> numbers = state.at("state", "rules.numbers").as<std::int64_t>("state");
    constexpr std::int64_t kSlices = 24;
    numbers[3] = numbers[3] == kSlices ? 0 : kSlices;
    state.tensors["rules.numbers"] = Tensor::of(numbers);
    RuleTrainer resumed(task, small_options(), simple_teacher(task.features), 7);
    EXPECT_THROW(resumed.restore("state", state), Error) << "phase " << numbers[0];
    whole.iterate();
  }
}

TEST(RuleTrainer, ForgedRemarksStayPlainLines) {
  const PlayedTask task = valley();
  RuleTrainer first(task, small_options(), simple_teacher(task.features), 7);
  first.iterate();
  TensorFile state = first.state();
  const std::string remark = "evil \x1b]0;title\x07 \xE2\x80\xAE\rand\tmore\naction(left).";
  state.tensors["rules.remarks"] = Tensor::of(std::vector<std::uint8_t>(remark.begin(), remark.end()));
  RuleTrainer resumed(task, small_options(), simple_teacher(task.features), 7);
  resumed.restore("state", state);
  const auto warnings = resumed.front().warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "evil \\x1b]0;title\\x07 \\xe2\\x80\\xae\\x0dand\\tmore");
}

TEST(RuleTrainer, ADamagedStateIsRefusedOrDoesNoHarm) {
  const PlayedTask task = valley();
  RulesOptions options = small_options();
  options.total_timesteps = 20'000;
  options.states = 256;
  options.rounds = 1;
  RuleTrainer whole(task, options, simple_teacher(task.features), 7);
  std::vector<TensorFile> states;
  while (!whole.done()) {
    whole.iterate();
    states.push_back(whole.state());
  }
  RandomSequence random(RandomStream(17, 0));
  const std::vector<std::int64_t> strange{-1,
                                          0,
                                          1,
                                          2,
                                          7,
                                          24,
                                          255,
                                          1 << 20,
                                          std::int64_t{1} << 40,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min()};
  const auto drawn = [&](std::size_t count) { return random.below(static_cast<std::uint32_t>(count)); };
  std::size_t refused = 0;
  constexpr std::size_t kTries = 500;
  for (std::size_t i = 0; i < kTries; ++i) {
    TensorFile state = states[drawn(states.size())];
    std::vector<std::int64_t> numbers = state.at("state", "rules.numbers").as<std::int64_t>("state");
    // Most numbers are states that were visited; those that say how many there are come first or last.
    const std::size_t near = std::min<std::size_t>(numbers.size(), 60);
    const std::size_t at = i % 3 == 0   ? drawn(near)
                           : i % 3 == 1 ? numbers.size() - 1 - drawn(near)
                                        : drawn(numbers.size());
    numbers[at] = strange[drawn(strange.size())];
    state.tensors["rules.numbers"] = Tensor::of(numbers);
    RuleTrainer resumed(task, options, simple_teacher(task.features), 7);
    try {
      resumed.restore("state", state);
    } catch (const Error&) {
      ++refused;
      continue;
    }
    resumed.front();
    resumed.state();
    if (!resumed.done()) resumed.iterate();
  }
  EXPECT_GT(refused, kTries / 10);
  EXPECT_LT(refused, kTries);
}

TEST(RuleTrainer, ImprovesOnItsTeacherAndMeasuresItWithFreshEpisodes) {
  const PlayedTask task = valley();
  RulesOptions options = small_options();
  options.total_timesteps = 1'000'000;
  options.episodes = 200;
  RuleTrainer trainer(task, options, simple_teacher(task.features), 3);
  finished(trainer);
  const RuleFront front = trainer.front();
  ASSERT_TRUE(front.final);
  EXPECT_GT(front.pick().figures.mean, front.teacher.mean + 5);
  EXPECT_EQ(front.pick().figures.episodes, 200u);
  for (std::size_t i = 1; i < front.entries.size(); ++i)
    EXPECT_GT(front.entries[i].list.term_count(), front.entries[i - 1].list.term_count());
}

TEST(RuleTrainer, KeepsToTheLimits) {
  const PlayedTask task = valley();
  RulesOptions options = small_options();
  options.max_rules = 1;
  options.max_literals = 2;
  options.linear = false;
  RuleTrainer trainer(task, options, simple_teacher(task.features), 3);
  finished(trainer);
  for (const FrontEntry& entry : trainer.front().entries) {
    EXPECT_LE(entry.list.rules.size(), 1u);
    EXPECT_LE(entry.list.term_count(), 2u);
  }
}

}  // namespace
}  // namespace ndnf
