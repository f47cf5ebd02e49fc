#include "ndnf/simulation/table_env.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"
#include "simulation/allocations.h"

std::atomic<long> ndnf::testing::allocations{0};

namespace {

void* counted(std::size_t size, std::align_val_t alignment = std::align_val_t{alignof(std::max_align_t)}) {
  ++ndnf::testing::allocations;
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (size + step - 1) / step * step);
}

/// Never inlined: g++ would report `free` as a mismatch wherever it also sees the `new`.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Counts every allocation of this test program, for the tests that count them. All forms are replaced;
// otherwise a sanitizer would see memory released by a different allocator.
using Alignment = std::align_val_t;
using Quiet = const std::nothrow_t&;
void* operator new(std::size_t n) { return checked(counted(n)); }
void* operator new[](std::size_t n) { return checked(counted(n)); }
void* operator new(std::size_t n, Alignment a) { return checked(counted(n, a)); }
void* operator new[](std::size_t n, Alignment a) { return checked(counted(n, a)); }
void* operator new(std::size_t n, Quiet) noexcept { return counted(n); }
void* operator new[](std::size_t n, Quiet) noexcept { return counted(n); }
void* operator new(std::size_t n, Alignment a, Quiet) noexcept { return counted(n, a); }
void* operator new[](std::size_t n, Alignment a, Quiet) noexcept { return counted(n, a); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, Alignment) noexcept { release(memory); }
void operator delete[](void* memory, Alignment) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, Alignment) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, Alignment) noexcept { release(memory); }
void operator delete(void* memory, Quiet) noexcept { release(memory); }
void operator delete[](void* memory, Quiet) noexcept { release(memory); }
void operator delete(void* memory, Alignment, Quiet) noexcept { release(memory); }
void operator delete[](void* memory, Alignment, Quiet) noexcept { release(memory); }

namespace ndnf {
namespace {

TEST(AliasTable, DrawsEachEntryWithItsProbability) {
  AliasTable table;
  table.add_row(std::vector<double>{0.5, 0.5});
  const std::vector<double> probabilities{0.1, 0.0, 0.25, 0.65};
  table.add_row(probabilities);
  const AliasTable::View view = table.view();
  constexpr std::uint32_t kSteps = 1 << 20;
  std::vector<double> counts(4, 0.0);
  for (std::uint32_t i = 0; i < kSteps; ++i) counts[view.pick(1, i << 12) - 2] += 1;
  // The words cover their range in even steps, so counts are exact up to one step per slot boundary.
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(counts[k] / kSteps, probabilities[k], 1e-5);
  EXPECT_EQ(counts[1], 0);
}

TEST(TableEnv, TellsTerminationFromTruncationAndStartsAnew) {
  FiniteModelData data = testing::numbered_states(2, {"stay", "finish"});
  testing::add_row(data, {{1, -1, 0, false, -1}});
  testing::add_row(data, {{1, 5, 1, true, -1}});
  testing::add_row(data, {});
  testing::add_row(data, {});
  data.starts = {{1, 0}};
  data.step_limit = 3;
  const FiniteModel model(data);
  const TransitionSampler sampler(model);
  TableEnv env(sampler, 2);
  EXPECT_EQ(env.reset(0)[0], 0u);

  const std::array<ActionId, 2> stay{0, 0};
  const std::array<ActionId, 2> mixed{0, 1};
  VectorStep step = env.step(mixed);  // walker 0 waits, walker 1 finishes
  EXPECT_EQ(step.rewards[0], -1);
  EXPECT_EQ(step.terminated[0] | step.truncated[0], 0);
  EXPECT_EQ(step.rewards[1], 5);
  EXPECT_EQ(step.terminated[1], 1);
  EXPECT_EQ(step.truncated[1], 0);
  EXPECT_EQ(step.arrived[1], 1u);
  EXPECT_EQ(step.observations[1], 0u);
  env.step(stay);
  step = env.step(mixed);  // walker 0 reaches the limit, walker 1 the end of its second episode
  EXPECT_EQ(step.truncated[0], 1);
  EXPECT_EQ(step.terminated[0], 0);
  EXPECT_EQ(step.terminated[1], 1);
  EXPECT_EQ(step.truncated[1], 0);
  step = env.step(stay);
  EXPECT_EQ(step.truncated[0], 0) << "the step count starts anew";
}

TEST(TableEnv, ReachingTheLimitByFinishingIsBoth) {
  FiniteModelData data = testing::gambler();
  data.step_limit = 1;
  const FiniteModel model(data);
  const TransitionSampler sampler(model);
  TableEnv env(sampler, 1);
  env.reset(0);
  const VectorStep step = env.step(std::array<ActionId, 1>{1});
  EXPECT_EQ(step.terminated[0], 1);
  EXPECT_EQ(step.truncated[0], 1);
}

std::vector<ObsId> play(const TransitionSampler& sampler, std::uint64_t seed, std::uint64_t stream) {
  TableEnv env(sampler, 5, stream);
  const auto first = env.reset(seed);
  std::vector<ObsId> seen(first.begin(), first.end());
  const std::vector<ActionId> bets(5, 0);
  for (int t = 0; t < 50; ++t) {
    const VectorStep step = env.step(bets);
    seen.insert(seen.end(), step.arrived.begin(), step.arrived.end());
  }
  return seen;
}

TEST(TableEnv, RepeatsItselfForTheSameSeedAndStreamOnly) {
  const FiniteModel model(testing::gambler());
  const TransitionSampler sampler(model);
  EXPECT_EQ(play(sampler, 1, 0), play(sampler, 1, 0));
  EXPECT_NE(play(sampler, 1, 0), play(sampler, 2, 0));
  EXPECT_NE(play(sampler, 1, 0), play(sampler, 1, 1));
}

TEST(TableEnv, DrawsOutcomesAndStartsWithTheirProbabilities) {
  FiniteModelData data = testing::gambler();
  data.starts = {{0.25, 1}, {0.75, 2}};
  const FiniteModel model(data);
  const TransitionSampler sampler(model);
  constexpr std::size_t kWalkers = 1000;
  constexpr std::size_t kSteps = 200;
  TableEnv env(sampler, kWalkers);
  const auto first = env.reset(0);
  std::vector<ObsId> before(first.begin(), first.end());
  const std::vector<ActionId> bets(kWalkers, 0);
  double bets_at_1 = 0;
  double won_at_1 = 0;
  double ended = 0;
  double started_at_1 = 0;
  for (std::size_t t = 0; t < kSteps; ++t) {
    const VectorStep step = env.step(bets);
    for (std::size_t i = 0; i < kWalkers; ++i) {
      bets_at_1 += before[i] == 1;
      won_at_1 += before[i] == 1 && step.arrived[i] == 2;
      const bool over = (step.terminated[i] | step.truncated[i]) != 0;
      ended += over;
      started_at_1 += over && step.observations[i] == 1;
    }
    before.assign(step.observations.begin(), step.observations.end());
  }
  EXPECT_NEAR(won_at_1 / bets_at_1, 0.5, 5 * std::sqrt(0.25 / bets_at_1));
  EXPECT_NEAR(started_at_1 / ended, 0.25, 5 * std::sqrt(0.1875 / ended));
}

TEST(TableEnv, ARestoredSnapshotGoesOnAlike) {
  const FiniteModel model(testing::gambler());
  const TransitionSampler sampler(model);
  const std::vector<ActionId> bets(5, 0);
  TableEnv first(sampler, 5);
  first.reset(3);
  for (int t = 0; t < 37; ++t) first.step(bets);
  TableEnv second(sampler, 5);
  second.restore(*first.snapshot());
  for (int t = 0; t < 100; ++t) {
    const VectorStep a = first.step(bets);
    const VectorStep b = second.step(bets);
    ASSERT_TRUE(std::equal(a.observations.begin(), a.observations.end(), b.observations.begin()));
    ASSERT_TRUE(std::equal(a.truncated.begin(), a.truncated.end(), b.truncated.begin()));
  }
  TableEnv other(sampler, 4);
  EXPECT_THROW(other.restore(*first.snapshot()), Error);
}

TEST(TableEnv, StepsAllocateNothing) {
  const FiniteModel model(testing::gambler());
  const TransitionSampler sampler(model);
  TableEnv env(sampler, 64);
  env.reset(0);
  const std::vector<ActionId> bets(64, 0);
  const long before = testing::allocations;
  for (int t = 0; t < 1000; ++t) env.step(bets);
  EXPECT_EQ(testing::allocations, before);
}

}  // namespace
}  // namespace ndnf
