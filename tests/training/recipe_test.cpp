#include "ndnf/training/recipe.h"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/system/file.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string kRobot = NDNF_SOURCE_DIR "/examples/robot.drn:reward=time,goal=home,costs=true,limit=100";

std::vector<TrainedRun> trained(const std::string& task, const TemporaryFolder& folder,
                                const std::string& name, std::vector<std::uint64_t> seeds = {0, 1},
                                std::optional<std::uint64_t> steps = std::nullopt) {
  const Recipe recipe = recipe_for({task, "auto", "ndnf-mt", steps});
  TrainRequest request;
  request.source = recipe.source;
  request.settings = recipe.settings;
  request.seeds = std::move(seeds);
  request.folder_per_seed = true;
  request.out = (folder.path() / name).string();
  return train(request);
}

TEST(Recipe, GuessesWhichTaskWasMeant) {
  EXPECT_EQ(meant_task("acrobat"), "acrobot");
  EXPECT_EQ(meant_task("cart-poel:step_limit=200"), "cart-pole");
  EXPECT_EQ(meant_task("taxi-mlp"), "") << "a preset";
  EXPECT_EQ(meant_task("taxi-mpl"), "") << "a preset is nearer";
  EXPECT_EQ(meant_task("mine/acrobat.toml"), "");
  EXPECT_EQ(meant_task("something-else-altogether"), "");
}

TEST(Recipe, TellsTasksFromPresets) {
  EXPECT_TRUE(is_task("taxi"));
  EXPECT_TRUE(is_task("taxi:factored"));
  EXPECT_TRUE(is_task("lake.json"));
  EXPECT_TRUE(is_task("robot.drn:goal=home"));
  EXPECT_FALSE(is_task("taxi-mlp"));
  EXPECT_FALSE(is_task("best/taxi-ndnf-mt"));
  EXPECT_FALSE(is_task("mine.toml"));
}

// docs/own-tasks.md has all tasks, with ten seeds each.
TEST(Recipe, AutoReachesTheOptimumOfEveryQuickTask) {
  const TemporaryFolder folder;
  int number = 0;
  for (const std::string& task :
       {std::string("small-corridor"), std::string("long-corridor-5"), std::string("long-corridor-11"),
        std::string("taxi"), std::string("taxi:factored"), std::string("door-corridor"),
        std::string("door-corridor-t"), std::string("door-corridor-ot"), std::string("crossing"), kRobot,
        std::string(NDNF_SOURCE_DIR "/examples/two-rooms.json")}) {
    for (const TrainedRun& run : trained(task, folder, fmt::format("{}", number++))) {
      EXPECT_EQ(run.optimum->gap(run.mean_return.value), 0) << task << ", seed " << run.seed;
      EXPECT_TRUE(run.finished);
    }
  }
}

TEST(Recipe, AutoComesCloseWhereTheBestPolicyIsRandom) {
  const TemporaryFolder folder;
  for (const char* task : {"small-corridor:wall", "long-corridor-5:wall", "long-corridor-11:wall"}) {
    for (const TrainedRun& run : trained(task, folder, task)) {
      EXPECT_LT(run.optimum->gap(run.mean_return.value), 0.05) << task << ", seed " << run.seed;
      EXPECT_EQ(run.select, "sample");
    }
  }
}

TEST(Recipe, TheSameStepsGiveTheSameBytes) {
  const TemporaryFolder folder;
  const TrainedRun a = trained("blackjack", folder, "a", {3}, 100'000)[0];
  const TrainedRun b = trained("blackjack", folder, "b", {3}, 100'000)[0];
  EXPECT_GE(a.steps, 100'000u);
  EXPECT_EQ(read_file(std::filesystem::path(a.run) / "model.safetensors"),
            read_file(std::filesystem::path(b.run) / "model.safetensors"));
}

TEST(Recipe, NamesTheFolderAfterTheTask) {
  EXPECT_EQ(recipe_for({"taxi:factored"}).folder, "taxi-factored");
  EXPECT_EQ(recipe_for({NDNF_SOURCE_DIR "/examples/two-rooms.json"}).folder, "two-rooms");
}

TEST(Recipe, MayBeAPreset) {
  const Recipe recipe = recipe_for({"taxi", "best/taxi-ndnf-mt", "ndnf-mt", 500'000});
  const TrainConfig config = load_train_config(recipe.source, recipe.settings);
  EXPECT_EQ(config.run.env, "taxi");
  EXPECT_EQ(config.ppo.total_timesteps, 500'000);
  EXPECT_THAT(error_of([] {
                recipe_for({"taxi", "paper/taxi-distill-ndnf-mt", "ndnf-mt", 10});
              }),
              HasSubstr("learns by distill"));
}

/// The steps of one run of at most `steps`.
std::uint64_t steps_of(const std::string& task, const std::string& model, std::uint64_t steps) {
  const TemporaryFolder folder;
  const Recipe recipe = recipe_for({task, "auto", model, steps});
  TrainRequest request;
  request.source = recipe.source;
  request.out = (folder.path() / "run").string();
  return train(request)[0].steps;
}

TEST(Recipe, NoModelTakesMoreStepsThanAllowed) {
  for (const char* task : {"blackjack", "small-corridor:wall"}) {
    for (const char* model : {"ndnf-mt", "mlp", "q-table"}) {
      EXPECT_LE(steps_of(task, model, 20'480), 20'480u) << task << ", " << model;
      EXPECT_GE(steps_of(task, model, 20'480), 16'384u) << task << ", " << model;
    }
  }
}

TEST(Recipe, ATimeBecomesStepsThatRepeatTheRun) {
  const TemporaryFolder folder;
  for (const char* model : {"ndnf-mt", "mlp", "q-table"}) {
    RecipeRequest request{"small-corridor:wall", "auto", model};
    request.seconds = 0.2;
    const Recipe timed = recipe_for(request);
    ASSERT_TRUE(timed.steps) << model;
    request.seconds.reset();
    request.steps = timed.steps;
    EXPECT_EQ(recipe_for(request).source.contents, timed.source.contents) << model;
  }
}

TEST(Recipe, TheDiscountIsPartOfTheGoal) {
  RecipeRequest request{"small-corridor:wall"};
  request.discount = 0.9;
  const TrainConfig config = load_train_config(recipe_for(request).source);
  EXPECT_EQ(config.plan.discount, 0.9);
  EXPECT_EQ(config.ppo.gamma, 0.9);
}

/// A task without a step limit: `a` leads on from the first of two states, `b` stays; each earns `reward`.
std::string endless_task(const std::string& reward) {
  return R"({"format": "ndnf-model", "version": 1, "name": "task", "actions": ["a", "b"],
    "groups": [{"name": "place", "atoms": ["here", "there"]}], "observations": [["here"], ["there"]],
    "starts": [{"state": 0}], "states": [{"observation": 0, "outcomes": {
      "a": [{"next": 1, "reward": 0, "terminal": true}], "b": [{"next": 0, "reward": )" +
         reward + R"(}]}}, {"observation": 1}]})";
}

TEST(Recipe, ATaskWithoutABestReturnIsRefusedByEveryModel) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "task.json").string();
  write_file(file, endless_task("1"));
  for (const char* model : {"ndnf-mt", "mlp", "q-table"}) {
    TrainRequest request;
    request.source = recipe_for({file, "auto", model, 8192}).source;
    request.out = (folder.path() / "run").string();
    EXPECT_THAT(error_of([&] { train(request); }),
                HasSubstr("task.json: there is no best return: rewards can be collected without end"));
    EXPECT_FALSE(std::filesystem::exists(*request.out));
  }
}

TEST(Recipe, ExtremeRewardsAreScaledForPpoOnly) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "task.json").string();
  for (const char* reward : {"-1e30", "-1e-30"}) {
    write_file(file, endless_task(reward));
    const Recipe recipe = recipe_for({file, "auto", "mlp", 40'960});
    EXPECT_NEAR(load_train_config(recipe.source).ppo.reward_scale * std::abs(std::stod(reward)), 10, 1e-6);
    TrainRequest request;
    request.source = recipe.source;
    request.out = (folder.path() / reward).string();
    const TrainedRun run = train(request)[0];
    EXPECT_LE(std::abs(run.mean_return.value), 0.1 * std::abs(std::stod(reward)));
  }
  EXPECT_EQ(load_train_config(recipe_for({"taxi", "auto", "mlp"}).source).ppo.reward_scale, 1);
}

}  // namespace
}  // namespace ndnf
