#include "ndnf/export/drn.h"

#include <gmock/gmock.h>

#include "mdp/small_models.h"

namespace ndnf {
namespace {

TEST(Drn, WritesVisitedStatesEndsAndLabels) {
  const std::string drn = to_drn(FiniteModel(testing::gambler()), PolicyTable(2, {1, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(drn,
            "// Step bounds count the agent's decisions.\n"
            "// Episodes stop after 4 steps: give properties a step bound of at most 4.\n"
            "@type: DTMC\n@parameters\n\n@reward_models\nreturn\n@nr_states\n4\n@nr_choices\n4\n@model\n"
            "state 0 [0] init\n\taction 0 [0]\n\t\t1 : 0.5\n\t\t2 : 0.5\n"
            "state 1 [0]\n\taction 0 [0]\n\t\t0 : 0.5\n\t\t3 : 0.5\n"
            "state 2 [0] end ruin\n\taction 0 [0]\n\t\t2 : 1\n"
            "state 3 [0] end rich\n\taction 0 [0]\n\t\t3 : 1\n");
}

/// The policy need not be defined in states without decisions; their labels are kept.
TEST(Drn, WritesStatesThatOnlyTheLastStepEnters) {
  FiniteModelData data = testing::numbered_states(4, {"on"});
  for (const StateId next : {1U, 2U, 3U, 3U}) testing::add_row(data, {{1, 1, next, false, -1}});
  data.starts = {{1, 0}};
  data.step_limit = 2;
  data.labels = {{"there", {2}}};
  EXPECT_THAT(to_drn(FiniteModel(data), PolicyTable(1, {1, 1, 0, 0})),
              ::testing::EndsWith("@nr_states\n3\n@nr_choices\n3\n@model\n"
                                  "state 0 [1] init\n\taction 0 [0]\n\t\t1 : 1\n"
                                  "state 1 [1]\n\taction 0 [0]\n\t\t2 : 1\n"
                                  "state 2 [0] there\n\taction 0 [0]\n\t\t2 : 1\n"));
}

TEST(Drn, SeveralStartsGetAStateBeforeThem) {
  FiniteModelData data = testing::gambler();
  data.starts = {{0.5, 1}, {0.5, 2}};
  const std::string drn = to_drn(FiniteModel(data), PolicyTable(2, {1, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_THAT(drn, ::testing::HasSubstr("// State 0 draws the start state: add 1 to step bounds.\n"));
  EXPECT_THAT(drn, ::testing::HasSubstr("state 0 [0] init\n\taction 0 [0]\n\t\t1 : 0.5\n\t\t2 : 0.5\n"));
}

}  // namespace
}  // namespace ndnf
