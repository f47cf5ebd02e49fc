#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/checkpoint.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// Runs whose environment is a model file, mine.json, which is later changed or removed.
class KeptModel : public Binary {
 protected:
  void SetUp() override { write("mine.json", original_); }

  Words training(const Words& more = {}) const {
    Words words = {"train", "small-corridor-ndnf-mt",   "--set", "env=mine.json",
                   "--set", "ppo.total_timesteps=5120", "--out", "run"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void train(const Words& words) const {
    const ProcessResult result = ndnf(words);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
  }
  void change_model() const {
    std::string text = original_;
    text.replace(text.find("\"step_limit\": 20"), 16, "\"step_limit\": 19");
    write("mine.json", text);
  }
  void remove(const std::string& name) const { std::filesystem::remove(path(name)); }
  void move(const std::string& from, const std::string& to) const {
    std::filesystem::create_directories(std::filesystem::path(path(to)).parent_path());
    std::filesystem::rename(path(from), path(to));
  }
  void expect_refused(const Words& words, const std::string& complaint) const {
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, "ndnf: " + complaint + "\n");
  }

  const std::string original_ = read_file(NDNF_SOURCE_DIR "/examples/two-rooms.json");
};

TEST_F(KeptModel, EveryCommandFindsItInTheRun) {
  train(training());
  EXPECT_EQ(read("run/task.json"), original_);
  const nlohmann::json before = json({"eval", "run", "--env", "mine.json"});
  remove("mine.json");
  move("run", "far/away");
  const nlohmann::json after = json({"eval", "far/away"});
  EXPECT_EQ(after.at("env"), "far/away/task.json");
  EXPECT_EQ(after.at("return"), before.at("return"));
  EXPECT_EQ(json({"eval", "far/away/model.safetensors"}).at("return"), before.at("return"));
  EXPECT_EQ(json({"diff", "far/away", "far/away"}).at("changed"), 0);
  EXPECT_EQ(json({"explain", "far/away", "--obs", "in_hall"}).at("env"), "far/away/task.json");
  EXPECT_EQ(json({"export", "far/away", "--format", "c", "-o", "p.c"}).at("env"), "far/away/task.json");
  EXPECT_EQ(ndnf({"check", "far/away", "--property", "never in_study"}).errors.find("mine.json"),
            std::string::npos);
  EXPECT_EQ(json({"extract", "far/away", "--as", "asp"}).at("env"), "far/away/task.json");
}

TEST_F(KeptModel, ProgramsAndNetworksInTheRunMoveWithIt) {
  train(training());
  remove("mine.json");
  const nlohmann::json extracted = json({"extract", "run", "--as", "asp"});
  json({"compile", "run/policy.lp"});
  move("run", "elsewhere/moved");
  EXPECT_EQ(json({"eval", "elsewhere/moved/policy.lp"}).at("return"), extracted.at("return_program"));
  EXPECT_EQ(json({"eval", "elsewhere/moved/policy.safetensors"}).at("return"),
            extracted.at("return_program"));
  train({"train", "small-corridor-ndnf-mt", "--set", "env=elsewhere/moved/task.json", "--set",
         "ppo.total_timesteps=5120", "--init", "elsewhere/moved/policy.lp", "--out", "hot"});
  EXPECT_EQ(read("hot/task.json"), original_);
}

TEST_F(KeptModel, ResumingAfterTheFileChangedIsRefusedByName) {
  train(training());
  const std::string state = read("run/state.safetensors");
  change_model();
  expect_refused(training({"--resume"}),
                 "mine.json: has changed since run began; run/task.json is the original: restore it, or "
                 "begin another run with --out");
  EXPECT_EQ(read("run/state.safetensors"), state);
  EXPECT_EQ(read("run/task.json"), original_);
  write("mine.json", original_);
  train(training({"--resume"}));
}

TEST_F(KeptModel, ItsHashTellsAChangeWithoutTheCopy) {
  train(training());
  change_model();
  remove("run/task.json");
  expect_refused(training({"--resume"}),
                 "mine.json: has changed since run began; restore it, or begin another run with --out");
  EXPECT_FALSE(std::filesystem::exists(path("run/task.json")));
  write("run/task.json", read("mine.json"));
  expect_refused({"eval", "run"},
                 "run/task.json: has changed since run was made for it; to use it as it is now, name it with "
                 "--env");
}

TEST_F(KeptModel, SeedsOfAFolderAreCheckedToo) {
  const Words seeds = {"train",   "small-corridor-q-table",
                       "--set",   "env=mine.json",
                       "--set",   "q-learning.episodes=200",
                       "--out",   "run",
                       "--seeds", "3..4"};
  train(seeds);
  EXPECT_EQ(read("run/seed-4/task.json"), original_);
  Words again = seeds;
  again.push_back("--resume");
  remove("mine.json");
  train(again);
  change_model();
  const ProcessResult result = ndnf(again);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("mine.json: has changed since run/seed-3 began"));
}

TEST_F(KeptModel, ARunGoesOnAndIsRepeatedWithoutTheFile) {
  train(training());
  const std::string model = read("run/model.safetensors");
  remove("mine.json");
  train(training({"--resume"}));
  train({"train", "run/config.toml", "--out", "again"});
  EXPECT_EQ(read("again/model.safetensors"), model);
  EXPECT_EQ(read("again/task.json"), original_);
  change_model();  // the run's settings refer to the run's own copy
  train({"train", "run/config.toml", "--out", "once-more"});
  EXPECT_EQ(read("once-more/model.safetensors"), model);
  train({"train", "run/config.toml", "--set", "env=./mine.json", "--out", "other"});
  EXPECT_EQ(read("other/task.json"), read("mine.json"));
}

TEST_F(KeptModel, ACheckpointAloneDoesNotTakeAChangedFileForItsOwn) {
  train(training());
  move("run/model.safetensors", "alone.safetensors");
  const double before = json({"eval", "alone.safetensors"}).at("return");
  change_model();
  expect_refused(
      {"eval", "alone.safetensors"},
      "mine.json: has changed since alone.safetensors was made for it; to use it as it is now, name it "
      "with --env");
  EXPECT_NE(json({"eval", "alone.safetensors", "--env", "mine.json"}).at("return"), before);
}

TEST_F(KeptModel, RunsOfOlderVersionsWithoutItStayReadable) {
  train(training());
  const double before = json({"eval", "run"}).at("return");
  Checkpoint checkpoint = read_checkpoint(path("run/model.safetensors"));
  EXPECT_EQ(checkpoint.env, "mine.json");
  checkpoint.env_fingerprint.clear();
  write("run/model.safetensors", to_bytes(checkpoint));
  remove("run/task.json");
  const nlohmann::json old = json({"eval", "run"});
  EXPECT_EQ(old.at("return"), before);
  EXPECT_EQ(old.at("env"), "mine.json");
}

TEST_F(KeptModel, ATeacherThatChangedIsRefusedByName) {
  const auto teacher = [](const char* row) {
    return std::string(R"({"format": "ndnf-policy", "version": 1, "default": )") + row + R"(, "rows": []})";
  };
  write("teacher.json", teacher("[0, 1]"));
  write("student.toml",
        "env = \"small-corridor\"\nmethod = \"distill\"\n[actor]\nmodel = \"mlp\"\ninit = \"unit-rows\"\n"
        "[distill]\nteacher = \"teacher.json\"\nepochs = 30\n");
  Words student = {"train", "student.toml", "--out", "run"};
  train(student);
  student.push_back("--resume");
  train(student);
  write("teacher.json", teacher("[1, 0]"));
  expect_refused(student,
                 "teacher.json: has changed since run began; restore it, or begin another run with "
                 "--out");
}

}  // namespace
}  // namespace ndnf
