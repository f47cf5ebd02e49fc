#include "ndnf/training/train_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "ndnf/training/presets.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string complaint(const std::string& toml, const std::vector<std::string>& settings = {}) {
  try {
    parse_train_config("mine.toml", toml, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TrainConfig, ReadsEveryPreset) {
  for (const Preset& preset : presets()) {
    const TrainConfig config = load_train_config(preset.name);
    EXPECT_EQ(config.run.env, preset.env);
    EXPECT_EQ(config.run.method, preset.method);
    EXPECT_EQ(config.eval.select, preset.select);
    EXPECT_EQ(config.extract.as, preset.extract_as);
    EXPECT_EQ(config.run.preset, preset.name);
  }
}

TEST(TrainConfig, PrintsAllKeysAndReadsThemBack) {
  for (const Preset& preset : presets()) {
    const TrainConfig config = load_train_config(preset.name, {"seed=7", "eval.select=epsilon:0.25"});
    const std::string toml = to_toml(config);
    EXPECT_EQ(first_difference(parse_train_config("again", toml), config), std::nullopt) << toml;
    EXPECT_THAT(toml, HasSubstr("seed = 7\n"));
  }
}

TEST(TrainConfig, AnExplainedPresetSaysTheSame) {
  for (const Preset& preset : presets()) {
    const std::string text = explained(preset.text, preset.method);
    EXPECT_EQ(first_difference(parse_train_config("explained", text), load_train_config(preset.name)),
              std::nullopt);
  }
  EXPECT_THAT(explained(find_preset("taxi-q-table").text, "q-learning"),
              HasSubstr("# Episodes to play.\nepisodes = "));
}

TEST(TrainConfig, OfATeacherHasTheSeedThatItsStudentAsksFor) {
  const auto teacher =
      teacher_config(run_config("paper/taxi-distill-ndnf-mt", {"distill.teacher_seed=3"}, 7));
  ASSERT_TRUE(teacher);
  EXPECT_EQ(teacher->run.preset, "paper/taxi-mlp-teacher");
  EXPECT_EQ(teacher->run.seed, 3);
}

TEST(TrainConfig, SettingsComeAfterTheFile) {
  const TrainConfig config = load_train_config(
      "blackjack-ndnf-mt",
      {"ppo.ent_coef=0.05", "ppo.total_timesteps=1e4", "actor.conjunctions=8", "ppo.ent_coef=0.06"});
  EXPECT_EQ(config.ppo.ent_coef, 0.06);
  EXPECT_EQ(config.ppo.total_timesteps, 10000);
  EXPECT_EQ(config.actor.conjunctions, 8);
  EXPECT_EQ(load_train_config("taxi-q-table", {"method=sarsa"}).run.method, "sarsa");
}

TEST(TrainConfig, NamesPlaceAndNearestForAMisspeltName) {
  EXPECT_EQ(complaint("env = \"taxi\"\n[ppo]\nent_coeff = 1\n"),
            "mine.toml:3: there is no setting ent_coeff; did you mean ent_coef?");
  EXPECT_EQ(complaint("env = \"taxi\"\n\n[poo]\n"),
            "mine.toml:3: there is no section [poo]; did you mean ppo?");
  EXPECT_EQ(complaint("envv = \"taxi\"\n"), "mine.toml:1: there is no setting envv; did you mean env?");
  EXPECT_EQ(complaint("env = \"taxi\"", {"ppo.ent_coeff=1"}),
            "set: there is no setting ppo.ent_coeff; did you mean ppo.ent_coef?");
  EXPECT_THAT(complaint("env = \"taxi\"", {"ent_coef=1"}), EndsWith("did you mean ppo.ent_coef?"));
  EXPECT_THAT(complaint("env = \"taxi\"", {"ent_coef"}), EndsWith("write key=value"));
}

TEST(TrainConfig, RefusesWrongTypesAndRanges) {
  EXPECT_EQ(complaint("env = \"taxi\"\n[ppo]\ngamma = 2.0\n"),
            "mine.toml:3: gamma=2.0 is not allowed; gamma is a number from 0 to 1");
  EXPECT_THAT(complaint("env = \"taxi\"\n[ppo]\nnum_envs = 1.5\n"), HasSubstr("num_envs is an integer"));
  EXPECT_THAT(complaint("env = 3\n"), HasSubstr("env is a string"));
  EXPECT_THAT(complaint("env = \"taxi\"\nseed = 2020-01-01\n"), StartsWith("mine.toml:2: seed has a type"));
  EXPECT_THAT(complaint("env = \"taxi\"\n[ppo.more]\n"), HasSubstr("a section within a section"));
  EXPECT_THAT(complaint("env = \"taxi\"\n[ppo\n"), StartsWith("mine.toml:2:"));
}

TEST(TrainConfig, RefusesWhatMakesNoSenseTogether) {
  EXPECT_EQ(complaint("env = \"taxi\"\n[q-learning]\n"),
            "mine.toml:2: [q-learning] is not used by method = \"ppo\"");
  EXPECT_EQ(complaint("env = \"taxi\"\n", {"q-learning.alpha=1"}),
            "set: q-learning.alpha is not used by method = \"ppo\"");
  EXPECT_THAT(complaint("method = \"ppo\"\n"), HasSubstr("names no environment"));
  EXPECT_THAT(complaint("env = \"taxi\"\nmethod = \"distill\"\n"), HasSubstr("names no teacher"));
  EXPECT_THAT(complaint("env = \"taxi\"\n[ppo]\nent_from = 0.5\nent_to = 0.2\n"),
              HasSubstr("ends before it begins"));
  EXPECT_THAT(complaint("env = \"taxi\"\n[ppo]\ntotal_timesteps = 3\n"),
              HasSubstr("less than one iteration"));
  EXPECT_THAT(complaint("env = \"taxi\"\n[eval]\nselect = \"best\"\n"), HasSubstr("best"));
}

TEST(TrainConfig, NamesTheFirstDifference) {
  const TrainConfig there = load_train_config("blackjack-ndnf-mt");
  EXPECT_EQ(first_difference(there, load_train_config("blackjack-ndnf-mt", {"ppo.ent_coef=0.05"})),
            "ppo.ent_coef is 0.1 there, not 0.05");
  EXPECT_EQ(first_difference(there, load_train_config("blackjack-q-table")),
            "method is \"ppo\" there, not \"q-learning\"");
}

}  // namespace
}  // namespace ndnf
