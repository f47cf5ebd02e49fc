#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/checkpoint.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

// In the second state left and right are swapped, so the rule in line 2 never leads to the goal.
const std::string kWrong = "action(right) :- not in_s_1.\naction(right) :- in_s_1.\n";

class TrainFromRules : public Binary {
 protected:
  void train(const Words& arguments) const {
    const ProcessResult result = ndnf(with({"train"}, arguments));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
  double mean_return(const std::string& policy) const {
    return json({"eval", policy, "--select", "argmax"}).at("return");
  }
  NeuralDnf<float> actor(const std::string& run) const {
    const Checkpoint checkpoint = read_checkpoint(path(run + "/model.safetensors"));
    return std::get<NeuralDnf<float>>(std::get<ActorCritic<float>>(checkpoint.policy).actor);
  }
  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const std::size_t before = file_count();
    const ProcessResult result = ndnf(with({"train"}, arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(file_count(), before);
  }
};

/// Column q of the conjunctions and row q of the disjunctions.
std::vector<float> weights_of(const NeuralDnf<float>& dnf, std::size_t q) {
  std::vector<float> weights;
  for (std::size_t i = 0; i < dnf.conjunctions.rows(); ++i) weights.push_back(dnf.conjunctions(i, q));
  for (std::size_t a = 0; a < dnf.disjunctions.cols(); ++a) weights.push_back(dnf.disjunctions(q, a));
  return weights;
}

const Words kShort = {"--set", "ppo.total_timesteps=512"};

TEST_F(TrainFromRules, AWrongRuleIsUnlearntUnlessItIsLocked) {
  write("wrong.lp", kWrong);
  ASSERT_EQ(json({"eval", "wrong.lp", "--env", "small-corridor"}).at("return"), -50);
  const Words training = {"small-corridor-ndnf-mt", "--init", "wrong.lp"};
  train(with(training, {"--out", "free"}));
  EXPECT_EQ(mean_return("free"), -3);
  train(with(training, {"--out", "locked", "--lock", "2"}));
  EXPECT_THAT(weights_of(actor("locked"), 1), ::testing::ElementsAre(0, 6, 0, 0, 0, 1.5));
  EXPECT_NE(weights_of(actor("free"), 1), weights_of(actor("locked"), 1));
}

TEST_F(TrainFromRules, LockedRulesKeepEveryBitWhileTheOthersLearn) {
  const std::string program = kListings + "door-corridor/dc.lp";
  const Words training = {
      "door-corridor-ndnf-mt",    "--init", program, "--set", "encoder.model=none", "--set",
      "ppo.total_timesteps=20480"};
  train(with(training, {"--set", "env=door-corridor-t", "--out", "t", "--lock", "action(turn_right)"}));
  train({"door-corridor-ndnf-mt", "--init", program, "--set", "encoder.model=none", "--set",
         "ppo.total_timesteps=512", "--set", "ppo.learning_rate=0", "--set", "env=door-corridor-t", "--out",
         "start", "--lock", "action(turn_right)"});
  const NeuralDnf<float> before = actor("start");
  const NeuralDnf<float> after = actor("t");
  std::size_t kept = 0;
  for (std::size_t q = 0; q < before.conjunctions.cols(); ++q) {
    const std::vector<float> weights = weights_of(before, q);
    if (std::find(weights.begin(), weights.end(), 6.0F) == weights.end() &&
        std::find(weights.begin(), weights.end(), -6.0F) == weights.end())
      continue;
    EXPECT_EQ(weights, weights_of(after, q));
    ++kept;
  }
  EXPECT_EQ(kept, 1u);
  EXPECT_NE(weights_of(before, before.conjunctions.cols() - 1),
            weights_of(after, after.conjunctions.cols() - 1));
}

TEST_F(TrainFromRules, GoesOnWhenTheProgramIsGone) {
  write("p.lp", kWrong);
  const Words training = {"small-corridor-ndnf-mt",   "--init", "p.lp", "--lock", "1", "--set",
                          "ppo.total_timesteps=51200"};
  train(with(training, {"--out", "whole"}));
  signalled("KILL", "killed/state.safetensors",
            with({"train"}, with(training, {"--out", "killed", "--checkpoint", "0"})));
  ASSERT_TRUE(std::filesystem::exists(path("killed/state.safetensors")));
  std::filesystem::remove(path("p.lp"));
  train(with(training, {"--out", "killed", "--resume"}));
  EXPECT_EQ(read("killed/model.safetensors"), read("whole/model.safetensors"));
}

/// Neither its critic, a table, nor the network of the finish is in the model file of a killed run.
TEST_F(TrainFromRules, GoesOnWithACriticThatNoModelHolds) {
  write("p.lp", kWrong);
  const Words training = {"small-corridor-ndnf-mt",
                          "--init",
                          "p.lp",
                          "--set",
                          "critic.model=table",
                          "--set",
                          "finish.steps=300",
                          "--set",
                          "ppo.total_timesteps=51200"};
  train(with(training, {"--out", "whole"}));
  signalled("KILL", "killed/state.safetensors",
            with({"train"}, with(training, {"--out", "killed", "--checkpoint", "0"})));
  for (const char* moment : {"0.04", "0.06", "0.08"}) {
    run(with({"timeout", "-s", "KILL", moment, NDNF_BINARY, "train"},
             with(training, {"--out", "killed", "--resume", "--checkpoint", "0"})));
  }
  std::filesystem::remove(path("p.lp"));
  train(with(training, {"--out", "killed", "--resume"}));
  EXPECT_EQ(read("killed/model.safetensors"), read("whole/model.safetensors"));
}

TEST_F(TrainFromRules, AHardenedNetworkIsNotTakenForCompiledRules) {
  train({"small-corridor-ndnf-mt", "--set", "harden.freeze=0.5", "--out", "hard"});
  ASSERT_EQ(actor("hard").activation, Activation::kStep);
  train(with({"small-corridor-ndnf-mt", "--init", "hard", "--set", "ppo.learning_rate=0", "--out", "second"},
             kShort));
  EXPECT_EQ(actor("second").activation, Activation::kTanh);
  EXPECT_EQ(weights_of(actor("hard"), 0), weights_of(actor("second"), 0));
}

TEST_F(TrainFromRules, AStochasticProgramBeginsWithItsDistributions) {
  const std::string program = kListings + "corridors/lc-5-wall.pl";
  train(with(
      {"long-corridor-5-wall-ndnf-mt", "--init", program, "--set", "ppo.learning_rate=0", "--out", "run"},
      kShort));
  EXPECT_NEAR(json({"eval", "run"}).at("return"), -14.100, 0.4);
  ASSERT_EQ(ndnf({"compile", program, "-o", "compiled.safetensors"}).exit_code, 0);
  train(with({"long-corridor-5-wall-ndnf-mt", "--init", "compiled.safetensors", "--set",
              "ppo.learning_rate=0", "--out", "again"},
             kShort));
  EXPECT_NEAR(json({"eval", "again"}).at("return"), -14.100, 0.4);
}

TEST_F(TrainFromRules, ANetworkGoesOnAsItIs) {
  train({"small-corridor-ndnf-mt", "--out", "first"});
  train(with({"small-corridor-ndnf-mt", "--init", "first", "--set", "ppo.learning_rate=0", "--out", "second"},
             kShort));
  EXPECT_EQ(weights_of(actor("first"), 0), weights_of(actor("second"), 0));
  EXPECT_EQ(mean_return("second"), -3);
  train(with({"small-corridor-ndnf-mt", "--init", "first", "--lock", "conj_0", "--out", "third"}, kShort));
  EXPECT_EQ(weights_of(actor("first"), 0), weights_of(actor("third"), 0));
  EXPECT_NE(weights_of(actor("first"), 1), weights_of(actor("third"), 1));
}

TEST_F(TrainFromRules, TakesTheEncoderOfARun) {
  train({"door-corridor-ndnf-mt", "--set", "ppo.total_timesteps=20480", "--out", "run"});
  write("p.lp", "action(toggle) :- a_0.\naction(forward) :- not a_0.\n");
  const Words training = {"door-corridor-ndnf-mt", "--init", "p.lp"};
  train(with(training, with({"--encoder", "run", "--lock", "all", "--out", "hot"}, kShort)));
  const auto network = [&](const std::string& run) {
    return std::get<ActorCritic<float>>(read_checkpoint(path(run + "/model.safetensors")).policy);
  };
  const auto values = [](const Matrix<float>& m) {
    return std::vector<float>(m.values().begin(), m.values().end());
  };
  EXPECT_EQ(values(std::get<Convolution<float>>(network("run").encoder).W),
            values(std::get<Convolution<float>>(network("hot").encoder).W));
  expect_refused(training, "name its run with --encoder");
}

TEST_F(TrainFromRules, WritesExactReturnsIntoTheMetrics) {
  train({"small-corridor-ndnf-mt", "--set", "ppo.total_timesteps=2048", "--set", "eval.every=2", "--out",
         "run"});
  const std::string metrics = read("run/metrics.jsonl");
  std::size_t count = 0;
  for (std::size_t at = metrics.find("\"exact_return\""); at != std::string::npos;
       at = metrics.find("\"exact_return\"", at + 1))
    ++count;
  EXPECT_EQ(count, 2u);
}

TEST_F(TrainFromRules, SaysWhatDoesNotFit) {
  write("p.lp", kWrong);
  write("bad.lp", "action(right) :- in_s_9.\n");
  expect_refused({"small-corridor-ndnf-mt", "--init", "p.lp", "--lock", "7"}, "there is no rule 7");
  expect_refused({"small-corridor-ndnf-mt", "--init", "p.lp", "--lock", "action(rihgt)"}, "action(right)");
  expect_refused({"small-corridor-ndnf-mt", "--lock", "1"}, "--init");
  expect_refused({"small-corridor-ndnf-mt", "--init", "bad.lp"}, "bad.lp:1:");
  expect_refused({"small-corridor-ndnf-mt", "--init", "none.lp"}, "none.lp");
  expect_refused({"small-corridor-mlp", "--init", "p.lp"}, "rules need a neural DNF");
  expect_refused({"small-corridor-ndnf-mt", "--init", "p.lp", "--set", "ppo.keep_negative=true"},
                 "positive literals");
  expect_refused({"small-corridor-ndnf-mt", "--init", "p.lp", "--lock", "1", "--set", "harden.gain=9"},
                 "locked ones");
  expect_refused({"small-corridor-q-table", "--init", "p.lp"}, "not used by method");
  expect_refused({"small-corridor-ndnf-mt", "--init", "p.lp", "--encoder", "run"}, "have no encoder");
}

}  // namespace
}  // namespace ndnf
