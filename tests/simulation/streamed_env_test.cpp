#include "ndnf/simulation/streamed_env.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "simulation/allocations.h"

namespace ndnf {
namespace {

/// Counts up by 1 or 2 from a random start below 4 until 10; observes the number and its half.
class Counter {
 public:
  struct State {
    std::uint64_t number = 0;
  };

  std::size_t step_limit() const { return 6; }
  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  State start(RandomSequence& random) const { return {random.below(4)}; }
  WorldStep step(State& state, ActionId action, RandomSequence& random) const {
    state.number += 1 + action + random.below(2);
    return {static_cast<double>(state.number), state.number >= 10};
  }
  void observe(const State& state, std::span<std::uint32_t> values, std::span<float> dense) const {
    values[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(state.number, 15));
    dense[0] = static_cast<float>(state.number) / 2;
  }
  bool is_valid(const State& state) const { return state.number < 10; }

 private:
  std::shared_ptr<const Vocabulary> vocabulary_ = std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::numbered("tally", "tally(", 16, ")")},
      std::vector<std::string>{"one", "two"}, std::vector<Quantity>{{"half"}});
};

StreamedEnv<Counter> counters(std::size_t size, std::uint64_t stream = 0) {
  return StreamedEnv<Counter>(std::make_shared<const Counter>(), size, stream);
}

std::uint32_t number(const VectorEnv& env, ObsId obs) { return env.observations().values(obs)[0]; }

TEST(StreamedEnv, StepsTellWhatArrivedAndWhatStartsAnew) {
  StreamedEnv<Counter> env = counters(3);
  const auto first = env.reset(1);
  std::vector<std::uint32_t> at;
  for (const ObsId obs : first) at.push_back(number(env, obs));
  const std::vector<ActionId> actions = {0, 1, 0};
  std::size_t ended = 0;
  for (int t = 0; t < 100; ++t) {
    const VectorStep step = env.step(actions);
    for (std::size_t n = 0; n < 3; ++n) {
      const std::uint32_t arrived = number(env, step.arrived[n]);
      EXPECT_GT(arrived, at[n]);
      EXPECT_EQ(step.rewards[n], arrived);
      EXPECT_EQ(env.observations().dense(step.arrived[n])[0], static_cast<float>(arrived) / 2);
      EXPECT_EQ(step.terminated[n] != 0, arrived >= 10);
      at[n] = number(env, step.observations[n]);
      const bool over = (step.terminated[n] | step.truncated[n]) != 0;
      ended += over ? 1 : 0;
      if (over) {
        EXPECT_LT(at[n], 4u);
      } else {
        EXPECT_EQ(step.observations[n], step.arrived[n]);
      }
    }
  }
  EXPECT_GT(ended, 40u);
}

TEST(StreamedEnv, ObservationsStayForAsManySteps) {
  StreamedEnv<Counter> env = counters(2);
  env.keep(20);
  const auto first = env.reset(3);
  std::vector<ObsId> ids(first.begin(), first.end());
  std::vector<std::uint32_t> numbers;
  for (const ObsId obs : ids) numbers.push_back(number(env, obs));
  const std::vector<ActionId> actions = {0, 1};
  for (int t = 0; t < 20; ++t) {
    const VectorStep step = env.step(actions);
    for (const auto& seen : {step.arrived, step.observations}) {
      for (const ObsId obs : seen) {
        ids.push_back(obs);
        numbers.push_back(number(env, obs));
      }
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(number(env, ids[i]), numbers[i]);
}

TEST(StreamedEnv, ARestoredSnapshotGoesOnAlike) {
  StreamedEnv<Counter> env = counters(4, 7);
  StreamedEnv<Counter> other = counters(4, 7);
  env.reset(5);
  other.reset(6);
  const std::vector<ActionId> actions = {0, 1, 1, 0};
  for (int t = 0; t < 13; ++t) env.step(actions);
  other.restore(*env.snapshot());
  for (int t = 0; t < 50; ++t) {
    const VectorStep a = env.step(actions);
    const VectorStep b = other.step(actions);
    for (std::size_t n = 0; n < 4; ++n) {
      ASSERT_EQ(number(env, a.observations[n]), number(other, b.observations[n]));
      ASSERT_EQ(a.rewards[n], b.rewards[n]);
    }
  }
}

TEST(StreamedEnv, RefusesSnapshotsOfOtherSizesAndImpossibleStates) {
  StreamedEnv<Counter> env = counters(2);
  env.reset(0);
  std::vector<std::uint64_t> words = *env.snapshot();
  EXPECT_THROW(counters(3).restore(words), Error);
  words[1] = 10;
  EXPECT_THROW(env.restore(words), Error);
}

TEST(StreamedEnv, AMillionStepsAllocateNothing) {
  StreamedEnv<Counter> env = counters(16);
  env.keep(8);
  env.reset(0);
  const std::vector<ActionId> actions(16, 1);
  const std::size_t rows = env.observations().size();
  const long before = testing::allocations;
  for (int t = 0; t < 1'000'000 / 16; ++t) env.step(actions);
  EXPECT_EQ(testing::allocations, before);
  EXPECT_EQ(env.observations().size(), rows);
}

}  // namespace
}  // namespace ndnf
