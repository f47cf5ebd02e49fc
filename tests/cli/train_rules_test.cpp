#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Balances the pole for a while, in a second or two.
const Words kSmall = {"train",   "cart-pole:step_limit=200",
                      "--model", "rules",
                      "--steps", "300000",
                      "--set",   "rules.rounds=2",
                      "--set",   "rules.states=512",
                      "--set",   "ppo.total_timesteps=40960"};

class TrainRules : public Binary {
 protected:
  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
  }
};

TEST_F(TrainRules, WritesAFrontOfProgramsThatEarnWhatItSays) {
  const nlohmann::json run = json(with(kSmall, {"--out", "a"}));
  ASSERT_FALSE(run.at("front").empty());
  std::size_t picked = 0;
  for (const nlohmann::json& entry : run.at("front")) {
    EXPECT_GE(entry.at("episodes"), entry.at("picked").get<bool>() ? 300 : 100);
    EXPECT_THAT(read("a/" + entry.at("file").get<std::string>()),
                HasSubstr(entry.at("program").get<std::string>()));
    if (!entry.at("picked").get<bool>()) continue;
    ++picked;
    EXPECT_EQ(read("a/policy.lp"), read("a/" + entry.at("file").get<std::string>()));
    EXPECT_EQ(entry.at("return"), run.at("return"));
  }
  EXPECT_EQ(picked, 1u);
  EXPECT_GT(run.at("return"), 150) << "a pole left alone falls after 10 steps";

  // The run is a policy, and earns the same in other episodes: our evaluator reads the program's text.
  const nlohmann::json again = json({"eval", "a", "--episodes", "1000", "--seed", "99"});
  EXPECT_NEAR(again.at("return").get<double>(), run.at("return").get<double>(),
              6 * (again.at("stderr").get<double>() + run.at("stderr").get<double>()) + 0.5);
  EXPECT_THAT(ndnf({"extract", "a"}).errors, HasSubstr("a/policy.lp"));
  EXPECT_EQ(ndnf({"eval", "a/teacher.safetensors", "--episodes", "20"}).exit_code, 0);

  // It is a program, too; what its header says about the search is not true of a changed one.
  const ProcessResult edited = ndnf({"edit", "a", "--when", "position > 2", "--do", "left", "-o", "e.lp"});
  EXPECT_EQ(edited.exit_code, 0) << edited.errors;
  EXPECT_THAT(read("e.lp"), AllOf(HasSubstr("% edited from a/policy.lp"), Not(HasSubstr("% learned in: ")),
                                  Not(HasSubstr("% sampled return: ")), Not(HasSubstr("% teacher: "))));
  EXPECT_EQ(ndnf({"compile", "a", "-o", "a.safetensors"}).exit_code, 0);
}

TEST_F(TrainRules, TheSameSeedGivesTheSameBytesWithAnyNumberOfThreads) {
  json(with(kSmall, {"--out", "a", "--jobs", "1"}));
  json(with(kSmall, {"--out", "b", "--jobs", "2"}));
  EXPECT_EQ(read("a/policy.lp"), read("b/policy.lp"));
  EXPECT_EQ(read("a/teacher.safetensors"), read("b/teacher.safetensors"));
}

TEST_F(TrainRules, AStoppedRunGoesOnToTheSameProgram) {
  json(with(kSmall, {"--out", "a"}));
  const ProcessResult stopped =
      signalled("INT", path("b/policy.lp"), with(kSmall, {"--out", "b", "--checkpoint", "0"}));
  if (stopped.exit_code == 128 + SIGINT) {
    EXPECT_THAT(read("b/policy.lp"), HasSubstr("the run is not finished"));
    EXPECT_THAT(stopped.errors, AllOf(HasSubstr("--model rules"), HasSubstr("--resume")));
  }
  write("b/front/mine.lp", "action(left).\n");
  json(with(kSmall, {"--out", "b", "--resume"}));
  EXPECT_EQ(read("a/policy.lp"), read("b/policy.lp"));
  EXPECT_EQ(read("a/teacher.safetensors"), read("b/teacher.safetensors"));
  EXPECT_EQ(read("b/front/mine.lp"), "action(left).\n") << "somebody else's file";
}

TEST_F(TrainRules, WhereNothingVariesTheBestActionIsFound) {
  write("one.json", R"({"format": "ndnf-model", "version": 1, "name": "one", "actions": ["a", "b"],
 "groups": [{"name": "lamp", "atoms": ["lamp"]}], "observations": [["lamp"]],
 "states": [{"observation": 0, "outcomes": {"a": [{"next": 0, "p": 1, "reward": 0, "terminal": true}],
                                            "b": [{"next": 0, "p": 1, "reward": 1, "terminal": true}]}}],
 "starts": [{"state": 0}], "step_limit": 5})");
  const nlohmann::json run = json({"train", "one.json", "--model", "rules", "--steps", "20000", "--set",
                                   "rules.rounds=1", "--out", "one"});
  EXPECT_EQ(run.at("return"), 1);
}

TEST_F(TrainRules, LearnsFromAGivenTeacherWithinItsLimits) {
  write("teacher.lp", "action(left) :- velocity(V), V <= 0.\naction(right) :- not action(left).\n");
  const nlohmann::json run = json({"train", "mountain-car", "--model", "rules", "--teacher", "teacher.lp",
                                   "--steps", "400000", "--max-literals", "3", "--no-linear", "--out", "a"});
  for (const nlohmann::json& entry : run.at("front")) {
    EXPECT_LE(entry.at("literals"), 3);
    EXPECT_EQ(entry.at("literals"), entry.at("terms"));
  }
  EXPECT_LT(run.at("teacher_return"), run.at("return"));
  EXPECT_FALSE(std::filesystem::exists(path("a/teacher.safetensors"))) << "it has trained none";
}

TEST_F(TrainRules, AFiniteTaskGetsItsExactReturn) {
  const nlohmann::json run =
      json({"train", "small-corridor", "--model", "rules", "--teacher", "optimal", "--steps", "100000"});
  EXPECT_EQ(run.at("exact"), true);
  EXPECT_EQ(run.at("gap"), 0);
  for (const nlohmann::json& entry : run.at("front")) {
    EXPECT_EQ(entry.at("stderr"), 0);
    if (entry.at("picked").get<bool>()) {
      EXPECT_EQ(entry.at("return"), run.at("return"));
    }
  }
  EXPECT_THAT(read("runs/small-corridor/policy.lp"), HasSubstr("% exact return: "));
}

TEST_F(TrainRules, StoppedBeforeItHasRulesItSaysSo) {
  const ProcessResult stopped =
      signalled("INT", path("a/config.toml"), {"train", "cart-pole", "--model", "rules", "--out", "a"});
  ASSERT_EQ(stopped.exit_code, 128 + SIGINT) << stopped.errors;
  EXPECT_THAT(stopped.output, AllOf(HasSubstr("none: no rules yet"),
                                    HasSubstr("stopped before it had rules; --resume goes on")));
  const ProcessResult again = signalled("INT", path("b/config.toml"),
                                        {"train", "cart-pole", "--model", "rules", "--out", "b", "--json"});
  const nlohmann::json run = nlohmann::json::parse(again.output);
  EXPECT_EQ(run.at("exact"), false);
  EXPECT_EQ(run.at("return"), nullptr);
  EXPECT_EQ(run.at("finished"), false);
}

TEST_F(TrainRules, ATimeBecomesStepsThatAResumedRunKeeps) {
  write("teacher.lp", "action(left) :- angle(A), A <= 0. action(right) :- not action(left).");
  const Words training = {"train",       "cart-pole:step_limit=100000",
                          "--model",     "rules",
                          "--teacher",   "teacher.lp",
                          "--time",      "1000",
                          "--no-linear", "--out",
                          "a run"};
  const ProcessResult stopped = signalled("INT", "a run/metrics.jsonl", training);
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_THAT(stopped.errors,
              ::testing::ContainsRegex("to resume: ndnf train cart-pole:step_limit=100000 --model rules "
                                       "--teacher teacher.lp --steps [0-9]+ --no-linear --out 'a run' "
                                       "--resume\n$"));
  const Words quick = {"train", "mountain-car", "--model", "rules", "--teacher", "optimal.lp", "--out", "b"};
  write("optimal.lp", "action(right) :- velocity(V), V > 0. action(left) :- not action(right).");
  const auto steps = json(with(quick, {"--time", "0.1"})).at("steps");
  EXPECT_EQ(json(with(quick, {"--time", "60", "--resume"})).at("steps"), steps);
}

TEST_F(TrainRules, APoorTeacherIsSaid) {
  const ProcessResult result = ndnf({"train", "mountain-car:step_limit=20", "--model", "rules", "--steps",
                                     "100000", "--set", "rules.rounds=1", "--set", "rules.states=512"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("warning: the teacher has learned nothing"));
}

TEST_F(TrainRules, TooFewStepsAreSaid) {
  const nlohmann::json run = json({"train", "acrobot", "--model", "rules", "--steps", "20000", "--set",
                                   "rules.rounds=1", "--set", "rules.states=256"});
  const std::string warning = run.at("warning");
  EXPECT_THAT(warning,
              AllOf(HasSubstr("the teacher "), HasSubstr("20000 steps are too few: the search took ")));
}

TEST_F(TrainRules, RefusesInOneSentenceWhatItCannotUse) {
  expect_refused({"train", "cart-pole", "--model", "rules", "--teacher", "nowhere.lp"}, "nowhere.lp");
  expect_refused({"train", "cart-pole", "--model", "rules", "--teacher", "optimal"}, "no finite model");
  expect_refused({"train", "cart-pole", "--model", "mlp", "--max-rules", "3"},
                 "--max-rules: is an option of");
  expect_refused({"train", "cart-pole", "--no-linear"}, "--no-linear: is an option of");
  write("policy.lp", "action(left).\n");
  expect_refused({"train", "cart-pole", "--model", "rules", "--init", "policy.lp"},
                 "--teacher takes a program");
  std::filesystem::remove(path("policy.lp"));
  expect_refused({"train", "acrobat", "--model", "rules"}, "did you mean acrobot?");
  expect_refused({"train", "cart-pole", "--model", "rules", "--max-rules", "0"}, "--max-rules");
  expect_refused(with(kSmall, {"--set", "actor.model=ndnf-mt"}),
                 "the teacher of a search for rules is an MLP");
  EXPECT_EQ(file_count(), 0u);
}

}  // namespace
}  // namespace ndnf
