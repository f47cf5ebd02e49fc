#include "ndnf/logic/shield.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/compile_program.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string kNeverBust = NDNF_SOURCE_DIR "/examples/shields/never-bust.lp";
const std::string kDoors = NDNF_SOURCE_DIR "/examples/shields/door-corridor.lp";

/// A folder for runs, networks and programs.
class Shielded : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::string train(const std::string& preset, const std::string& shield, const std::string& out,
                    std::vector<std::string> settings = {}) const {
    TrainRequest request;
    request.source = preset;
    request.settings = std::move(settings);
    request.shield = shield;
    request.out = path(out);
    trained_ = ndnf::train(request).at(0);
    return *request.out;
  }
  std::string compile(const std::string& program, const std::string& shield) const {
    CompileRequest request;
    request.program = program;
    request.shield = shield;
    request.output = path("compiled.safetensors");
    return compile_program(request).file;
  }
  static PolicyEvaluation evaluate(const std::string& policy, const std::optional<std::string>& shield,
                                   const std::optional<std::string>& env = std::nullopt,
                                   const std::optional<Selection>& select = std::nullopt) {
    EvaluationRequest request;
    request.policy = policy;
    request.env = env;
    request.shield = shield;
    request.select = select;
    return evaluate_policy(request);
  }

  mutable TrainedRun trained_;  ///< By the last call of `train`.

 private:
  TemporaryFolder folder_;
};

/// Expects no probability for a forbidden action.
void expect_obeys(const PolicyTable& rows, const ActionMask& mask, std::span<const ObsId> scope) {
  for (const ObsId obs : scope) {
    EXPECT_TRUE(rows.defined(obs));
    for (ActionId a = 0; a < rows.action_count(); ++a)
      EXPECT_TRUE(mask.allows(obs, a) || rows.row(obs)[a] == 0);
  }
}

/// The reachable observations of an environment and what a shield file allows there.
struct Judge {
  Task environment;
  ActionMask mask;
  std::vector<ObsId> scope;

  Judge(const std::string& env, const std::string& shield)
      : environment(make_task(env)),
        mask(read_shield(shield, read_program_text(shield), environment.model().observations())),
        scope(reachable(environment.model()).observations) {}
  void expect_obeyed_by(const std::string& policy) const {
    expect_obeys(load_policy(policy, environment), mask, scope);
  }
};

TEST_F(Shielded, RunsKeepTheirShieldInEvaluationAndExtraction) {
  const Judge judge("blackjack", kNeverBust);
  const std::string run = train("blackjack-ndnf-mt", kNeverBust, "run", {"ppo.total_timesteps=20480"});
  judge.expect_obeyed_by(run);

  const PolicyEvaluation evaluation = evaluate(run, std::nullopt);
  EXPECT_TRUE(evaluation.shielded);
  EXPECT_EQ(evaluation.evaluation.mean_return, trained_.mean_return.value);
  EXPECT_EQ(evaluate(run, kNeverBust).evaluation.mean_return, trained_.mean_return.value);

  for (const char* as : {"asp", "problog"}) {
    ExtractionRequest extraction;
    extraction.policy = run;
    extraction.as = as;
    const PolicyExtraction extracted = extract_policy(extraction);
    EXPECT_TRUE(extracted.extraction.best().faithful());
    judge.expect_obeyed_by(extracted.file);  // by itself
  }
}

TEST_F(Shielded, EveryMethodTrainsAnObedientPolicy) {
  const Judge judge("small-corridor",
                    write("wall.lp", "forbidden(left) :- in_s_0. forbidden(left) :- in_s_2."));
  for (const char* preset : {"small-corridor-q-table", "small-corridor-mlp", "small-corridor-ndnf-mt"}) {
    judge.expect_obeyed_by(train(preset, path("wall.lp"), preset));
    EXPECT_TRUE(evaluate(path(preset), std::nullopt).shielded);
  }
}

// The predicates of the encoder need not determine the atoms that the shield uses.
TEST_F(Shielded, EncodersObeyRulesAboutRawAtomsAndSoDoTheirPrograms) {
  const Judge judge("door-corridor", kDoors);
  const std::string run = train("door-corridor-ndnf-mt", kDoors, "run", {"ppo.total_timesteps=8192"});
  judge.expect_obeyed_by(run);
  ExtractionRequest request;
  request.policy = run;
  const PolicyExtraction extracted = extract_policy(request);
  EXPECT_TRUE(extracted.extraction.best().faithful());
  judge.expect_obeyed_by(extracted.file);
}

TEST_F(Shielded, TrainingEvaluationAndCompilationUseTheVerySameMask) {
  const std::string rules = write("rules.lp", "forbidden(right) :- in_s_0.");
  const Judge judge("small-corridor", rules);
  const PolicyTable uniform = judge.mask.apply(uniform_policy(judge.environment.model().observations()));

  const std::string run = train("small-corridor-mlp", rules, "run");
  const std::string program = write("program.pl",
                                    "% environment: small-corridor\n"
                                    "0.5::action(left); 0.5::action(right).\n");
  const std::string network = compile(program, rules);
  for (const std::string& policy : {run, network}) {
    const TaskPolicy rows = PolicySource(policy).in(judge.environment);
    ASSERT_TRUE(rows.mask) << policy;
    for (ObsId obs = 0; obs < rows.mask->size(); ++obs) EXPECT_EQ(rows.mask->bits(obs), judge.mask.bits(obs));
  }
  const TaskPolicy evaluated = PolicySource("uniform").in(judge.environment, judge.mask);
  const PolicyTable compiled = load_policy(network, judge.environment);
  for (const ObsId obs : judge.scope) {
    for (ActionId a = 0; a < 2; ++a) {
      EXPECT_EQ(evaluated.table.row(obs)[a], uniform.row(obs)[a]);
      EXPECT_NEAR(compiled.row(obs)[a], uniform.row(obs)[a], 1e-6);
    }
  }
}

TEST_F(Shielded, ConfigHoldsTheRulesSoThatARunIsReproducedFromItsFolderAlone) {
  const std::string rules = write("rules.lp", "% \"quoted\" \\ and so on\nforbidden(left) :- in_s_0.\n");
  const std::string run = train("small-corridor-mlp", rules, "run");
  EXPECT_THAT(read_file(run + "/config.toml"), HasSubstr("forbidden(left) :- in_s_0.\n"));
  std::filesystem::remove(rules);

  TrainRequest again;
  again.source = run + "/config.toml";
  again.out = path("again");
  ndnf::train(again);
  const Checkpoint first = read_checkpoint(run + "/model.safetensors");
  Checkpoint second = read_checkpoint(path("again") + "/model.safetensors");
  EXPECT_EQ(second.shield, "% \"quoted\" \\ and so on\nforbidden(left) :- in_s_0.\n");
  second.preset = first.preset;
  EXPECT_EQ(to_bytes(first), to_bytes(second));
}

TEST_F(Shielded, ResumingNeedsTheSameShield) {
  const std::string rules = write("rules.lp", "forbidden(left) :- in_s_0.\n");
  const std::string run = train("small-corridor-mlp", rules, "run");
  TrainRequest request;
  request.source = "small-corridor-mlp";
  request.out = run;
  request.resume = true;
  const std::string refusal =
      run + "/config.toml: the shield is different there; a run can only be resumed with the same settings";
  EXPECT_EQ(error_of([&] { ndnf::train(request); }), refusal);
  request.shield = write("other.lp", "forbidden(right) :- in_s_0.\n");
  EXPECT_EQ(error_of([&] { ndnf::train(request); }), refusal);
  request.shield = rules;
  EXPECT_EQ(ndnf::train(request).at(0).mean_return.value, trained_.mean_return.value);
}

TEST_F(Shielded, DistillationMasksItsTeacher) {
  const std::string rules = write("rules.lp", "forbidden(right) :- in_s_0.\n");
  TrainRequest request;
  request.source = write("distill.toml",
                         "env = \"small-corridor\"\nmethod = \"distill\"\n[actor]\nmodel = \"mlp\"\n"
                         "[distill]\nteacher = \"optimal\"\nepochs = 50\n");
  request.shield = rules;
  request.out = path("student");
  ndnf::train(request);
  Judge("small-corridor", rules).expect_obeyed_by(*request.out);
}

TEST_F(Shielded, OptimalIsTheBestPolicyThatObeys) {
  const PolicyEvaluation best = evaluate("optimal", kNeverBust, "blackjack");
  const Judge judge("blackjack", kNeverBust);
  const Optimum expected = find_optimum(judge.environment.model(), judge.mask);
  EXPECT_DOUBLE_EQ(best.evaluation.mean_return, expected.evaluation.mean_return);
  EXPECT_LT(best.evaluation.mean_return, best.optimum->found - 0.01);
  EXPECT_GT(best.evaluation.mean_return, evaluate("uniform", kNeverBust, "blackjack").evaluation.mean_return);
}

TEST_F(Shielded, EpsilonExploresAmongAllowedActionsOnly) {
  const Judge judge("blackjack", kNeverBust);
  const Selection often = Selection::parse("", "epsilon:0.5");
  expect_obeys(PolicySource("optimal").in(judge.environment, judge.mask).taken(often).table, judge.mask,
               judge.scope);
}

TEST_F(Shielded, AProgramThatOnlyDoesWhatIsForbiddenIsLeftWithoutAnAction) {
  const std::string program = write("program.lp", "action(right).");
  const std::string rules = write("rules.lp", "forbidden(right) :- in_s_0.");
  const PolicyEvaluation result = evaluate(program, rules, "small-corridor");
  ASSERT_TRUE(result.undefined);
  EXPECT_EQ(result.undefined->reason, "names no action under the shield");
  EXPECT_EQ(result.undefined->observation, "in_s_0");
}

TEST_F(Shielded, CompilerRefusesAProgramWhoseOnlyActionIsForbidden) {
  const std::string rules = write("rules.lp", "forbidden(right) :- in_s_0. forbidden(left) :- in_s_2.");
  const std::string program = write(
      "program.lp", "% environment: small-corridor\naction(right) :- not in_s_2.\naction(left) :- in_s_2.\n");
  EXPECT_EQ(error_of([&] { compile(program, rules); }),
            program + ":2:1: the shield forbids right in in_s_0, expected another action\n" + program +
                ":3:1: the shield forbids left in in_s_2, expected another action");
  EXPECT_FALSE(std::filesystem::exists(path("compiled.safetensors")));
}

TEST_F(Shielded, CompilerLetsTheShieldDecideBetweenActions) {
  const std::string rules = write("rules.lp", "forbidden(right) :- in_s_0.");
  const std::string program = write("program.lp",
                                    "% environment: small-corridor\n"
                                    "action(right). action(left) :- in_s_0.\n");
  const Task corridor = make_task("small-corridor");
  const std::string network = compile(program, rules);
  const PolicyTable rows = load_policy(network, corridor);
  for (const ObsId obs : reachable(corridor.model()).observations) {
    const bool start = corridor.model().observations().describe(obs) == "in_s_0";
    EXPECT_EQ(rows.argmax(obs), start ? 0u : 1u);
  }
}

TEST_F(Shielded, TwoShieldsApplyBothAndMayContradictEachOther) {
  const std::string left = write("left.lp", "forbidden(left) :- in_s_0.");
  const std::string right = write("right.lp", "forbidden(right) :- in_s_0.");
  const std::string elsewhere = write("elsewhere.lp", "forbidden(left) :- in_s_2.");
  const std::string run = train("small-corridor-mlp", left, "run");
  EXPECT_EQ(error_of([&] { evaluate(run, right); }),
            run + ": its own shield and the other leave no action in in_s_0");
  const Judge both("small-corridor",
                   write("both.lp", "forbidden(left) :- in_s_0. forbidden(left) :- in_s_2."));
  const Judge other("small-corridor", elsewhere);
  expect_obeys(PolicySource(run).in(both.environment, other.mask).table, both.mask, both.scope);
}

}  // namespace
}  // namespace ndnf
