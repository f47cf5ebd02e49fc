#include "ndnf/boxes/minimum_cover.h"

#include <bit>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::ElementsAre;

PositionSet set_of(std::uint64_t bits, std::size_t count) {
  PositionSet set(count);
  for (std::size_t i = 0; i < count; ++i) {
    if ((bits >> i & 1) != 0) set.insert(i);
  }
  return set;
}

std::vector<PositionSet> sets_of(const std::vector<std::uint64_t>& masks, std::size_t count) {
  std::vector<PositionSet> sets;
  for (const std::uint64_t mask : masks) sets.push_back(set_of(mask, count));
  return sets;
}

/// By trying every choice of sets.
std::size_t smallest_cover(const std::vector<std::uint64_t>& masks, std::uint64_t all) {
  std::size_t best = masks.size();
  for (std::uint64_t choice = 0; choice < std::uint64_t{1} << masks.size(); ++choice) {
    std::uint64_t covered = 0;
    for (std::size_t s = 0; s < masks.size(); ++s) covered |= (choice >> s & 1) != 0 ? masks[s] : 0;
    if (covered == all) best = std::min(best, static_cast<std::size_t>(std::popcount(choice)));
  }
  return best;
}

constexpr std::uint64_t kStepLimit = 10'000;

TEST(Irredundant, DropsTheLastOfEqualSetsAndWhatOthersCoverTogether) {
  EXPECT_THAT(irredundant(sets_of({0b01, 0b01}, 2)), ElementsAre(0));
  EXPECT_THAT(irredundant(sets_of({0b0011, 0b0110, 0b1100, 0}, 4)), ElementsAre(0, 2));
}

RC_GTEST_PROP(Irredundant, CoversTheSameAndNeedsEverySet, ()) {
  std::vector<std::uint64_t> masks(any_below<std::size_t>(7));
  for (std::uint64_t& mask : masks) mask = any_below<std::uint64_t>(64);
  const std::vector<std::size_t> kept = irredundant(sets_of(masks, 6));
  const auto covered = [&](std::size_t without) {
    std::uint64_t all = 0;
    for (const std::size_t s : kept) all |= s == without ? 0 : masks[s];
    return all;
  };
  std::uint64_t all = 0;
  for (const std::uint64_t mask : masks) all |= mask;
  RC_ASSERT(covered(masks.size()) == all);
  for (const std::size_t s : kept) RC_ASSERT(covered(s) != all);
}

TEST(MinimumCover, IsSmallerThanTheGreedyOne) {
  // Greedy takes the middle set first and then needs both others.
  const std::vector<PositionSet> sets = sets_of({0b000111, 0b111000, 0b011110}, 6);
  const Cover cover = minimum_cover(PositionSet::first(6), sets, set_of(0b000001, 6), kStepLimit);
  EXPECT_THAT(cover.chosen, ElementsAre(0, 1));
  EXPECT_EQ(cover.lower_bound, 2U);
}

TEST(MinimumCover, NeedsNoSolverWhereWitnessesProveIt) {
  ASSERT_EQ(setenv("NDNF_CLINGO", "/no/such/program", 1), 0);
  const Cover cover = minimum_cover(PositionSet::first(4), sets_of({0b0011, 0b1100, 0b0110}, 4),
                                    set_of(0b1001, 4), kStepLimit);
  unsetenv("NDNF_CLINGO");
  EXPECT_THAT(cover.chosen, ElementsAre(0, 1));
  EXPECT_EQ(cover.lower_bound, 2U);
}

TEST(MinimumCover, IsProvedByClingoWhereWitnessesAreTooFew) {
  // Any two of three sets in a ring, though no two elements are in no common set; and a part with a witness.
  const Cover cover = minimum_cover(PositionSet::first(4), sets_of({0b0011, 0b0110, 0b0101, 0b1000}, 4),
                                    set_of(0b1001, 4), kStepLimit);
  EXPECT_EQ(cover.chosen.size(), 3U);
  EXPECT_EQ(cover.chosen.back(), 3U);
  EXPECT_EQ(cover.lower_bound, 3U);
}

TEST(MinimumCover, NeedNotHoldWhatIsNotAskedFor) {
  const std::vector<PositionSet> sets = sets_of({0b0011, 0b1100, 0b1010}, 4);
  const Cover cover = minimum_cover(set_of(0b1010, 4), sets, set_of(0b0010, 4), kStepLimit);
  EXPECT_THAT(cover.chosen, ElementsAre(2));
  EXPECT_EQ(cover.lower_bound, 1U);
}

TEST(MinimumCover, BeyondTheLimitIsTheGreedyOneAndProvesNoMoreThanItsWitnesses) {
  // A ring of 61 elements, each set three of them: the greedy cover stays, since no conflict is allowed.
  std::vector<PositionSet> sets;
  for (std::size_t k = 0; k < 61; ++k) {
    PositionSet& set = sets.emplace_back(61);
    for (const std::size_t step : {0U, 7U, 18U}) set.insert((k + step) % 61);
  }
  const Cover cover = minimum_cover(PositionSet::first(61), sets, set_of(1, 61), 1);
  PositionSet left = PositionSet::first(61);
  for (const std::size_t s : cover.chosen) left -= sets[s];
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(cover.lower_bound, 1U);
}

RC_GTEST_PROP(MinimumCover, HasTheSizeFoundByTryingEveryChoice, ()) {
  constexpr std::size_t kElements = 8;
  constexpr std::uint64_t kAll = (1U << kElements) - 1;
  std::vector<std::uint64_t> masks(9);
  for (std::uint64_t& mask : masks) mask = any_below(kAll + 1) & any_below(kAll + 1);
  std::uint64_t covered = 0;
  for (const std::uint64_t mask : masks) covered |= mask;
  masks.push_back(kAll & ~covered);
  const Cover cover = minimum_cover(PositionSet::first(kElements), sets_of(masks, kElements),
                                    PositionSet(kElements), kStepLimit);
  std::uint64_t held = 0;
  for (const std::size_t s : cover.chosen) held |= masks[s];
  RC_ASSERT(held == kAll);
  RC_ASSERT(cover.chosen.size() == smallest_cover(masks, kAll));
  RC_ASSERT(cover.lower_bound == cover.chosen.size());
}

}  // namespace
}  // namespace ndnf
