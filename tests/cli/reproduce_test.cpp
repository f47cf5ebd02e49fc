#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class Reproduce : public Binary {
 protected:
  ProcessResult reproduce(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"reproduce", "--quick", "--only", "door-corridor", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    return ndnf(words);
  }
};

TEST_F(Reproduce, WritesEveryFormatAndThePaperFigureBesideOurs) {
  const ProcessResult result = reproduce("out");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("26 of 32"));
  EXPECT_THAT(read("out/results.md"), HasSubstr("do not edit"));
  EXPECT_THAT(read("out/results.html"), HasSubstr("<!doctype html>"));
  const auto json = nlohmann::json::parse(read("out/results.json"));
  const auto& counts = json.at("sections").at(0).at("tables").at("counts").at(0);
  EXPECT_EQ(counts.at("what"), "runs that finish");
  EXPECT_EQ(counts.at("paper"), 26);
}

TEST_F(Reproduce, GoesOnWhereItWasAndGivesTheSameBytes) {
  ASSERT_EQ(reproduce("whole", {"--jobs", "1"}).exit_code, 0);
  // Killed in the middle, with one finished piece lost and one cut short.
  run({"timeout", "-s", "KILL", "0.7", NDNF_BINARY, "reproduce", "--quick", "--only", "door-corridor",
       "--out", "cut"});
  ASSERT_EQ(reproduce("cut").exit_code, 0);
  std::filesystem::remove(path("cut/pieces/train/paper/door-corridor-mlp/seed-0.json"));
  write("cut/pieces/train/paper/door-corridor-mlp/seed-1.json", "{\"piece\"");
  ASSERT_EQ(reproduce("cut").exit_code, 0);
  for (const char* file : {"results.md", "results.json", "results.html", "results.txt"}) {
    EXPECT_EQ(read(std::string("cut/") + file), read(std::string("whole/") + file)) << file;
  }
}

TEST_F(Reproduce, TrainsAgainWhatAnotherBuildTrained) {
  ASSERT_EQ(reproduce("out").exit_code, 0);
  const std::string run = "out/runs/paper/door-corridor-mlp/seed-0";
  const std::string results = read("out/results.json");
  std::filesystem::remove(path("out/pieces/train/paper/door-corridor-mlp/seed-0.json"));
  write(run + "/config.toml", "# Written by ndnf 0.0.9\n" + read(run + "/config.toml"));
  std::filesystem::resize_file(path(run + "/model.safetensors"), 10);
  ASSERT_EQ(reproduce("out").exit_code, 0);
  EXPECT_EQ(read("out/results.json"), results);
  EXPECT_GT(std::filesystem::file_size(path(run + "/model.safetensors")), 10u);
}

TEST_F(Reproduce, WritesOnlyTheFormatsAskedFor) {
  ASSERT_EQ(reproduce("out", {"--format", "markdown"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("out/results.md")));
  EXPECT_FALSE(std::filesystem::exists(path("out/results.html")));
  const ProcessResult refused = ndnf({"reproduce", "--format", "htm"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.errors, "ndnf: --format: there is no format htm; did you mean html?\n");
}

}  // namespace
}  // namespace ndnf
