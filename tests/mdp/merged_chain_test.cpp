#include "ndnf/mdp/merged_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

TEST(MergedChain, MergesActionsIntoOneRowPerState) {
  const FiniteModel model(testing::gambler());
  const MergedChain chain({model, PolicyTable(2, {1, 0, 0.5, 0.5, 1, 0, 1, 0})});
  ASSERT_EQ(chain.moves(1).size(), 1u);
  EXPECT_DOUBLE_EQ(chain.moves(1)[0].probability, 0.25);
  EXPECT_EQ(chain.moves(1)[0].next, 2u);
  ASSERT_EQ(chain.endings(1).size(), 2u);
  EXPECT_EQ(chain.endings(1)[0].next, 0u);
  EXPECT_DOUBLE_EQ(chain.endings(1)[0].probability, 0.25);
  EXPECT_DOUBLE_EQ(chain.endings(1)[1].probability, 0.5);
  EXPECT_DOUBLE_EQ(chain.reward(2), 0);
  EXPECT_TRUE(chain.moves(0).empty());
}

TEST(MergedChain, AddsUpOutcomesThatLeadToTheSameState) {
  FiniteModelData data = testing::numbered_states(1, {"a", "b"});
  testing::add_row(data, {{0.5, 1, 0, false, -1}, {0.5, 2, 0, false, -1}});
  testing::add_row(data, {{1, 3, 0, false, -1}});
  data.starts = {{1, 0}};
  data.step_limit = 5;
  const MergedChain chain({FiniteModel(data), PolicyTable(2, {0.5, 0.5})});
  ASSERT_EQ(chain.moves(0).size(), 1u);
  EXPECT_DOUBLE_EQ(chain.moves(0)[0].probability, 1);
  EXPECT_DOUBLE_EQ(chain.reward(0), 2.25);
}

TEST(MergedChain, UndefinedRowsLeadNowhere) {
  const FiniteModel model(testing::gambler());
  const MergedChain chain({model, PolicyTable(2, {0, 0, 1, 1, 0, 0, 0, 0})});
  EXPECT_TRUE(chain.moves(1).empty());
  EXPECT_TRUE(chain.endings(1).empty());
}

}  // namespace
}  // namespace ndnf
