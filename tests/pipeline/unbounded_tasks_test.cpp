// Tasks that are not enumerated, from training to deployment; and requests that are given contents, not
// paths.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/diff_policies.h"
#include "ndnf/pipeline/edit_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/export_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string kRoad = "crossing:lanes=8,width=8";
const std::string kNoModel =
    "this task has no finite model: its states are too many to be enumerated; "
    "it can be used with train, eval, extract, draw and export";

TrainedRun trained(const TemporaryFolder& folder, const std::string& toml, std::optional<Task> task = {}) {
  TrainRequest request;
  request.source = Input("settings.toml", toml);
  request.task = std::move(task);
  request.out = (folder.path() / "run").string();
  return train(request).at(0);
}

const std::string kRoadSettings = R"(
env = "crossing:lanes=8,width=8"
method = "ppo"
[actor]
model = "ndnf-mt"
conjunctions = 48
[ppo]
total_timesteps = 400000
num_envs = 32
num_steps = 64
learning_rate = 0.003
[eval]
select = "argmax"
)";

TEST(UnboundedTask, ADiscreteOneGoesFromTrainingToDeployment) {
  const TemporaryFolder folder;
  const TrainedRun run = trained(folder, kRoadSettings);
  EXPECT_FALSE(run.mean_return.exact());
  EXPECT_GT(run.mean_return.standard_error, 0);
  EXPECT_FALSE(run.optimum);
  EXPECT_GT(run.mean_return.value, -13);  // at random -23, at best -9

  EvaluationRequest evaluation;
  evaluation.policy = run.run;
  const PolicyEvaluation network = evaluate_policy(evaluation);
  EXPECT_FALSE(network.evaluation.exact);
  EXPECT_EQ(network.evaluation.episodes, kDefaultEpisodes);
  EXPECT_TRUE(to_json(network).at("optimum").is_null());

  ExtractionRequest extraction;
  extraction.policy = run.run;
  extraction.sample = 200;
  const PolicyExtraction program = extract_policy(extraction);
  const auto json = to_json(program);
  EXPECT_EQ(json.at("scope"), "sampled");
  EXPECT_EQ(json.at("sample").at("observations"), 200);
  EXPECT_TRUE(json.at("faithful"));
  EXPECT_GT(json.at("return_program_stderr"), 0);
  EXPECT_THAT(program.text, HasSubstr(fmt::format("in all {} sampled observations",
                                                  json.at("sample").at("observations").get<int>())));
  EXPECT_THAT(program.text, HasSubstr("% minimal: not claimed: the observations are a sample"));
  EXPECT_TRUE(program.certificate.empty());

  evaluation.policy = program.file;
  const PolicyEvaluation again = evaluate_policy(evaluation);
  EXPECT_NEAR(again.evaluation.mean_return, json.at("return_program"), 5 * again.evaluation.standard_error);
  for (const std::string& policy : {run.run, program.file}) {
    EXPECT_THAT(export_policy({policy, {}, {}, {}, "c"}).bytes, HasSubstr("int "));
  }
}

TEST(UnboundedTask, ARealValuedOneGoesFromTrainingToDeployment) {
  const TemporaryFolder folder;
  const TrainedRun run = trained(folder, R"(
env = "cart-pole"
method = "ppo"
[actor]
model = "mlp"
[ppo]
total_timesteps = 100000
num_envs = 8
num_steps = 128
learning_rate = 0.003
[eval]
select = "argmax"
)");
  EXPECT_GT(run.mean_return.value, 200);  // at random 22, at best 500
  EvaluationRequest evaluation;
  evaluation.policy = run.run;
  evaluation.episodes = 500;
  EXPECT_GT(evaluate_policy(evaluation).evaluation.mean_return, 200);
  EXPECT_THAT(export_policy({run.run, {}, {}, {}, "c"}).bytes, HasSubstr("const float *numbers"));
  EXPECT_FALSE(export_policy({run.run, {}, {}, {}, "npz"}).bytes.empty());
  ExtractionRequest extraction;
  extraction.policy = run.run;
  EXPECT_THAT(error_of([&] { extract_policy(extraction); }), HasSubstr("cart-pole has no atoms"));
}

TEST(UnboundedTask, WhatNeedsAllStatesSaysSo) {
  EXPECT_EQ(error_of([] { check_policy({"uniform", kRoad}); }), kRoad + ": " + kNoModel);
  EXPECT_EQ(error_of([] { diff_policies({"uniform", "uniform", kRoad}); }), kRoad + ": " + kNoModel);
  EXPECT_EQ(error_of([] { export_policy({"uniform", kRoad, {}, {}, "drn"}); }), kRoad + ": " + kNoModel);
  const auto evaluate = [](const std::string& policy, bool exact) {
    EvaluationRequest request;
    request.policy = policy;
    request.env = kRoad;
    request.exact = exact;
    evaluate_policy(request);
  };
  EXPECT_EQ(error_of([&] { evaluate("optimal", false); }), kRoad + ": " + kNoModel);
  EXPECT_EQ(error_of([&] { evaluate("uniform", true); }), kRoad + ": " + kNoModel);
  const TemporaryFolder folder;
  for (const char* setting :
       {"method = \"q-learning\"", "[critic]\nmodel = \"table\"", "[eval]\nevery = 1"}) {
    const std::string toml = fmt::format("env = \"{}\"\n{}\n", kRoad, setting);
    EXPECT_THAT(error_of([&] { trained(folder, toml); }), HasSubstr("which cannot be enumerated")) << setting;
  }
}

/// An environment that cannot be saved.
class Unsaved final : public VectorEnv {
 public:
  explicit Unsaved(std::unique_ptr<VectorEnv> inner) : inner_(std::move(inner)) {}
  std::size_t size() const override { return inner_->size(); }
  const ObservationTable& observations() const override { return inner_->observations(); }
  std::span<const ObsId> reset(std::uint64_t seed) override { return inner_->reset(seed); }
  VectorStep step(std::span<const ActionId> actions) override { return inner_->step(actions); }
  void keep(std::size_t steps) override { inner_->keep(steps); }

 private:
  std::unique_ptr<VectorEnv> inner_;
};

TEST(UnboundedTask, AnEnvironmentThatCannotBeSavedResumesWithNewEpisodes) {
  Task task = make_task(kRoad);
  task.environments = [make = task.environments](std::size_t count, std::uint64_t stream) {
    return std::make_unique<Unsaved>(make(count, stream));
  };
  const TemporaryFolder folder;
  TrainRequest request;
  request.source = folder.write("settings.toml", kRoadSettings).string();
  request.task = task;
  request.out = (folder.path() / "run").string();
  int iterations = 0;
  request.stop = [&] { return ++iterations > 5; };
  EXPECT_FALSE(train(request).at(0).finished);
  request.stop = nullptr;
  request.resume = true;
  const TrainedRun resumed = train(request).at(0);
  EXPECT_TRUE(resumed.finished);
  EXPECT_TRUE(resumed.new_episodes);
  EXPECT_TRUE(to_json({resumed})[0].at("new_episodes"));
  EXPECT_FALSE(train(request).at(0).new_episodes);  // nothing is left to do
}

TEST(Contents, RequestsReadTextsAndReturnWhatTheyMade) {
  const Input program("rules.lp",
                      "% environment: small-corridor\naction(left) :- in_s_1.\n"
                      "action(right) :- not in_s_1.\n");
  EvaluationRequest evaluation;
  evaluation.policy = program;
  EXPECT_EQ(evaluate_policy(evaluation).evaluation.mean_return, -3);
  EXPECT_TRUE(check_policy({program}).holds());

  const ProgramCompilation compiled = compile_program({program});
  EXPECT_TRUE(compiled.agrees());
  EXPECT_TRUE(compiled.file.empty());
  const Input network("network.safetensors", compiled.bytes);
  EXPECT_EQ(diff_policies({program, network}).diff.changed.size(), 0u);

  ExtractionRequest extraction;
  extraction.policy = network;
  const PolicyExtraction extracted = extract_policy(extraction);
  EXPECT_TRUE(extracted.file.empty());
  EXPECT_THAT(extracted.text, HasSubstr("action(left) :- in_s_1."));

  EditRequest edit;
  edit.program = program;
  edit.when = "in_s_2";
  edit.action = "left";
  const ProgramEdit edited = edit_program(edit);
  EXPECT_TRUE(edited.file.empty());
  EXPECT_THAT(edited.text, HasSubstr("action(left) :- in_s_2."));
  EXPECT_THAT(export_policy({program, {}, {}, {}, "prism"}).bytes, HasSubstr("dtmc"));
}

TEST(Contents, MistakesAreReportedUnderTheirName) {
  EXPECT_THAT(error_of([] {
                check_policy({Input("typed.lp", "action(left :- in_s_1.\n"), "small-corridor"});
              }),
              HasSubstr("typed.lp:1:"));
  EXPECT_THAT(error_of([] {
                check_policy({Input("typed.lp", "{\"format\": \"ndnf-model\"}"), "taxi"});
              }),
              HasSubstr("this is the model of a task, but a policy is needed here"));
  EvaluationRequest request;
  request.policy = "uniform";
  request.env = Input("task.json", read_file(NDNF_SOURCE_DIR "/examples/two-rooms.json"));
  EXPECT_EQ(evaluate_policy(request).env, "task.json");
}

}  // namespace
}  // namespace ndnf
