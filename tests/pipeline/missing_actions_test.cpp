#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

// A robot on a grid of 4 by 4 cells fetches a part: examples/robot.drn, a model of a model checker in which
// the actions differ from state to state.

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string kRobot = NDNF_SOURCE_DIR "/examples/robot.drn:reward=time,goal=home,costs=true,limit=100";

class MissingActions : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& text) const { return folder_.write("rules.lp", text).string(); }

  std::string train(const std::string& preset, std::vector<std::string> settings) const {
    TrainRequest request;
    request.source = preset;
    request.settings = std::move(settings);
    request.settings.push_back("env=" + kRobot);
    request.out = path(preset);
    ndnf::train(request);
    return *request.out;
  }
  static PolicyEvaluation evaluate(const std::string& policy, std::optional<Input> env = std::nullopt,
                                   std::optional<Selection> select = std::nullopt) {
    EvaluationRequest request;
    request.policy = policy;
    request.env = std::move(env);
    request.select = select;
    return evaluate_policy(request);
  }
  void expect_offered(const std::string& policy) const {
    const TaskPolicy rows = PolicySource(policy).in(task_);
    for (const ObsId obs : reachable(task_.model()).observations) {
      EXPECT_TRUE(rows.table.defined(obs));
      for (ActionId a = 0; a < rows.table.action_count(); ++a)
        EXPECT_TRUE(task_.model().offered()->allows(obs, a) || rows.table.row(obs)[a] == 0);
    }
    EXPECT_FALSE(rows.shielded);
  }

  Task task_ = make_task(kRobot);

 private:
  TemporaryFolder folder_;
};

TEST_F(MissingActions, AreTakenByNoPolicy) {
  expect_offered("uniform");
  expect_offered("optimal");
  EXPECT_NEAR(evaluate("optimal", kRobot).evaluation.mean_return, -17, 1e-6);
  expect_offered(train("small-corridor-q-table", {}));
  expect_offered(train("small-corridor-mlp", {"ppo.total_timesteps=2048"}));
}

TEST_F(MissingActions, AreNotExploredByEpsilon) {
  const Selection random{Selection::Kind::kEpsilon, 1};
  EXPECT_NEAR(evaluate("optimal", kRobot, random).evaluation.mean_return,
              evaluate("uniform", kRobot).evaluation.mean_return, 1e-9);
}

TEST_F(MissingActions, AreInNoExtractedProgramThatCompilesBack) {
  const std::string run = train("best/taxi-ndnf-mt", {"ppo.total_timesteps=200000"});
  expect_offered(run);
  for (const char* as : {"asp", "problog"}) {
    ExtractionRequest extraction;
    extraction.policy = run;
    extraction.as = as;
    const PolicyExtraction extracted = extract_policy(extraction);
    EXPECT_TRUE(extracted.extraction.best().faithful());
    expect_offered(extracted.file);
    CompileRequest compilation;
    compilation.program = extracted.file;
    compilation.output = path("compiled.safetensors");
    EXPECT_TRUE(compile_program(compilation).agrees());
    expect_offered(*compilation.output);
  }
}

TEST_F(MissingActions, AProgramThatNamesOneIsUndefinedThere) {
  const std::string rules = write("action(west).");
  EXPECT_THAT(evaluate(rules, kRobot).undefined->reason, HasSubstr("names no action that is offered"));
  CheckRequest check;
  check.policy = rules;
  check.env = kRobot;
  EXPECT_THAT(check_policy(check).checks.at(0).witness,
              HasSubstr("names no action that is offered (7 of 31"));
  CompileRequest compilation;
  compilation.program = rules;
  compilation.env = kRobot;
  EXPECT_THAT(error_of([&] { compile_program(compilation); }),
              HasSubstr("rules.lp:1:1: the task does not offer west in x(0), y(0), expected another action"));
}

TEST_F(MissingActions, AShieldMustLeaveOneThatIsOffered) {
  EvaluationRequest request;
  request.policy = "uniform";
  request.env = kRobot;
  request.shield = write("forbidden(east) :- x(0). forbidden(north) :- x(0), not part.");
  EXPECT_THAT(error_of([&] { evaluate_policy(request); }),
              HasSubstr("the shield forbids every action that is offered in x(0), y(0)"));
}

}  // namespace
}  // namespace ndnf
