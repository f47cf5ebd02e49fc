#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Envs : public Binary {};

/// Exact optima, known to the digits given.
struct Known {
  const char* spec;
  double optimum;
  double tolerance;
  const char* proof;
};
constexpr Known kOptima[] = {
    {"small-corridor", -3, 1e-12, "dynamic-programming"},
    {"long-corridor-5", -4, 1e-12, "dynamic-programming"},
    {"long-corridor-11", -4, 1e-12, "dynamic-programming"},
    {"small-corridor:wall", -8.99298, 5e-6, "global-search"},
    {"long-corridor-5:wall", -13.40317, 5e-6, "global-search"},
    {"long-corridor-11:wall", -16.49805, 5e-6, "global-search"},
    {"blackjack", -0.043113, 5e-7, "dynamic-programming"},
    {"blackjack:sab=false", -0.046556, 5e-7, "dynamic-programming"},
    {"taxi", 7.93, 1e-9, "dynamic-programming"},
    {"taxi:factored", 7.93, 1e-9, "dynamic-programming"},
    {"door-corridor", -8, 1e-12, "attained-bound"},
    {"door-corridor-t", -8, 1e-12, "attained-bound"},
    {"door-corridor-ot", -9, 1e-12, "attained-bound"},
};

TEST_F(Envs, ReportTheKnownOptimaWithTheirProof) {
  for (const Known& known : kOptima) {
    const nlohmann::json optimum = json({"envs", known.spec}).at("optimum");
    EXPECT_NEAR(optimum.at("return").get<double>(), known.optimum, known.tolerance) << known.spec;
    EXPECT_EQ(optimum.at("proof"), known.proof) << known.spec;
    EXPECT_NEAR(optimum.at("bound").get<double>(), optimum.at("return").get<double>(), 1e-6) << known.spec;
  }
}

TEST_F(Envs, SayThatGymnasiumsEnvironmentsNeedThePythonPackage) {
  const ProcessResult result = ndnf({"envs", "gym:FrozenLake-v1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "ndnf: gym:FrozenLake-v1: Gymnasium's environments need the Python package; install it with pip, "
            "and use "
            "its command ndnf\n");
  EXPECT_EQ(ndnf({"train", "gym:FrozenLake-v1"}).errors, result.errors);
}

TEST_F(Envs, ReportBlackjacksRates) {
  const nlohmann::json optimum = json({"envs", "blackjack"}).at("optimum");
  EXPECT_NEAR(optimum.at("win").get<double>(), 0.43290, 5e-6);
  EXPECT_NEAR(optimum.at("draw").get<double>(), 0.09109, 5e-6);
  EXPECT_NEAR(
      optimum.at("win").get<double>() + optimum.at("draw").get<double>() + optimum.at("loss").get<double>(),
      1, 1e-12);
}

TEST_F(Envs, DescribeAtomsActionsSizesAndParameters) {
  const nlohmann::json corridor = json({"envs", "small-corridor:wall"});
  EXPECT_EQ(corridor.at("name"), "small-corridor");
  EXPECT_EQ(corridor.at("spec"), "small-corridor:obs=wall");
  EXPECT_THAT(corridor.at("atoms"), ElementsAre("left_wall_present", "right_wall_present"));
  EXPECT_THAT(corridor.at("actions"), ElementsAre("left", "right"));
  EXPECT_EQ(corridor.at("step_limit"), 50);
  EXPECT_EQ(corridor.at("reachable").at("observations"), 2);
  EXPECT_EQ(corridor.at("fingerprint").get<std::string>().size(), 16u);
  EXPECT_TRUE(corridor.at("labels").contains("goal"));
  const nlohmann::json& length = corridor.at("parameters").at(1);
  EXPECT_EQ(length.at("key"), "length");
  EXPECT_EQ(length.at("default"), 4);
  EXPECT_THAT(length.at("allowed").get<std::string>(), HasSubstr("an integer from 2"));

  const nlohmann::json blackjack = json({"envs", "blackjack"});
  EXPECT_EQ(blackjack.at("observations"), 280);
  EXPECT_EQ(blackjack.at("atoms").size(), 44u);
  EXPECT_TRUE(blackjack.at("step_limit").is_null());
}

TEST_F(Envs, ListNamesEveryEnvironmentOnce) {
  const nlohmann::json list = json({"envs"}).at("environments");
  const std::string text = ndnf({"envs"}).output;
  std::vector<std::string> names;
  for (const nlohmann::json& line : list) {
    names.push_back(line.at("name"));
    EXPECT_THAT(text, HasSubstr("\n" + names.back() + " "));
    EXPECT_EQ(line.at("atoms"), json({"envs", names.back()}).at("atoms").size());
  }
  EXPECT_THAT(names, ElementsAre("small-corridor", "long-corridor-5", "long-corridor-11", "blackjack", "taxi",
                                 "door-corridor", "door-corridor-t", "door-corridor-ot", "crossing",
                                 "cart-pole", "mountain-car", "mountain-car-graded", "acrobot", "pendulum"));
}

TEST_F(Envs, TextTellsTheSameAsJson) {
  const std::string text = ndnf({"envs", "blackjack"}).output;
  EXPECT_THAT(text, StartsWith("blackjack: "));
  EXPECT_THAT(text, HasSubstr("observations  280 (280 reachable)"));
  EXPECT_THAT(text, HasSubstr("one of 32: hand(0), hand(1), … hand(31)"));
  EXPECT_THAT(text, HasSubstr("return -0.0431131"));
  EXPECT_THAT(text, HasSubstr("win 43.290 %"));
  EXPECT_THAT(text, HasSubstr("\nsab "));
}

TEST_F(Envs, DrawTheStateThatIsAskedFor) {
  const nlohmann::json start = json({"envs", "long-corridor-11"});
  EXPECT_EQ(start.at("drawn_state"), 7);
  const nlohmann::json other = json({"envs", "long-corridor-11", "--state", "2"});
  EXPECT_EQ(other.at("drawn_state"), 2);
  EXPECT_NE(start.at("drawing"), other.at("drawing"));
  EXPECT_THAT(ndnf({"envs", "long-corridor-11", "--state", "2"}).output,
              HasSubstr("\nstate 2\n" + other.at("drawing").get<std::string>()));
}

TEST_F(Envs, WriteAPicture) {
  EXPECT_EQ(json({"envs", "taxi", "--state", "14", "--svg", "taxi.svg"}).at("files").at(0), "taxi.svg");
  const std::string picture = read("taxi.svg");
  EXPECT_THAT(picture, StartsWith("<svg"));
  EXPECT_EQ(ndnf({"envs", "taxi", "--svg", "start.svg"}).output, "taxi: wrote start.svg\n");
  EXPECT_NE(picture, read("start.svg"));
}

TEST_F(Envs, WriteAPictureOfASimulatedTask) {
  for (const std::string task : {"cart-pole", "mountain-car", "mountain-car-graded", "acrobot", "pendulum"}) {
    EXPECT_EQ(ndnf({"envs", task, "--svg", task + ".svg"}).output, task + ": wrote " + task + ".svg\n");
    EXPECT_THAT(read(task + ".svg"), StartsWith("<svg"));
  }
  EXPECT_NE(read("mountain-car.svg"), read("mountain-car-graded.svg"));  // its flag is closer
  const ProcessResult refused = ndnf({"envs", "cart-pole", "--state", "3", "--svg", "third.svg"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("has no finite model"));
}

TEST_F(Envs, ADumpedModelIsTheSameTask) {
  for (const std::string spec : {"small-corridor:wall", "blackjack", "taxi:factored", "door-corridor-ot"}) {
    ASSERT_EQ(ndnf({"envs", spec, "--dump", "mine.json"}).exit_code, 0);
    EXPECT_EQ(ndnf({"envs", spec, "--dump"}).output, read("mine.json"));
    const nlohmann::json original = json({"envs", spec});
    const nlohmann::json copy = json({"envs", "mine.json"});
    EXPECT_EQ(copy.at("name"), "mine.json");
    for (const char* field : {"states", "observations", "reachable", "atoms", "actions", "step_limit",
                              "labels", "fingerprint", "optimum"}) {
      EXPECT_EQ(copy.at(field), original.at(field)) << spec << " " << field;
    }
    const auto value = [&](const std::string& env) {
      return json({"eval", "uniform", "--env", env}).at("return");
    };
    EXPECT_EQ(value("mine.json"), value(spec));
  }
}

TEST_F(Envs, DescribesTheTaskAsItsSettingsMakeIt) {
  const ProcessResult result = ndnf({"envs", "long-corridor-5:wall,length=9,goal=8"});
  EXPECT_THAT(result.output, HasSubstr("Switcheroo Corridor of 9 states: walk from 0 to 8"));
  EXPECT_EQ(json({"envs", "long-corridor-5:wall,length=9,goal=8"}).at("states"), 9);
}

}  // namespace
}  // namespace ndnf
