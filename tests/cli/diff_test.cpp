#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class Diff : public Binary {
 protected:
  Diff() {
    write("a.lp", "% environment: small-corridor\naction(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
    write("b.lp", "action(right).\n");
  }
};

TEST_F(Diff, TellsWhatChangedAndWhatItCosts) {
  const ProcessResult result = ndnf({"diff", "a.lp", "b.lp"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              HasSubstr("1 of 4 observations changed (1 of them reachable)\nreturn -3 -> -50 (-47)\n"));
  EXPECT_THAT(result.output,
              HasSubstr("in_s_1\n  visited by both, 25 decisions per episode of B, changes the return by "
                        "-47\n"
                        "  A  left\n       line 2: action(left) :- in_s_1.\n"
                        "  B  right\n       line 1: action(right).\n"));
}

TEST_F(Diff, IsAGateOnlyWhenAsked) {
  EXPECT_EQ(json({"diff", "a.lp", "b.lp"}).at("changed"), 1);
  const ProcessResult gate = ndnf({"diff", "a.lp", "b.lp", "--fail-on-change", "--json"});
  EXPECT_EQ(gate.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(gate.output).at("examples").size(), 1u);
  EXPECT_EQ(ndnf({"diff", "a.lp", "a.lp", "--fail-on-change"}).exit_code, 0);
}

TEST_F(Diff, ShowsAsManyExamplesAsAskedFor) {
  const ProcessResult result = ndnf({"diff", "uniform", "optimal", "--env", "blackjack", "--examples", "2"});
  EXPECT_THAT(result.output, HasSubstr("\nand 278 more; see --examples\n"));
}

TEST_F(Diff, NeedsAnEnvironment) {
  const ProcessResult result = ndnf({"diff", "b.lp", "uniform"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "ndnf: b.lp: names no environment; give one with --env\n");
}

}  // namespace
}  // namespace ndnf
