#include "ndnf/update/delta.h"

#include <gtest/gtest.h>

#include "nn/golden.h"

namespace ndnf {
namespace {

TEST(Delta, FollowsTheReferenceInEveryIteration) {
  const nlohmann::json golden = testing::read_golden("delta_schedule.json");
  ASSERT_EQ(golden.at("sets").size(), 4u);
  for (const nlohmann::json& set : testing::elements(golden, "sets")) {
    SCOPED_TRACE(set.at("name"));
    DeltaOptions options;
    options.initial = set.at("initial_delta");
    options.delay = set.at("delay");
    options.steps = set.at("decay_steps");
    options.rate = set.at("rate");
    const nlohmann::json expected = testing::elements(set, "delta_used_in_iteration_0based");
    const nlohmann::json& after = set.at("delta_after_step_0based");  // null for the longest
    ASSERT_EQ(expected.size(), set.at("n_iterations").get<std::size_t>());
    ASSERT_TRUE(after.is_null() || after.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!after.is_null()) {
        EXPECT_TRUE(testing::close(delta_in_iteration(options, i + 1), after[i].get<double>(), 1e-9)) << i;
      }
      EXPECT_TRUE(testing::close(delta_in_iteration(options, i), expected[i].get<double>(), 1e-9)) << i;
    }
    const auto first = set.at("first_iteration_0based_using_delta_1").get<std::size_t>();
    EXPECT_LT(delta_in_iteration(options, first - 1), 1);
    EXPECT_EQ(delta_in_iteration(options, first), 1);
    EXPECT_EQ(delta_in_iteration(options, 1000000), 1);
  }
}

TEST(Delta, StaysWhereItIsWithoutGrowth) {
  DeltaOptions options;
  options.initial = 1;
  EXPECT_EQ(delta_in_iteration(options, 0), 1);
  EXPECT_EQ(delta_in_iteration(options, 100), 1);
  options.initial = 0.3;
  options.rate = 1;
  EXPECT_EQ(delta_in_iteration(options, 1000000), 0.3);
}

}  // namespace
}  // namespace ndnf
