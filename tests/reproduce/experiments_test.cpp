#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/report/sample.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/listing_files.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/reproduce.h"
#include "ndnf/training/presets.h"

namespace ndnf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Experiments, TrainEveryPresetOfThePaper) {
  std::set<std::string> pieces;
  for (const Experiment& experiment : experiments()) {
    for (const Piece& piece : experiment.pieces({})) pieces.insert(piece.name);
  }
  for (const Preset& preset : presets()) {
    if (!preset.name.starts_with("paper/") || preset.name == "paper/taxi-mlp-teacher") continue;
    EXPECT_THAT(pieces, Contains("train/" + preset.name + "/seed-0"));
  }
  EXPECT_THAT(pieces, Contains("train/paper/taxi-distill-ndnf-mt/teacher"));
  EXPECT_THAT(pieces, Contains("train/paper/door-corridor-ndnf-mt/seed-31"));
}

TEST(Experiments, TrainMoreThanThePaperWhereItsFiguresNeedIt) {
  std::map<std::string, std::string> pieces;
  for (const Experiment& experiment : experiments()) {
    for (const Piece& piece : experiment.pieces({})) pieces[piece.name] = piece.inputs;
  }
  const auto inputs = [&](const std::string& name) {
    return pieces.contains(name) ? pieces.at(name) : "missing";
  };
  for (const std::string corridor : {"small-corridor", "long-corridor-5", "long-corridor-11"}) {
    const std::string study = fmt::format("paper/{}-wall-ndnf-mt+l4-1e-4", corridor);
    EXPECT_THAT(inputs("train/" + study + "/seed-15"), HasSubstr("mt_lambda = 0.0001\n"));
    EXPECT_THAT(inputs("extract/" + study + "/seed-15-problog"), HasSubstr("mt_lambda = 0.0001\n"));
  }
  EXPECT_THAT(inputs("train/paper/taxi-distill-ndnf-mt+teacher-4/seed-4"), HasSubstr("teacher_seed = 4\n"));
  EXPECT_THAT(inputs("train/paper/taxi-distill-ndnf-mt+teacher-4/teacher"), HasSubstr("\nseed = 4\n"));
  EXPECT_THAT(inputs("train/paper/door-corridor-ndnf-mt+min-bias/seed-31"),
              HasSubstr("bias_type = \"min\"\n"));
  for (const char* name : {"train/paper/taxi-mlp/seed-29", "train/paper/door-corridor-ndnf-mt/seed-255",
                           "extract/paper/door-corridor-ndnf-mt/seed-255-asp-threshold", "time/inference"}) {
    EXPECT_TRUE(pieces.contains(name)) << name;
  }
}

TEST(Experiments, ThatShareAPieceMeanTheSameWork) {
  for (const Effort effort : {Effort{false}, Effort{true}}) {
    std::map<std::string, std::string> inputs;
    for (const Experiment& experiment : experiments()) {
      for (const Piece& piece : experiment.pieces(effort)) {
        EXPECT_EQ(inputs.try_emplace(piece.name, piece.inputs).first->second, piece.inputs) << piece.name;
      }
    }
  }
}

TEST(Experiments, EveryTrainingHasItsOwnSettingsSeedAndBuildAsInputs) {
  std::set<std::string> names;
  std::set<std::string> inputs;
  for (const Piece& piece : experiments().front().pieces({})) {
    if (!piece.name.starts_with("train/")) continue;
    names.insert(piece.name);
    inputs.insert(piece.inputs);
    EXPECT_THAT(piece.inputs, HasSubstr("Written by ndnf"));
  }
  EXPECT_EQ(inputs.size(), names.size());
}

TEST(PaperFigures, AreAllOfTheTableOfReturns) {
  EXPECT_THAT(paper::returns(), SizeIs(40));  // 39 rows, and our Q-table for Blackjack
  for (const paper::ListedProgram& listed : paper::listings()) {
    EXPECT_TRUE(listing_files().contains(listed.file)) << listed.file;
  }
}

TEST(Sample, HasTheStandardErrorOfItsMean) {
  const Sample sample{{1, 2, 3, 6}};
  EXPECT_DOUBLE_EQ(sample.mean(), 3);
  EXPECT_DOUBLE_EQ(sample.error(), std::sqrt(14.0 / 3 / 4));
  EXPECT_EQ(sample.least(), 1);
  EXPECT_EQ(Sample{{5}}.error(), 0);
}

TEST(Reproduce, RefusesAnUnknownNameBeforeItBegins) {
  const testing::TemporaryFolder folder;
  Ranks ranks;
  ReproduceRequest request;
  request.only = {"retruns"};
  request.out = folder.path() / "out";
  EXPECT_EQ(testing::error_of([&] { reproduce(request, ranks); }),
            "only: there is no table or figure retruns; did you mean returns?");
  EXPECT_FALSE(std::filesystem::exists(request.out));
}

}  // namespace
}  // namespace ndnf
