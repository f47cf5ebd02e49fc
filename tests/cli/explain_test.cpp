#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class Explain : public Binary {
 protected:
  Explain() {
    write("walk.lp",
          "% environment: small-corridor\naction(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
  }
};

TEST_F(Explain, WalksThroughAnEpisode) {
  const ProcessResult result = ndnf({"explain", "walk.lp"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("   1  in_s_1  -> left, reward -1\n"));
  EXPECT_THAT(result.output, HasSubstr("      the episode is over; return -3\n"));
  EXPECT_THAT(result.output,
              HasSubstr("in_s_1\n  policy    left\n  fired     line 2: action(left) :- in_s_1.\n"
                        "  reason    in_s_1 suffices for left\n"
                        "  why not   right: it would take in_s_0\n"));
}

TEST_F(Explain, ExplainsTheObservationsAskedFor) {
  const nlohmann::json result = json({"explain", "walk.lp", "--obs", "in_s_0", "--obs", "in_s_2"});
  ASSERT_EQ(result.at("explanations").size(), 2u);
  EXPECT_EQ(result.at("explanations")[1].at("observation"), "in_s_2");
  EXPECT_FALSE(result.contains("episode"));
}

TEST_F(Explain, BadInputIsOneSentenceAndExitTwo) {
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"explain", "walk.lp"});
    const ProcessResult result = ndnf(options);
    EXPECT_EQ(result.exit_code, 2);
    return result.errors;
  };
  EXPECT_EQ(error({"--obs", "in_s_1, in_s_9"}),
            "ndnf: --obs:1:9: there is no atom in_s_9; did you mean in_s_0?\n");
  EXPECT_EQ(error({"--obs", "in_s_1, in_s_2"}),
            "ndnf: --obs: no reachable observation matches in_s_1, in_s_2\n");
  EXPECT_THAT(error({"--obs", "in_s_1", "--episode"}), HasSubstr("excludes"));
}

}  // namespace
}  // namespace ndnf
