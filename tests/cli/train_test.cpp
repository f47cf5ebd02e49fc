#include <csignal>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Words kQuick = {"train", "small-corridor-wall-ndnf-mt", "--set", "ppo.total_timesteps=5120"};

class Train : public Binary {
 protected:
  /// The objects of `train … --json`, one per line; with --seeds the last one is the summary.
  std::vector<nlohmann::json> train(Words arguments) const {
    arguments.push_back("--json");
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    std::vector<nlohmann::json> objects;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
    return objects;
  }

  void expect_refused(const Words& arguments, const std::string& complaint) const {
    const ProcessResult result = ndnf(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, HasSubstr(complaint));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
  }
};

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Train, FillsARunDirectoryAndReportsTheContract) {
  const std::vector<nlohmann::json> runs = train(with(kQuick, {"--seed", "3"}));
  ASSERT_EQ(runs.size(), 1u);
  const nlohmann::json& run = runs[0];
  EXPECT_EQ(run.at("run"), "runs/paper/small-corridor-wall-ndnf-mt");
  EXPECT_EQ(run.at("preset"), "paper/small-corridor-wall-ndnf-mt");
  EXPECT_EQ(run.at("seed"), 3);
  EXPECT_EQ(run.at("steps"), 5120);
  EXPECT_GT(run.at("steps_per_second"), 0);
  EXPECT_EQ(run.at("select"), "sample");
  EXPECT_NEAR(run.at("gap").get<double>(), run.at("optimum").get<double>() - run.at("return").get<double>(),
              1e-12);
  const std::string folder = run.at("run").get<std::string>() + "/";
  for (const char* file : {"state.safetensors", "events.out.tfevents.ndnf"})
    EXPECT_NE(read(folder + file), "");
  EXPECT_THAT(read(folder + "config.toml"),
              AllOf(StartsWith("# "), HasSubstr("seed = 3\n"), HasSubstr("as = \"problog\"")));
  const std::string metrics = read(folder + "metrics.jsonl");
  EXPECT_EQ(line_count(metrics), 10u);
  const nlohmann::json first = nlohmann::json::parse(metrics.substr(0, metrics.find('\n')));
  EXPECT_EQ(first.at("iteration"), 1);
  EXPECT_EQ(first.at("steps"), 512);
  EXPECT_EQ(first.at("delta"), 0.1);

  const nlohmann::json evaluation = json({"eval", run.at("run")});
  EXPECT_EQ(evaluation.at("return"), run.at("return"));
  EXPECT_EQ(evaluation.at("env"), run.at("env"));
  EXPECT_EQ(evaluation.at("select"), "sample");
  EXPECT_EQ(json({"eval", folder + "model.safetensors", "--select", "argmax"}).at("select"), "argmax");
  const nlohmann::json sampled = json({"eval", run.at("run"), "--episodes", "20000"});
  EXPECT_NEAR(sampled.at("return").get<double>(), run.at("return").get<double>(),
              4 * sampled.at("stderr").get<double>());
}

TEST_F(Train, TheSameSeedGivesTheSameBytesWhateverTheJobs) {
  const Words seeds = {"--seeds", "0..2"};
  const auto runs = train(with(with(kQuick, seeds), {"--jobs", "1", "--out", "one"}));
  ASSERT_EQ(runs.size(), 4u);
  const auto of_run = [&](std::size_t i) { return runs[i].at("return").get<double>(); };
  const nlohmann::json& summary = runs[3].at("summary");
  EXPECT_EQ(summary.at("returns"), 3);
  EXPECT_NEAR(summary.at("mean").get<double>(), (of_run(0) + of_run(1) + of_run(2)) / 3, 1e-12);
  EXPECT_EQ(summary.at("worst").get<double>(), std::min({of_run(0), of_run(1), of_run(2)}));
  EXPECT_GT(summary.at("stderr").get<double>(), 0);
  EXPECT_EQ(summary.at("at_optimum"), 0);
  train(with(with(kQuick, seeds), {"--jobs", "3", "--out", "three"}));
  train(with(kQuick, {"--seed", "2", "--out", "alone"}));
  for (const char* seed : {"/seed-0", "/seed-1", "/seed-2"}) {
    EXPECT_EQ(read(fmt::format("one{}/model.safetensors", seed)),
              read(fmt::format("three{}/model.safetensors", seed)));
  }
  EXPECT_EQ(read("one/seed-2/model.safetensors"), read("alone/model.safetensors"));
  EXPECT_NE(read("one/seed-0/model.safetensors"), read("one/seed-1/model.safetensors"));
}

TEST_F(Train, ARunRepeatsFromItsOwnConfig) {
  train(with(kQuick, {"--seed", "4", "--out", "first"}));
  train({"train", "first/config.toml", "--out", "second"});
  EXPECT_EQ(read("first/model.safetensors"), read("second/model.safetensors"));
  EXPECT_EQ(read("first/config.toml"), read("second/config.toml"));
}

TEST_F(Train, ATaskIsLearnedByImitatingATeacher) {
  train({"train", "taxi:factored", "--teacher", "optimal", "--out", "student"});
  EXPECT_NEAR(json({"eval", "student"}).at("gap").get<double>(), 0, 0.01);
  train({"train", "taxi:factored", "--teacher", "student", "--model", "mlp", "--set", "distill.epochs=5",
         "--out", "pupil"});
  EXPECT_THAT(read("pupil/config.toml"), HasSubstr("teacher = \"student\""));
}

TEST_F(Train, ARecipeOfOnesOwnLearnsFromTheTeacher) {
  train({"train", "taxi:factored", "--teacher", "uniform", "--recipe", "best/taxi-distill-ndnf-mt", "--set",
         "distill.epochs=5", "--out", "student"});
  EXPECT_THAT(read("student/config.toml"), HasSubstr("teacher = \"uniform\""));
}

TEST_F(Train, WithoutAModelTheTeacherPlaysAndWhatItMetIsLearned) {
  const Words words{
      "train", "crossing:lanes=8,width=8", "--teacher", "uniform", "--set", "distill.epochs=20",
      "--set", "distill.sample=300",       "--seed",    "1",       "--set", "eval.select=sample"};
  train(with(words, {"--out", "student"}));
  EXPECT_EQ(line_count(read("student/metrics.jsonl")), 20u);
  EXPECT_THAT(read("student/metrics.jsonl"), HasSubstr("\"steps\":6000,"));  // 20 epochs of 300 observations
  train(with(words, {"--out", "again"}));
  EXPECT_EQ(read("again/model.safetensors"), read("student/model.safetensors"));
}

TEST_F(Train, OnlyATaskIsLearnedFromATeacher) {
  expect_refused({"train", "taxi-mlp", "--teacher", "optimal", "--out", "run"},
                 "taxi-mlp: is not a task: --recipe, --model, --steps and --teacher say how to learn one");
  expect_refused({"train", "small-corridor", "--teacher", "optimal", "--model", "q-table", "--out", "run"},
                 "--model: a table does not imitate a teacher");
  expect_refused({"train", "small-corridor", "--teacher", "optimal", "--time", "5", "--out", "run"},
                 "--time: imitation is limited by its epochs; set distill.epochs");
}

TEST_F(Train, EveryMethodSurvivesKillsAtAnyMoment) {
  const std::vector<Words> trainings = {
      {"train", "small-corridor-wall-ndnf-mt", "--set", "ppo.total_timesteps=200000"},
      {"train", "door-corridor-ndnf-mt", "--set", "ppo.total_timesteps=51200"},
      {"train", "taxi-q-table", "--set", "q-learning.episodes=100000"},
      {"train", "taxi-q-table", "--set", "method=sarsa", "--set", "q-learning.episodes=50000"},
      {"train", "taxi-distill-ndnf-mt", "--set", "distill.teacher=optimal", "--set", "distill.epochs=100"},
  };
  for (const Words& training : trainings) {
    SCOPED_TRACE(fmt::format("{}", training[1]));
    std::filesystem::remove_all(path("whole"));
    std::filesystem::remove_all(path("killed"));
    train(with(training, {"--out", "whole"}));
    for (const char* moment : {"0.004", "0.02", "0.03", "0.05", "0.08"}) {
      run(with({"timeout", "-s", "KILL", moment, NDNF_BINARY},
               with(training, {"--out", "killed", "--resume", "--checkpoint", "0"})));
    }
    train(with(training, {"--out", "killed", "--resume"}));
    EXPECT_EQ(read("killed/model.safetensors"), read("whole/model.safetensors"));
    EXPECT_EQ(line_count(read("killed/metrics.jsonl")), line_count(read("whole/metrics.jsonl")));
    EXPECT_EQ(std::filesystem::file_size(path("killed/events.out.tfevents.ndnf")),
              std::filesystem::file_size(path("whole/events.out.tfevents.ndnf")));
    const auto files = std::filesystem::directory_iterator(path("killed"));
    EXPECT_EQ(std::distance(begin(files), end(files)), 5);
  }
}

TEST_F(Train, ASecondInterruptEndsAnIterationThatTakesTooLong) {
  const std::string script =
      "\"$@\" & p=$!; (sleep 60; kill -KILL $p) 2>/dev/null & while ! [ -s run/config.toml ]; do sleep 0.01; "
      "done; "
      "sleep 0.5; kill -INT $p; kill -INT $p; sleep 0.3; kill -0 $p && echo alive; sleep 2.5; kill -INT $p; "
      "wait $p; code=$?; kill $!; exit $code";
  const ProcessResult result =
      run({"bash", "-c", script, "bash", NDNF_BINARY, "train", "small-corridor-ndnf-mt", "--set",
           "ppo.update_epochs=1_000_000", "--set", "ppo.num_steps=4096", "--out", "run"});
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.output, "alive\n");
}

TEST_F(Train, AnInterruptSavesAndSaysHowToGoOn) {
  const Words training = {
      "train", "small-corridor-ndnf-mt", "--set", "ppo.total_timesteps=50_000_000", "--out", "a b"};
  const ProcessResult result = signalled("INT", "a b/metrics.jsonl", training);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.errors,
              EndsWith("to resume: ndnf train small-corridor-ndnf-mt --set ppo.total_timesteps=50_000_000 "
                       "--out 'a b' --resume\n"));
  EXPECT_GT(line_count(read("a b/metrics.jsonl")), 0u);
  EXPECT_NO_THROW(json({"eval", "a b"}));
  const ProcessResult ended =
      signalled("TERM", "x/metrics.jsonl",
                {"train", "small-corridor-ndnf-mt", "--set", "ppo.total_timesteps=50_000_000", "--out", "x"});
  EXPECT_EQ(ended.exit_code, 143);
  EXPECT_THAT(ended.errors, HasSubstr("stopped, all progress is saved"));
}

TEST_F(Train, ResumingAFinishedRunChangesNothing) {
  const nlohmann::json before = train(with(kQuick, {"--out", "run"}))[0];
  const std::string state = read("run/state.safetensors");
  const std::string metrics = read("run/metrics.jsonl");
  EXPECT_EQ(train(with(kQuick, {"--out", "run", "--resume"}))[0], before);
  EXPECT_EQ(read("run/state.safetensors"), state);
  EXPECT_EQ(read("run/metrics.jsonl"), metrics);
}

TEST_F(Train, RefusesAFolderThatIsNotEmpty) {
  train(with(kQuick, {"--out", "run"}));
  expect_refused(with(kQuick, {"--out", "run"}), "run: is not empty; resume it with --resume");
  write("file", "");
  expect_refused(with(kQuick, {"--out", "file"}), "file: is a file, not a folder");
  std::filesystem::create_directory(path("other"));
  write("other/notes", "mine");
  expect_refused(with(kQuick, {"--out", "other", "--resume"}), "other: is not a run directory");
  expect_refused(with(kQuick, {"--out", "file/run"}), "file/run: cannot be created");
  EXPECT_EQ(read("other/notes"), "mine");
}

TEST_F(Train, RefusesToResumeWithOtherSettings) {
  train(with(kQuick, {"--out", "run"}));
  const std::string model = read("run/model.safetensors");
  expect_refused(with(kQuick, {"--out", "run", "--resume", "--set", "ppo.ent_coef=0.5"}),
                 "run/config.toml: ppo.ent_coef is 0.1 there, not 0.5");
  expect_refused(with(kQuick, {"--out", "run", "--resume", "--seed", "9"}), "seed is 0 there, not 9");
  EXPECT_EQ(read("run/model.safetensors"), model);
}

TEST_F(Train, RefusesADamagedOrForeignState) {
  train(with(kQuick, {"--out", "run"}));
  train({"train", "long-corridor-5-wall-ndnf-mt", "--set", "ppo.total_timesteps=5120", "--out", "other"});
  const std::string state = read("run/state.safetensors");
  const std::string metrics = read("run/metrics.jsonl");
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, state.size() - 1}) {
    write("run/state.safetensors", state.substr(0, size));
    expect_refused(with(kQuick, {"--out", "run", "--resume"}), "run/state.safetensors");
  }
  write("run/state.safetensors", read("other/state.safetensors"));
  expect_refused(with(kQuick, {"--out", "run", "--resume"}), "belongs to env long-corridor-5");
  write("run/state.safetensors", read("run/model.safetensors"));
  expect_refused(with(kQuick, {"--out", "run", "--resume"}), "not a saved state");
  EXPECT_EQ(read("run/metrics.jsonl"), metrics);
}

TEST_F(Train, SaysWhenAnotherBuildBeganTheRun) {
  train(with(kQuick, {"--out", "run"}));
  EXPECT_FALSE(train(with(kQuick, {"--out", "run", "--resume"}))[0].contains("other_build"));
  TensorFile state = parse_safetensors("state", read("run/state.safetensors"));
  EXPECT_THAT(state.metadata.at("build"), StartsWith("ndnf 0."));
  state.metadata["build"] = "ndnf 0.0.1 (tcc)";
  write("run/state.safetensors", to_checked_safetensors(state));
  EXPECT_EQ(train(with(kQuick, {"--out", "run", "--resume"}))[0].at("other_build"), "ndnf 0.0.1 (tcc)");
  EXPECT_THAT(ndnf(with(kQuick, {"--out", "run", "--resume"})).output,
              EndsWith("run was begun by another build, ndnf 0.0.1 (tcc); the weights do not depend on "
                       "it\n"));
  state.metadata["build"] = "\x1b[31m\nndnf: all fine";
  write("run/state.safetensors", to_checked_safetensors(state));
  EXPECT_THAT(ndnf(with(kQuick, {"--out", "run", "--resume"})).output,
              HasSubstr("another build, \\x1b[31m\\nndnf: all fine; the weights"));
}

TEST_F(Train, RefusesMisspeltSettingsAndTouchesNothing) {
  expect_refused({"train", "blackjack-mlp", "--set", "ppo.ent_coeff=1"}, "did you mean ppo.ent_coef?");
  expect_refused({"train", "blackjak-mlp"}, "did you mean blackjack-mlp?");
  expect_refused({"train", "mine.toml"}, "mine.toml: cannot be read");
  expect_refused({"train", "taxi-mlp", "--set", "encoder.model=conv-1x1"}, "needs images");
  expect_refused({"train", "taxi-mlp", "--seeds", "3..1"}, "not a range of seeds");
  expect_refused({"train", "taxi-mlp", "--set", "env=taxy"}, "did you mean taxi?");
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(Train, StopsWhereNumbersEndAndKeepsTheLastCheckpoint) {
  write("rare.json", R"({"format": "ndnf-model", "version": 1, "name": "rare", "actions": ["go", "stay"],
    "groups": [{"name": "place", "atoms": ["here", "there"]}], "observations": [["here"], ["there"]],
    "step_limit": 5, "starts": [{"state": 0}], "states": [
      {"observation": 0, "outcomes": {"stay": [{"next": 0, "reward": -1}],
        "go": [{"next": 1, "reward": -1, "terminal": true, "p": 0.9998},
               {"next": 1, "reward": 1e90, "terminal": true, "p": 0.0002}]}},
      {"observation": 1}]})");
  const Words training = {"train", "small-corridor-ndnf-mt", "--set", "env=rare.json", "--out", "run"};
  expect_refused(with(training, {"--checkpoint", "0"}), "run: iteration ");
  const std::string state = read("run/state.safetensors");
  expect_refused(with(training, {"--resume"}),
                 fmt::format("run: iteration {}: the gradient is NaN or infinite",
                             line_count(read("run/metrics.jsonl")) + 1));
  EXPECT_EQ(read("run/state.safetensors"), state);
  EXPECT_EQ(json({"eval", "run"}).at("policy"), "run");
}

TEST_F(Train, ADistillationTrainsItsTeacherFirst) {
  write("teacher.toml",
        "env = \"small-corridor\"\nmethod = \"q-learning\"\n[q-learning]\nepisodes = 3000\n[eval]\nselect = "
        "\"argmax\"\n");
  write("student.toml",
        "env = \"small-corridor\"\nmethod = \"distill\"\n[actor]\nmodel = \"mlp\"\ninit = \"unit-rows\"\n"
        "[distill]\nteacher = \"teacher.toml\"\nepochs = 300\nlearning_rate = 1e-2\n[eval]\nselect = "
        "\"argmax\"\n");
  const nlohmann::json student = train({"train", "student.toml", "--seeds", "0..1", "--out", "pair"})[1];
  EXPECT_EQ(student.at("return"), -3);
  EXPECT_EQ(student.at("run"), "pair/seed-1");
  EXPECT_EQ(json({"eval", "pair/teacher"}).at("return"), -3);
  train({"train", "student.toml", "--seed", "1", "--set", "distill.teacher=pair/teacher", "--out", "again"});
  EXPECT_EQ(train({"train", "student.toml", "--out", "own"})[0].at("return"), -3);
  EXPECT_NE(read("own/teacher/model.safetensors"), "");
  expect_refused({"train", "student.toml", "--set", "distill.teacher=student.toml", "--out", "loop"},
                 "is itself a distillation");
  expect_refused({"train", "student.toml", "--set", "distill.teacher=nobody", "--out", "none"},
                 "there is no such preset");
  expect_refused({"train", "student.toml", "--set", "env=blackjack", "--set", "distill.teacher=pair/teacher",
                  "--out", "none"},
                 "pair/teacher");
}

TEST_F(Train, EvalRefusesAFolderWithoutRunsAndAnotherEnvironment) {
  train(with(kQuick, {"--seeds", "0..1", "--out", "runs"}));
  std::filesystem::create_directory(path("empty"));
  expect_refused({"eval", "empty"},
                 "empty: has no model.safetensors; name the directory of a run, or of runs");
  expect_refused({"eval", "runs/seed-0", "--env", "blackjack"}, "runs/seed-0");
}

TEST_F(Train, ShowsProgressOnATerminalOnly) {
  EXPECT_EQ(ndnf(with(kQuick, {"--out", "quiet"})).errors, "");
  const auto shown = on_terminal("train small-corridor-ndnf-mt --set ppo.total_timesteps=200000");
  if (!shown) return;
  EXPECT_THAT(*shown, AllOf(HasSubstr("training █"), HasSubstr("steps/s"), HasSubstr("return -"),
                            HasSubstr("delta ")));
}

}  // namespace
}  // namespace ndnf
