#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// A corridor of three cells without a step limit: the door is on the right of the last one, every step
/// costs 1.
std::string corridor(const std::string& more = "", bool door = true) {
  const auto cell = [](int s, int left, const std::string& right) {
    return fmt::format(R"({{"observation": {}, "outcomes": {{"left": [{{"next": {}, "reward": -1}}], )"
                       R"("right": [{{"next": {}, "reward": -1}}]}}}},)",
                       s, left, right);
  };
  return R"({"format": "ndnf-model", "version": 1, "name": "corridor", "actions": ["left", "right"],
    "groups": [{"name": "cell", "atoms": ["c0", "c1", "c2", "out"]}],
    "observations": [["c0"], ["c1"], ["c2"], ["out"]], "states": [)" +
         cell(0, 0, "1") + cell(1, 0, "2") + cell(2, 1, door ? "3, \"terminal\": true" : "0") +
         R"({"observation": 3}], "starts": [{"state": 1}])" + more + "}";
}

class Endless : public Binary {
 protected:
  Endless() {
    write("corridor.json", corridor());
    write("left.lp", "action(left).\n");
    write("right.lp", "action(right).\n");
  }
};

TEST_F(Endless, AnEndingPolicyHasItsReturn) {
  const nlohmann::json result = json({"eval", "right.lp", "--env", "corridor.json"});
  EXPECT_EQ(result.at("return"), -2);
  EXPECT_EQ(result.at("gap"), 0);
  EXPECT_EQ(result.at("optimum_proof"), "dynamic-programming");
  EXPECT_EQ(result.at("discount"), 1);
}

TEST_F(Endless, APolicyWithALoopShowsItAndExitsWith1) {
  const ProcessResult text = ndnf({"eval", "left.lp", "--env", "corridor.json"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.output, HasSubstr("an episode may never end:\n"
                                     "   0  c1  -> left, reward -1\n"
                                     "   1  c0  -> left, reward -1\n"
                                     "   2  c0\n"
                                     "      it is back where it was at step 1, and no end can be reached"));
  EXPECT_THAT(text.errors, HasSubstr("left.lp: an episode may never end, so there is no return without"));
  for (const char* episodes : {"", "100"}) {
    std::vector<std::string> words = {"eval", "left.lp", "--env", "corridor.json", "--json"};
    if (*episodes != 0) words.insert(words.end(), {"--episodes", episodes});
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 1);
    const auto found = nlohmann::json::parse(result.output);
    EXPECT_TRUE(found.at("return").is_null());
    EXPECT_EQ(found.at("loop").size(), 3u);
  }
}

TEST_F(Endless, ADiscountGivesEveryPolicyAReturn) {
  const nlohmann::json result =
      json({"eval", "left.lp", "--env", "corridor.json", "--discount", "0.5", "--exact"});
  EXPECT_DOUBLE_EQ(result.at("return").get<double>(), -2);
  EXPECT_DOUBLE_EQ(result.at("optimum").get<double>(), -1.5);
  EXPECT_TRUE(result.at("length").is_null());
  EXPECT_EQ(result.at("discount"), 0.5);
  write("own.json", corridor(R"(, "discount": 0.5)"));
  EXPECT_EQ(json({"eval", "left.lp", "--env", "own.json"}).at("return"), result.at("return"));
  EXPECT_EQ(json({"envs", "own.json"}).at("discount"), 0.5);
  EXPECT_EQ(json({"eval", "right.lp", "--env", "own.json", "--discount", "1"}).at("return"), -2);
  EXPECT_DOUBLE_EQ(json({"eval", "right.lp", "--env", "small-corridor", "--discount", "0.25"}).at("optimum"),
                   json({"envs", "small-corridor", "--discount", "0.25"}).at("optimum").at("return"));
}

TEST_F(Endless, ADiscountOutOfRangeIsRefused) {
  for (const char* discount : {"0", "-1", "1.01", "nan"}) {
    const ProcessResult result = ndnf({"eval", "left.lp", "--env", "corridor.json", "--discount", discount});
    EXPECT_EQ(result.exit_code, 2) << discount;
    EXPECT_THAT(result.errors, HasSubstr("above 0 and at most 1")) << discount;
  }
}

TEST_F(Endless, WithoutAReachableEndTheSentenceSaysWhy) {
  write("nowhere.json", corridor("", false));
  EXPECT_THAT(
      ndnf({"eval", "optimal", "--env", "nowhere.json"}).errors,
      HasSubstr("there is no best return: no policy ends with probability 1; give the task a step limit "
                "or a discount"));
  EXPECT_EQ(ndnf({"eval", "right.lp", "--env", "nowhere.json"}).exit_code, 1);
  EXPECT_TRUE(json({"envs", "nowhere.json"}).at("optimum").is_null());
  EXPECT_NEAR(json({"eval", "optimal", "--env", "nowhere.json", "--discount", "0.9"}).at("return"), -10,
              1e-12);
}

TEST_F(Endless, PropertiesAgree) {
  const ProcessResult result =
      ndnf({"check", "left.lp", "--env", "corridor.json", "--property", "P<=0 [F \"end\"]", "--property",
            "P>=1 [G !c2]", "--property", "R{\"return\"}=? [C]", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const auto checks = nlohmann::json::parse(result.output).at("checks");
  const auto found = [&](std::size_t back) { return checks.at(checks.size() - back); };
  EXPECT_EQ(found(3).at("holds"), true);
  EXPECT_EQ(found(2).at("holds"), true);
  EXPECT_EQ(found(1).at("witness"), "it has no value: an episode may never end");
  EXPECT_EQ(found(1).at("trace").size(), 3u);
  EXPECT_DOUBLE_EQ(json({"check", "left.lp", "--env", "corridor.json", "--discount", "0.5", "--property",
                         "R{\"return\"}=? [C]"})
                       .at("checks")
                       .back()
                       .at("value"),
                   -2);
}

TEST_F(Endless, DiffShowsTheLoop) {
  const ProcessResult result = ndnf({"diff", "left.lp", "right.lp", "--env", "corridor.json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("an episode of A may never end:\n   0  c1  -> left"));
  EXPECT_EQ(ndnf({"diff", "left.lp", "right.lp", "--env", "corridor.json", "--discount", "0.9"}).exit_code,
            0);
}

TEST_F(Endless, TheOptimumBecomesRulesWithTrueClaims) {
  ASSERT_EQ(
      ndnf({"extract", "optimal", "--env", "corridor.json", "--discount", "0.5", "-o", "best.lp"}).exit_code,
      0);
  const nlohmann::json checked = json({"check", "best.lp"});
  for (const auto& claim : checked.at("claims")) EXPECT_NE(claim.at("verdict"), "false") << claim;
  EXPECT_EQ(json({"eval", "best.lp"}).at("return"), -2);
}

TEST_F(Endless, TrainingReportsTheEndlessReturn) {
  const ProcessResult result = ndnf({"train", "paper/small-corridor-q-table", "--set", "env=corridor.json",
                                     "--out", "q", "--discount", "0.5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(result.output).at("optimum").get<double>(), -1.5);
}

}  // namespace
}  // namespace ndnf
