#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Export : public Binary {};

TEST_F(Export, WritesTheChainInBothFormats) {
  for (const std::string format : {"drn", "prism"}) {
    const nlohmann::json result =
        json({"export", "optimal", "--env", "small-corridor", "--format", format, "-o", "chain." + format});
    EXPECT_EQ(result.at("file"), "chain." + format);
    EXPECT_EQ(result.at("bytes"), read("chain." + format).size());
  }
  EXPECT_THAT(read("chain.drn"), HasSubstr("@type: DTMC"));
  EXPECT_THAT(read("chain.prism"), HasSubstr("label \"action_left\" = s=1; // action(left)\n"));
}

TEST_F(Export, RefusesAPolicyWithoutAChain) {
  write("half.lp", "action(right) :- in_s_0.");
  const ProcessResult result =
      ndnf({"export", "half.lp", "--env", "small-corridor", "--format", "drn", "-o", "chain.drn"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "ndnf: half.lp: in in_s_1 the policy names no action; a Markov chain needs a distribution in "
            "every visited state\n");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Export, WritesAPolicyAsC) {
  write("walk on.lp", "% environment: small-corridor\naction(right) :- not in_s_1. action(left) :- in_s_1.");
  const nlohmann::json result = json({"export", "walk on.lp", "--format", "c", "-o", "policy.c"});
  EXPECT_EQ(result.at("bytes"), read("policy.c").size());
  EXPECT_THAT(read("policy.c"), StartsWith("/* walk on.lp: a policy for small-corridor, written by ndnf "));
  EXPECT_THAT(read("policy.c"), HasSubstr("/* action(left) :- in_s_1. */\n  if (atoms[walk_on_atom_in_s_1]) "
                                          "p[walk_on_action_left] = 1;\n"));
}

TEST_F(Export, WritesAnArchiveForNumpy) {
  const nlohmann::json result =
      json({"export", "optimal", "--env", "small-corridor", "--format", "npz", "-o", "policy.npz"});
  EXPECT_EQ(result.at("bytes"), read("policy.npz").size());
  EXPECT_THAT(read("policy.npz"), StartsWith("PK"));
}

TEST_F(Export, WritesAModelForOnnx) {
  const Words words{"export", "optimal", "--env", "small-corridor", "--format", "onnx", "-o"};
  const nlohmann::json result = json(with(words, {"policy.onnx"}));
  EXPECT_EQ(result.at("bytes"), read("policy.onnx").size());
  EXPECT_THAT(read("policy.onnx"), StartsWith("\x08\x08\x12\x04ndnf"));  // format 8, written by ndnf
  EXPECT_THAT(read("policy.onnx"), HasSubstr("[\"left\",\"right\"]"));
  json(with(words, {"again.onnx"}));
  EXPECT_EQ(read("again.onnx"), read("policy.onnx"));
}

TEST_F(Export, AProgramOfATaskWithoutAModelIsNotWrittenAsATable) {
  write("still.lp", "% environment: crossing:lanes=8,width=8\naction(wait).\n");
  const ProcessResult result = ndnf({"export", "still.lp", "--format", "onnx", "-o", "policy.onnx"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors,
              HasSubstr("whose observations cannot be listed; compile it, and export the network"));
}

TEST_F(Export, AShieldedNetworkIsWrittenAsATableThatObeys) {
  write("shield.lp", "forbidden(right) :- in_s_1.\n");
  ASSERT_EQ(ndnf({"train", "small-corridor-mlp", "--set", "ppo.total_timesteps=512", "--shield", "shield.lp",
                  "--out", "run"})
                .exit_code,
            0);
  json({"export", "run", "--format", "c", "-o", "policy.c"});
  EXPECT_THAT(read("policy.c"), Not(HasSubstr("tanh")));
}

TEST_F(Export, OnlyAChainHasASelection) {
  for (const std::string format : {"c", "npz", "onnx"}) {
    const ProcessResult result = ndnf({"export", "optimal", "--env", "small-corridor", "--select", "argmax",
                                       "--format", format, "-o", "policy"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors, "ndnf: --select: cannot be combined with --format " + format +
                                 "; it applies to Markov chains; here the user of the file picks the "
                                 "actions\n");
  }
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(Export, RefusesAPolicyForAnotherEnvironment) {
  write("walk.lp", "action(right).");
  for (const std::string format : {"c", "npz"}) {
    const ProcessResult result =
        ndnf({"export", "walk.lp", "--env", "blackjack", "--format", format, "-o", "policy"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("walk.lp:1:1: the task has no action right"));
  }
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Export, NamesTheNearestFormat) {
  const ProcessResult result =
      ndnf({"export", "uniform", "--env", "small-corridor", "--format", "prsim", "-o", "chain"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "ndnf: --format: there is no prsim; did you mean prism?\n");
}

}  // namespace
}  // namespace ndnf
