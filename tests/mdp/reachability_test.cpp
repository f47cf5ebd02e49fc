#include "ndnf/mdp/reachability.h"

#include <gtest/gtest.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

using testing::add_row;
using testing::numbered_states;

/// A corridor of `length` states: `go` leads to the next one and out of the last, `stay` stays.
FiniteModel corridor(std::uint32_t length, std::size_t limit) {
  FiniteModelData data = numbered_states(length, {"go", "stay"});
  for (std::uint32_t s = 0; s < length; ++s) {
    const bool last = s + 1 == length;
    add_row(data, {{1, -1, last ? s : s + 1, last, -1}});
    add_row(data, {{1, -1, s, false, -1}});
  }
  data.starts = {{0.5, 0}, {0.5, length - 1}};
  data.step_limit = limit;
  return FiniteModel(std::move(data));
}

TEST(SurelyFinishes, IfTheLongestEpisodeIsOverAtTheStepLimit) {
  const std::vector<ActionId> go(4, 0);
  EXPECT_TRUE(surely_finishes(corridor(4, 4), go));
  EXPECT_TRUE(surely_finishes(corridor(4, 50), go));
  EXPECT_FALSE(surely_finishes(corridor(4, 3), go));  // from the first state, not from the last
}

TEST(SurelyFinishes, UnlessAStartLeadsToWhereItStays) {
  EXPECT_FALSE(surely_finishes(corridor(4, 50), std::vector<ActionId>{0, 0, 1, 0}));
  EXPECT_FALSE(surely_finishes(corridor(4, 50), std::vector<ActionId>{0, 0, 0, 1}));
}

TEST(SurelyFinishes, WhateverChanceDoes) {
  const FiniteModel gambler(testing::gambler());
  const ActionId bet = 0;
  const ActionId stop = 1;
  EXPECT_FALSE(surely_finishes(gambler, std::vector<ActionId>{bet, bet, bet, bet}));  // luck may alternate
  EXPECT_TRUE(surely_finishes(gambler, std::vector<ActionId>{bet, bet, stop, bet}));
}

}  // namespace
}  // namespace ndnf
