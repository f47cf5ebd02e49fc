// Programs over numbers in a task without a finite model: every command on the real binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Numbers : public Binary {
 protected:
  Numbers() {
    write("cart.lp",
          "% environment: cart-pole\n"
          "action(right) :- angle(A), spin(S), 2*A + S > 0.\n"
          "action(left) :- angle(A), spin(S), 2*A + S <= 0.\n");
  }
};

TEST_F(Numbers, EvalSamplesEpisodes) {
  const auto result = json({"eval", "cart.lp", "--episodes", "50"});
  EXPECT_EQ(result.at("return"), 500);
  EXPECT_EQ(result.at("exact"), false);
}

TEST_F(Numbers, ClingoPlaysTheSameEpisodes) {
  write("short.lp", "action(right) :- angle(A), A > 0. action(left) :- not action(right).");
  const auto own = json({"eval", "short.lp", "--env", "cart-pole", "--episodes", "3"});
  const auto real = json({"eval", "short.lp", "--env", "cart-pole", "--episodes", "3", "--with", "clingo"});
  EXPECT_EQ(own.at("return"), real.at("return"));
  EXPECT_EQ(own.at("length"), real.at("length"));
}

TEST_F(Numbers, CheckProvesAndSamplesAndSaysWhich) {
  const ProcessResult result =
      ndnf({"check", "cart.lp", "--property", "never action(left) when spin > 0.5, angle > 0", "--property",
            "P>=0.9 [G<=100 !\"end\"]", "--episodes", "300"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("holds  exactly-one (every observation)\n"),
                                   HasSubstr("holds  never action(left) when spin > 0.5, angle > 0\n"),
                                   HasSubstr("sampled in 300 episodes; 99 % confidence: ")));
}

TEST_F(Numbers, AFewEpisodesDecideNothingAboutReturns) {
  const auto verdict = [&](const char* episodes) {
    const auto checks =
        nlohmann::json::parse(ndnf({"check", "cart.lp", "--property", "R{\"return\"}>=100 [C<=200]",
                                    "--episodes", episodes, "--json"})
                                  .output);
    return checks.at("checks").back();
  };
  EXPECT_EQ(verdict("1").at("holds"), nullptr);
  EXPECT_EQ(verdict("1").at("sampled").at("low"), nullptr);
  EXPECT_EQ(verdict("29").at("holds"), nullptr);
  EXPECT_EQ(verdict("30").at("holds"), true);
}

TEST_F(Numbers, AHeaderWithOtherStepsOfNumbersIsBelieved) {
  const std::string rules = "action(left) :- angle(A), A <= 0.\naction(right) :- not action(left).\n";
  const std::string steps =
      "position in 0.001 m, velocity in 0.001 m/s, angle in 0.001 rad, spin in 0.001 rad/s";
  write("right.lp", "% environment: cart-pole\n% numbers: " + steps + "\n" + rules);
  EXPECT_EQ(ndnf({"check", "right.lp"}).exit_code, 0);
  write("other.lp", "% environment: cart-pole\n% numbers: position in 0.01 m\n" + rules);
  for (const Words& words :
       {Words{"eval", "other.lp", "--episodes", "2"},
        {"check", "other.lp"},
        {"edit", "other.lp", "--when", "angle > 0.1", "--do", "left"},
        {"draw", "other.lp"},
        {"diff", "other.lp", "cart.lp"},
        {"explain", "other.lp"},
        {"export", "other.lp", "--format", "c", "-o", "x.c"},
        {"compile", "other.lp", "-o", "x.safetensors"},
        {"train", "cart-pole", "--model", "rules", "--teacher", "other.lp", "--steps", "1000"}}) {
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    EXPECT_THAT(
        result.errors,
        HasSubstr("other.lp: its header has the numbers position in 0.01 m; cart-pole shows " + steps))
        << words[0];
  }
}

TEST_F(Numbers, AnEditTowardsTheDefaultAddsNoRuleThatNeverFires) {
  write("list.lp",
        "% environment: cart-pole\naction(left) :- angle(A), A <= 0.\naction(right) :- not action(left).\n");
  const auto edit =
      json({"edit", "list.lp", "--when", "velocity > 2.5, angle <= 0", "--do", "right", "-o", "e.lp"});
  EXPECT_EQ(edit.at("already"), false);
  EXPECT_EQ(edit.at("exactly_one"), true);
  EXPECT_THAT(read("e.lp"), HasSubstr("action(left) :- angle(A), A <= 0, not override_1.\n"));
  EXPECT_EQ(ndnf({"check", "e.lp"}).exit_code, 0) << ndnf({"check", "e.lp"}).output;
}

TEST_F(Numbers, CheckNamesAWitnessInUnits) {
  write("gap.lp",
        "% environment: cart-pole\naction(right) :- angle(A), A > 5.\naction(left) :- angle(A), A < 5.\n");
  const ProcessResult result = ndnf({"check", "gap.lp"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, AllOf(HasSubstr("FAILS  exactly-one"), HasSubstr("angle 0.005 rad")));
  EXPECT_EQ(nlohmann::json::parse(ndnf({"check", "gap.lp", "--json"}).output).at("holds"), false);
}

TEST_F(Numbers, DiffProvesEqualityOrShowsARegion) {
  write("same.lp",
        "% environment: cart-pole\naction(left) :- not action(right).\n"
        "action(right) :- angle(A), spin(S), -4*A - 2*S < 0.\n");
  write("other.lp",
        "% environment: cart-pole\naction(left) :- not action(right).\naction(right) :- angle(A), A > 0.\n");
  EXPECT_THAT(ndnf({"diff", "cart.lp", "same.lp", "--episodes", "20"}).output,
              HasSubstr("proved equal in every observation within the ranges"));
  EXPECT_EQ(ndnf({"diff", "cart.lp", "same.lp", "--episodes", "20", "--fail-on-change"}).exit_code, 0);
  EXPECT_EQ(ndnf({"diff", "cart.lp", "other.lp", "--episodes", "20", "--fail-on-change"}).exit_code, 1);
  EXPECT_EQ(json({"diff", "cart.lp", "other.lp", "--episodes", "20"}).at("examples").size(), 2u);
}

TEST_F(Numbers, EditTakesConditionsInUnits) {
  const ProcessResult result =
      ndnf({"edit", "cart.lp", "--when", "velocity > 2.5, angle <= 0.1", "--do", "left", "-o", "edited.lp"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("+override_1 :- velocity(V), V > 2500, angle(A), A <= 100."),
                                   HasSubstr("exactly one action in every observation within the ranges")));
  EXPECT_EQ(ndnf({"check", "edited.lp"}).exit_code, 0);
}

TEST_F(Numbers, ConditionsOffTheGridGetTheNearestChoices) {
  const ProcessResult result = ndnf({"edit", "cart.lp", "--when", "velocity >= 2.5", "--do", "left"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors,
              HasSubstr("the nearest they can say is velocity > 2.499 m/s or velocity > 2.5 m/s"));
  EXPECT_THAT(ndnf({"edit", "cart.lp", "--when", "velocity > 0.0185", "--do", "left"}).errors,
              HasSubstr("velocity > 0.018 m/s or velocity > 0.019 m/s"));
}

TEST_F(Numbers, ExplainGivesTheReasonInUnits) {
  const ProcessResult result = ndnf({"explain", "cart.lp", "--obs", "angle = 0.05, spin > -0.2"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("reason    angle + 0.5*spin > 0 suffices for right"),
                                   HasSubstr("why not   left: it would take angle + 0.5*spin <= 0")));
  EXPECT_THAT(ndnf({"explain", "cart.lp", "--seed", "3"}).output, HasSubstr("the step limit; return 500"));
}

TEST_F(Numbers, WhereSeveralRulesFireIsExplainedOnce) {
  write("twice.lp",
        "% environment: cart-pole\naction(right) :- angle(A), A > 50.\naction(right) :- angle(A), A > 90.\n"
        "action(left) :- angle(A), A <= 50.\n");
  const auto explained = json({"explain", "twice.lp", "--obs", "angle > 0.095"});
  EXPECT_EQ(explained.at("explanations").size(), 1u) << explained;
}

TEST_F(Numbers, AMisspeltQuantityIsNotTakenForASymbol) {
  for (const char* when : {"velociti > 2", "velociti > 2.5", "angle > 0.1, velociti <= 2"}) {
    const ProcessResult result = ndnf({"edit", "cart.lp", "--when", when, "--do", "left"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("there is no quantity velociti; did you mean velocity?")) << when;
  }
}

TEST_F(Numbers, MistakesInAnEditHaveTheirPlaceInItsOption) {
  const auto complaint = [&](const Words& words) {
    Words all = {"edit", "cart.lp"};
    all.insert(all.end(), words.begin(), words.end());
    return ndnf(all).errors;
  };
  EXPECT_THAT(complaint({"--when", "angle(A), A > 3, wrong", "--do", "left"}),
              StartsWith("ndnf: --when:1:18: wrong is neither observed"));
  EXPECT_THAT(complaint({"--when", "angle(A), A*A > 3", "--do", "left"}), StartsWith("ndnf: --when:1:11: "));
  EXPECT_THAT(complaint({"--add", "action(left) :- wrong"}),
              StartsWith("ndnf: --add:1:17: wrong is neither observed"));
  EXPECT_THAT(complaint({"--replace", "3", "--with", "action(left) :- angle(A), wrong, A > 2"}),
              StartsWith("ndnf: --with:1:27: wrong is neither observed"));
  EXPECT_THAT(complaint({"--add", "a :- angle(A), A > 2", "--add", "b :- angle(A), A >"}),
              StartsWith("ndnf: --add:2:"));
  EXPECT_THAT(complaint({"--when", "velocity > 1, foo", "--do", "left"}),
              StartsWith("ndnf: --when: foo is neither"));
}

TEST_F(Numbers, MistakesAreOneSentenceWithThePlace) {
  write("bad.lp", "% environment: cart-pole\naction(left) :- velocity(V), V*V > 3.\n");
  const ProcessResult result = ndnf({"eval", "bad.lp"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "ndnf: bad.lp:2:30: V*V is not linear, expected sums of quantities with whole factors\n");
  EXPECT_EQ(ndnf({"eval", "cart.lp", "--env", "small-corridor"}).exit_code, 2);
  EXPECT_THAT(ndnf({"check", "cart.lp", "--property", "never action(left) when velocty > 3"}).errors,
              HasSubstr("did you mean velocity?"));
}

}  // namespace
}  // namespace ndnf
