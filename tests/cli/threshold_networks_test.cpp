// Networks whose atoms are learned thresholds: every command on the real binary.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/checkpoint.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Balances the pole for a while, in a second.
const Words kPole = {"train", "cart-pole:step_limit=200", "--steps", "81920", "--seed", "1"};

const std::string kList =
    "% environment: cart-pole\n"
    "case_1 :- velocity(V), V > 1500.\n"
    "action(left) :- case_1.\n"
    "action(right) :- angle(A), spin(S), 2*A + S > 0, not case_1.\n"
    "action(left) :- not case_1, not action(right).\n";

class ThresholdNetworks : public Binary {
 protected:
  ThresholdNetworks() { write("list.lp", kList); }
  ActorCritic<float> network(const std::string& file) const {
    return std::get<ActorCritic<float>>(read_checkpoint(path(file)).policy);
  }
  /// Return and length of the same episodes.
  std::pair<double, double> played(const std::string& policy) const {
    const auto result = json({"eval", policy, "--episodes", "30", "--seed", "5"});
    return {result.at("return"), result.at("length")};
  }
};

TEST_F(ThresholdNetworks, LearnToBalanceAndAreExtractedAsComparisons) {
  const auto run = json(with(kPole, {"--out", "run"}));
  EXPECT_GT(run.at("return"), 150) << "a pole left alone falls after 10 steps";
  const ActorCritic<float> learned = network("run/model.safetensors");
  EXPECT_NE(comparisons_of(learned.encoder), nullptr);
  EXPECT_EQ(std::get<NeuralDnf<float>>(learned.actor).activation, Activation::kStep);

  const auto extraction = json({"extract", "run", "--sample", "5000", "--episodes", "100"});
  EXPECT_EQ(extraction.at("faithful"), true);
  EXPECT_EQ(extraction.at("form"), "list");
  EXPECT_EQ(extraction.at("over"), "comparisons");
  EXPECT_LT(extraction.at("sample").at("observations"), 5000);  // whole episodes
  EXPECT_THAT(read("run/policy.lp"),
              AllOf(HasSubstr(" sampled observations\n"), HasSubstr("% position in 0.001 m"),
                    HasSubstr("fresh observations differ"), HasSubstr(" % of decisions")));
  EXPECT_GT(json({"eval", "run/policy.lp", "--episodes", "50"}).at("return"), 150);
}

TEST_F(ThresholdNetworks, TheSameSeedGivesTheSameBytes) {
  json(with(kPole, {"--out", "a"}));
  json(with(kPole, {"--out", "b"}));
  EXPECT_EQ(read("a/model.safetensors"), read("b/model.safetensors"));
}

TEST_F(ThresholdNetworks, AListBecomesANetworkThatPlaysTheSameEpisodes) {
  const auto compiled = json({"compile", "list.lp", "-o", "list.safetensors"});
  EXPECT_EQ(compiled.at("agrees"), true);
  EXPECT_EQ(compiled.at("inputs"), 2);
  EXPECT_EQ(compiled.at("conjunctions"), 4);  // two rules, the default and the shared constant
  EXPECT_EQ(compiled.at("kinds"), 4);
  EXPECT_GT(compiled.at("sampled"), 100);
  EXPECT_EQ(played("list.safetensors"), played("list.lp"));
  EXPECT_THAT(ndnf({"compile", "list.lp"}).output,
              HasSubstr(" of episodes, and all 4 kinds that the rules tell apart"));
}

TEST_F(ThresholdNetworks, AnyOtherProgramIsUnfolded) {
  write("other.lp",
        "% environment: cart-pole\n"
        "falling :- angle(A), A > 20.\nfalling :- spin(S), S > 300.\n"
        "action(right) :- falling, velocity(V), V <= 2000.\n"
        "action(left) :- not falling.\naction(left) :- velocity(V), V > 2000.\n");
  EXPECT_EQ(json({"compile", "other.lp"}).at("agrees"), true);
  EXPECT_EQ(played("other.safetensors"), played("other.lp"));
}

TEST_F(ThresholdNetworks, ProbabilitiesAreCompiledKindByKind) {
  write("chance.pl",
        "% environment: cart-pole\n"
        "0.9::action(right) ; 0.1::action(left) :- angle(A), A > 0.\n"
        "0.2::action(right) ; 0.8::action(left) :- angle(A), A =< 0.\n");
  const auto compiled = json({"compile", "chance.pl"});
  EXPECT_EQ(compiled.at("agrees"), true);
  EXPECT_LT(compiled.at("max_dp"), 1e-6);
  EXPECT_EQ(compiled.at("kinds"), 2);
}

TEST_F(ThresholdNetworks, WhereAProgramHasNoActionTheNetworkTakesOne) {
  write("gap.lp",
        "% environment: cart-pole\naction(right) :- angle(A), A > 5.\naction(left) :- angle(A), A < 5.\n");
  EXPECT_GT(json({"compile", "gap.lp"}).at("undefined"), 0);
}

TEST_F(ThresholdNetworks, NeitherShieldNorEncoderIsForNumbers) {
  write("shield.lp", "forbidden(left).\n");
  const ProcessResult result = ndnf({"compile", "list.lp", "--shield", "shield.lp"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("needs a task that can be enumerated"));
  EXPECT_FALSE(std::filesystem::exists(path("list.safetensors")));
}

// No episode gets to a velocity above 1.5 m/s, so the first rule is not in the program, which says so.
TEST_F(ThresholdNetworks, WhatNoEpisodeShowsIsCountedAmongTheKindsOfObservations) {
  json({"compile", "list.lp", "-o", "net.safetensors"});
  const auto extraction = json({"extract", "net.safetensors", "-o", "again.lp", "--episodes", "50"});
  EXPECT_EQ(extraction.at("faithful"), true);
  EXPECT_EQ(extraction.at("sample").at("fresh_disagreements"), 0);
  EXPECT_EQ(extraction.at("sample").at("kinds"), 4);
  EXPECT_EQ(extraction.at("sample").at("kind_disagreements"), 1);
  EXPECT_THAT(read("again.lp"), HasSubstr("% everywhere: 1 of 4 kinds of observations that the network "
                                          "tells apart differ\n"));
  EXPECT_EQ(played("again.lp"), played("list.lp"));
}

TEST_F(ThresholdNetworks, AProgramThatDiffersInNoKindIsProvedEqual) {
  write("even.lp",
        "% environment: cart-pole\n"
        "action(right) :- angle(A), spin(S), 2*A + S > 0.\naction(left) :- not action(right).\n");
  json({"compile", "even.lp", "-o", "net.safetensors"});
  const auto extraction = json({"extract", "net.safetensors", "-o", "again.lp", "--episodes", "50"});
  EXPECT_EQ(extraction.at("sample").at("kinds"), 2);
  EXPECT_EQ(extraction.at("sample").at("kind_disagreements"), 0);
  EXPECT_EQ(ndnf({"diff", "even.lp", "again.lp", "--episodes", "5", "--fail-on-change"}).exit_code, 0);
}

TEST_F(ThresholdNetworks, TrainingGoesOnFromAProgramWithItsRulesLocked) {
  const Words start = with(kPole, {"--init", "list.lp", "--set", "harden.gain=1"});
  const auto locked = json(with(start, {"--lock", "all", "--out", "locked"}));
  EXPECT_EQ(locked.at("return"), 200);  // what the rules do is not unlearned
  const auto weights = [&](const std::string& run, std::size_t q) {
    const auto dnf = std::get<NeuralDnf<float>>(network(run + "/model.safetensors").actor);
    std::vector<float> column;
    for (std::size_t i = 0; i < dnf.conjunctions.rows(); ++i) column.push_back(dnf.conjunctions(i, q));
    for (std::size_t a = 0; a < 2; ++a) column.push_back(dnf.disjunctions(q, a));
    return column;
  };
  const std::vector<float> first = weights("locked", 0);
  EXPECT_TRUE(std::all_of(first.begin(), first.end(),
                          [](float w) { return w == 0 || std::abs(w) == 6 || w == 1.5F; }));
  json(with(start, {"--out", "free"}));
  EXPECT_NE(weights("free", 0), first);
}

TEST_F(ThresholdNetworks, TrainingGoesOnFromANetwork) {
  json(with(kPole, {"--out", "first"}));
  const Words start = with(kPole, {"--init", "first", "--set", "eval.select=argmax"});
  const auto on = json(with(start, {"--out", "second"}));
  EXPECT_GT(on.at("return"), 150);
}

TEST_F(ThresholdNetworks, AnMlpIsImitated) {
  json({"train", "cart-pole:step_limit=200", "--model", "rules", "--steps", "100000", "--set",
        "rules.rounds=1", "--set", "rules.states=512", "--set", "ppo.total_timesteps=40960", "--out",
        "rules"});
  const auto student =
      json({"train", "cart-pole:step_limit=200", "--teacher", "rules/teacher.safetensors", "--set",
            "distill.epochs=60", "--set", "distill.sample=3000", "--out", "student"});
  EXPECT_GT(student.at("return"), 50);
  EXPECT_NE(comparisons_of(network("student/model.safetensors").encoder), nullptr);
}

TEST_F(ThresholdNetworks, AreNotExportedButTheirProgramsAre) {
  json({"compile", "list.lp", "-o", "net.safetensors"});
  for (const char* format : {"c", "npz", "onnx"}) {
    const ProcessResult result =
        ndnf({"export", "net.safetensors", "--format", format, "-o", std::string("net.") + format});
    EXPECT_EQ(result.exit_code, 2) << format;
    EXPECT_THAT(result.errors, HasSubstr("extract")) << format;
  }
}

}  // namespace
}  // namespace ndnf
