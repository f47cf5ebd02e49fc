#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Check : public Binary {
 protected:
  Check() {
    write("good.lp",
          "% environment: small-corridor\naction(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
  }
};

TEST_F(Check, HoldsForAGoodProgram) {
  const nlohmann::json result = json({"check", "good.lp", "--property", "P>=1 [F<=3 \"goal\"]"});
  EXPECT_EQ(result.at("holds"), true);
  EXPECT_EQ(result.at("scope"), "reachable");
  EXPECT_EQ(result.at("checks").size(), 9u);
  for (const nlohmann::json& check : result.at("checks")) {
    EXPECT_EQ(check.at("holds"), true);
    EXPECT_EQ(check.at("witness"), nullptr);
    EXPECT_EQ(check.at("trace"), nullptr);
  }
}

TEST_F(Check, ExitsWithOneAndPrintsTheTrace) {
  write("bad.lp", "action(right).\n");
  const ProcessResult result =
      ndnf({"check", "bad.lp", "--env", "small-corridor", "--property", "P>=1 [F \"goal\"]"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.errors, "ndnf: bad.lp: 1 check does not hold\n");
  EXPECT_THAT(result.output,
              HasSubstr("FAILS  P>=1 [F \"goal\"]: 0\n       the value is 0, not >= 1\n"
                        "   0  in_s_0  -> right, reward -1\n   1  in_s_1  -> right, reward -1\n"
                        "   2  in_s_0  -> right\n"));
  EXPECT_THAT(result.output, HasSubstr("every episode is this one; it is back where it was at step 0"));
}

/// The paper's listing for Door Corridor has an action wherever it comes, and none in 12 of 27 reachable
/// images.
TEST_F(Check, ScopeDecidesWhatCounts) {
  write("doors.lp", R"(action(turn_right) :- a_5, a_8.
action(forward) :- a_2.
action(toggle) :- a_3.
a_2 :- top_right_corner_wall.
a_3 :- one_step_ahead_closed_door.
a_5 :- not curr_location_open_door, not one_step_ahead_closed_door.
a_8 :- two_step_ahead_unseen.
)");
  const ProcessResult everywhere = ndnf({"check", "doors.lp", "--env", "door-corridor"});
  EXPECT_EQ(everywhere.exit_code, 1);
  EXPECT_THAT(everywhere.output, HasSubstr("FAILS  exactly-one (reachable)"));
  EXPECT_THAT(everywhere.output, HasSubstr("(12 of 27 reachable observations)"));
  const ProcessResult visited = ndnf({"check", "doors.lp", "--env", "door-corridor", "--scope", "visited"});
  EXPECT_EQ(visited.exit_code, 0);
  EXPECT_THAT(visited.output, HasSubstr("fails  exactly-one (reachable)"));
  EXPECT_THAT(visited.output, Not(HasSubstr("FAILS")));
}

TEST_F(Check, BadInputIsOneSentenceAndExitTwo) {
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "good.lp"});
    const ProcessResult result = ndnf(options);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    return result.errors;
  };
  EXPECT_EQ(error({"--property", "P>=1 [F \"gaol\"]"}),
            "ndnf: --property:1:9: there is no label gaol; did you mean goal?\n");
  EXPECT_EQ(error({"--scope", "visitd"}), "ndnf: --scope: there is no visitd; did you mean visited?\n");
  EXPECT_THAT(error({"--env", "blackjack"}), HasSubstr("good.lp:2:1: "));
}

}  // namespace
}  // namespace ndnf
