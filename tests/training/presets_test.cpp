#include "ndnf/training/presets.h"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train_config.h"

namespace ndnf {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Presets, AreExactlyTheFilesOfTheFolder) {
  std::set<std::string> files;
  const std::filesystem::path folder = NDNF_SOURCE_DIR "/presets";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") {
      files.insert(std::filesystem::relative(entry.path(), folder).replace_extension().string());
    }
  }
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    names.insert(preset.name);
    EXPECT_EQ(preset.text, read_file(folder / (preset.name + ".toml")));
  }
  EXPECT_EQ(names, files);
}

TEST(Presets, NameAnEnvironmentAMethodASelectionAndALanguage) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_THAT(preset.summary, EndsWith("."));
    EXPECT_NO_THROW(make_task(preset.env));
    EXPECT_NO_THROW(Selection::parse(preset.name, preset.select));
    EXPECT_THAT(preset.method, AnyOf("ppo", "q-learning", "distill"));
    EXPECT_THAT(preset.extract_as, AnyOf("asp", "problog"));
  }
}

/// Settings that the paper does not print, from its authors' code.
TEST(Presets, OfThePaperFollowTheAuthorsCode) {
  for (const Preset& preset : presets()) {
    if (!preset.name.starts_with("paper/")) continue;
    SCOPED_TRACE(preset.name);
    const TrainConfig config = load_train_config(preset.name);
    if (preset.method == "q-learning") {  // Blackjack's preset says why it does not
      EXPECT_EQ(config.q_learning.bootstrap_at_end, preset.name != "paper/blackjack-q-table");
    }
    const bool taxi = preset.name == "paper/taxi-distill-ndnf-mt";
    EXPECT_EQ(config.extract.threshold, taxi ? "actions" : "kl");
  }
  EXPECT_EQ(load_train_config("paper/blackjack-ndnf-mt").losses.wait_minibatches, 11);
}

/// design.md, "Names": every environment of the paper with every model the paper trained on it.
TEST(Presets, CoverThePapersExperiments) {
  for (const std::string corridor : {"small-corridor", "long-corridor-5", "long-corridor-11"}) {
    for (const std::string model : {"ndnf-mt", "mlp", "q-table"}) {
      EXPECT_EQ(find_preset("paper/" + corridor + "-" + model).env, corridor);
      EXPECT_EQ(find_preset("paper/" + corridor + "-wall-" + model).env, corridor + ":wall");
    }
    EXPECT_EQ(find_preset("paper/" + corridor + "-wall-q-table").select, "epsilon:0.1");
  }
  for (const std::string name :
       {"blackjack-ndnf-mt", "blackjack-mlp", "blackjack-q-table", "taxi-mlp", "taxi-q-table",
        "taxi-mlp-teacher", "taxi-distill-ndnf-mt", "door-corridor-ndnf-mt", "door-corridor-mlp"}) {
    EXPECT_EQ(find_preset(name).name, "paper/" + name);
  }
}

TEST(Presets, ImproveEveryNeuralDnfOfThePaperAndShrinkIt) {
  for (const std::string task :
       {"small-corridor", "long-corridor-5", "long-corridor-11", "small-corridor-wall",
        "long-corridor-5-wall", "long-corridor-11-wall", "blackjack", "door-corridor"}) {
    const Preset& best = find_preset("best/" + task + "-ndnf-mt");
    const Preset& paper = find_preset("paper/" + task + "-ndnf-mt");
    EXPECT_EQ(best.env, paper.env);
    EXPECT_EQ(best.select, paper.select);
    EXPECT_EQ(find_preset("best/" + task + "-ndnf-mt-small").env, best.env);
  }
  for (const std::string name : {"taxi", "taxi-factored"}) {
    EXPECT_EQ(find_preset("best/" + name + "-ndnf-mt-small").env,
              find_preset("best/" + name + "-ndnf-mt").env);
  }
  EXPECT_EQ(find_preset("best/taxi-distill-ndnf-mt").method, "distill");
}

/// Results that use the environment's model are always labelled as such.
TEST(Presets, SayInTheirFirstLineThatTheyUseTheModel) {
  for (const Preset& preset : presets()) {
    const bool uses_model = parse_train_config(preset.name, preset.text).finish.steps > 0;
    EXPECT_EQ(preset.summary.find("model-based") != std::string::npos, uses_model) << preset.name;
  }
}

TEST(Presets, ANameWithoutItsFolderMeansThePapers) {
  EXPECT_EQ(find_preset("blackjack-ndnf-mt").name, "paper/blackjack-ndnf-mt");
  EXPECT_EQ(find_preset("blackjack-ndnf-mt-small").name, "best/blackjack-ndnf-mt-small");
}

TEST(Presets, UnknownNameGetsTheNearest) {
  EXPECT_THAT([] { find_preset("paper/blackjak-mlp"); },
              ThrowsMessage<Error>(EndsWith("did you mean paper/blackjack-mlp?")));
  EXPECT_THAT([] { find_preset("blackjak-mlp"); },
              ThrowsMessage<Error>(EndsWith("did you mean blackjack-mlp?")));
}

TEST(ParsePreset, NamesThePlaceOfAMistake) {
  EXPECT_THAT(
      [] {
        parse_preset({"mine", "# Mine.\nenv = \n"});
      },
      ThrowsMessage<Error>(HasSubstr("mine:2:")));
  EXPECT_THAT(
      [] {
        parse_preset({"mine", "# Mine.\nenv = \"taxi\"\n"});
      },
      ThrowsMessage<Error>(HasSubstr("mine: has no string method")));
  EXPECT_THAT(
      [] {
        parse_preset({"mine", "env = \"taxi\"\n"});
      },
      ThrowsMessage<Error>(HasSubstr("not a comment")));
}

}  // namespace
}  // namespace ndnf
