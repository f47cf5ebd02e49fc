#include <fmt/format.h>
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

/// After two steps the agent is in s_2, where the step limit stops the episode.
TEST_F(Check, TheLastStepCounts) {
  const ProcessResult never =
      ndnf({"check", "good.lp", "--env", "small-corridor:step_limit=2", "--property", "never in_s_2"});
  EXPECT_EQ(never.exit_code, 1);
  EXPECT_THAT(never.output, HasSubstr("FAILS  never in_s_2: 1\n       the value is 1, not <= 0\n"
                                      "   0  in_s_0  -> right, reward -1\n   1  in_s_1  -> left, reward -1\n"
                                      "   2  in_s_2  (the step limit is reached)\n"));
  const nlohmann::json next = nlohmann::json::parse(
      ndnf({"check", "good.lp", "--env", "small-corridor:step_limit=1", "--property", "P>=1 [X in_s_0]",
            "--property", "P>=1 [X in_s_1]", "--property", "never in_s_1 & action(left)", "--json"})
          .output);
  const nlohmann::json& checks = next.at("checks");
  EXPECT_EQ(checks.at(8).at("holds"), false);
  EXPECT_EQ(checks.at(8).at("trace").at(1).at("truncated"), true);
  EXPECT_EQ(checks.at(9).at("holds"), true);
  EXPECT_EQ(checks.at(10).at("holds"), true);
}

TEST_F(Check, ForgivesNothing) {
  write("risky.json", R"({"format": "ndnf-model", "version": 1, "name": "risky", "actions": ["go"],
    "groups": [{"name": "place", "atoms": ["here", "there"]}], "observations": [["here"], ["there"]],
    "states": [{"observation": 0, "outcomes": {"go": [
      {"next": 1, "p": 9e-10, "reward": -8, "terminal": true, "tag": "crash"},
      {"next": 1, "p": 0.9999999991, "reward": -8, "terminal": true}]}}, {"observation": 1}],
    "starts": [{"state": 0}], "tags": ["crash"]})");
  const auto exit_code = [&](const std::string& property) {
    return ndnf({"check", "uniform", "--env", "risky.json", "--property", property}).exit_code;
  };
  EXPECT_EQ(exit_code("P<=1e-12 [F \"crash\"]"), 1);
  EXPECT_EQ(exit_code("P<=9e-10 [F \"crash\"]"), 0);
  EXPECT_EQ(exit_code("R{\"return\"}>=-8 [C]"), 0);
  EXPECT_EQ(exit_code("R{\"return\"}>-8 [C]"), 1);
}

/// A value that equals its bound in double precision and would take too long to compute exactly.
TEST_F(Check, SaysWhatIsUndecided) {
  write("often-right.json", R"({"format": "ndnf-policy", "version": 1, "actions": ["left", "right"],
    "default": [0.3, 0.7], "rows": []})");
  const std::vector<std::string> command = {"check", "often-right.json", "--env",
                                            "small-corridor:wall,step_limit=20000", "--property"};
  const auto with = [&](const std::string& property) {
    std::vector<std::string> all = command;
    all.push_back(property);
    return all;
  };
  const double value = json(with("R{\"return\"}=? [C]")).at("checks").back().at("value");
  const auto close = with(fmt::format("R{{\"return\"}}>={} [C]", value));
  const ProcessResult open = ndnf(close);
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_EQ(open.errors, "ndnf: often-right.json: 1 check is undecided\n");
  EXPECT_THAT(open.output, HasSubstr(fmt::format("UNDECIDED  {}: {}\n", close.back(), value)));
}

/// The paper's listing for Door Corridor has an action in every visited image, and none in 12 of 27 reachable
/// ones.
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
  EXPECT_EQ(error({"--env", "blackjack"}),
            "ndnf: good.lp: this program is for small-corridor; it does not fit blackjack\n");
}

}  // namespace
}  // namespace ndnf
