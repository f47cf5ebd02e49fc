#include "ndnf/inputs/policy_source.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gmock/gmock.h>

#include "env/json_files.h"
#include "ndnf/env/model_file.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::BadEdit;
using ::testing::Each;
using testing::edited;
using ::testing::ElementsAre;
using ::testing::Eq;
using testing::error_of;
using testing::json_block;
using testing::source_text;
using ::testing::StartsWith;
using testing::TemporaryFolder;

const std::string kExample = "examples/two-rooms-policy.json";

Task two_rooms() {
  Task environment = read_model_file(std::string(NDNF_SOURCE_DIR) + "/examples/two-rooms.json");
  environment.spec = "examples/two-rooms.json";
  return environment;
}

std::optional<std::string> environment_of(const std::string& policy) {
  const auto named = PolicySource(policy).task();
  return named ? std::optional(named->spec) : std::nullopt;
}

PolicyTable load_text(const std::string& text, const Task& environment) {
  const TemporaryFolder folder;
  return load_policy(folder.write("policy.json", text), environment);
}

TEST(PolicySource, TheDocumentShowsTheExampleInTheFormThatIsWritten) {
  const Task environment = two_rooms();
  const std::string text = source_text(kExample);
  EXPECT_EQ(json_block(source_text("docs/policy-file.md")), text);
  EXPECT_EQ(to_policy_file(load_text(text, environment), environment), text);
}

TEST(PolicySource, AFileGivesItsRowsAndItsEnvironment) {
  const std::string path = std::string(NDNF_SOURCE_DIR) + "/" + kExample;
  const PolicyTable policy = load_policy(path, two_rooms());
  EXPECT_THAT(policy.row(1), ElementsAre(0.125, 0.875, 0));
  EXPECT_THAT(policy.row(3), ElementsAre(0, 0, 1));
  EXPECT_EQ(environment_of(path), "examples/two-rooms.json");
}

TEST(PolicySource, AnObservationThatIsNotMentionedIsUndefinedUnlessThereIsADefault) {
  const Task environment = two_rooms();
  const std::string text = source_text(kExample);
  const PolicyTable plain = load_text(text, environment);
  EXPECT_FALSE(plain.defined(4));
  EXPECT_EQ(plain.defect(4), "names no action");
  const PolicyTable filled =
      load_text(edited(text, "\"rows\"", "\"default\": [0.5, 0.25, 0.25], \"rows\""), environment);
  EXPECT_THAT(filled.row(4), ElementsAre(0.5, 0.25, 0.25));
  EXPECT_THAT(filled.row(0), ElementsAre(1, 0, 0));
}

TEST(PolicySource, ActionsAndAtomsMayComeInAnyOrder) {
  const Task environment = two_rooms();
  const PolicyTable policy =
      load_text(R"({"format": "ndnf-policy", "version": 1, "actions": ["leave", "walk", "grab"],
    "default": [0.5, 0.25, 0.25], "rows": [{"observation": ["has_key", "in_study"], "probabilities": [0.125, 0.875, 0]}]})",
                environment);
  EXPECT_THAT(policy.row(2), ElementsAre(0.875, 0, 0.125));
  EXPECT_THAT(policy.row(0), ElementsAre(0.25, 0.25, 0.5));
}

TEST(PolicySource, WithoutActionsTheOrderIsTheEnvironments) {
  const PolicyTable policy = load_text(
      R"({"format": "ndnf-policy", "version": 1, "rows": [{"observation": ["in_hall"], "probabilities": [0, 1, 0]}]})",
      two_rooms());
  EXPECT_THAT(policy.row(0), ElementsAre(0, 1, 0));
}

TEST(PolicySource, UniformGivesAllActionsAlike) {
  const PolicyTable policy = load_policy("uniform", two_rooms());
  for (ObsId obs = 0; obs < policy.size(); ++obs) EXPECT_THAT(policy.row(obs), Each(Eq(1.0 / 3)));
  EXPECT_EQ(environment_of("uniform"), std::nullopt);
}

TEST(PolicySource, OptimalGrabsTheKeyAndLeaves) {
  const Task environment = two_rooms();
  const PolicyTable policy = load_policy("optimal", environment);
  EXPECT_EQ(environment_of("optimal"), std::nullopt);
  EXPECT_EQ(policy.argmax(0), 0u);
  EXPECT_EQ(policy.argmax(1), 1u);
  EXPECT_EQ(policy.argmax(2), 0u);
  EXPECT_EQ(policy.argmax(3), 2u);
  // One step to the study, 4/3 tries, one step back, then 10; the step limit hardly matters.
  EXPECT_NEAR(evaluate_exactly(environment.model(), policy).mean_return, 10 - 2 - 4.0 / 3, 1e-6);
}

TEST(PolicySource, WritingAndReadingKeepsEveryRowAtWhichSomebodyDecides) {
  for (const char* spec : {"small-corridor:wall", "blackjack", "door-corridor"}) {
    SCOPED_TRACE(spec);
    const Task environment = make_task(spec);
    const FiniteModel& model = environment.model();
    std::vector<double> rows;
    for (ObsId obs = 0; obs < model.observations().size(); ++obs) {
      for (ActionId a = 0; a < model.action_count(); ++a) rows.push_back(a == 0 ? 1.0 / (obs + 1.0) : 0);
      rows.back() = obs == 0 ? rows.back() : 1 - 1.0 / (obs + 1.0);
    }
    const PolicyTable policy(model.action_count(), rows);
    const PolicyTable again = load_text(to_policy_file(policy, environment), environment);
    for (StateId s = 0; s < model.state_count(); ++s) {
      const ObsId obs = model.observation(s);
      if (model.is_end(s)) continue;
      EXPECT_TRUE(std::ranges::equal(again.row(obs), policy.row(obs))) << "observation " << obs;
    }
  }
}

TEST(PolicySource, UndefinedRowsAreNotWritten) {
  const Task environment = two_rooms();
  std::vector<double> rows(15, 0.0);
  rows[0] = 1;    // in_hall: walk
  rows[3] = 0.5;  // in_study: half of a distribution
  const PolicyTable again = load_text(to_policy_file(PolicyTable(3, rows), environment), environment);
  EXPECT_TRUE(again.defined(0));
  EXPECT_EQ(again.defect(1), "names no action");
}

TEST(PolicySource, ObservationsThatOnlyDifferInDenseNumbersCannotBeTold) {
  auto vocabulary = std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("lit")},
                                                 std::vector<std::string>{"wait"});
  auto table = std::make_shared<ObservationTable>(vocabulary, 1);
  FiniteModelData data;
  for (const float x : {0.0f, 1.0f})
    data.observation.push_back(table->intern(std::vector<std::uint32_t>{1}, std::vector{x}));
  data.observations = table;
  for (int s = 0; s < 2; ++s) data.add_row(std::vector<Outcome>{{1, 0, 0, true, -1}});
  data.starts = {{1, 0}};
  Task environment = finite_task(FiniteModel(std::move(data)));
  environment.spec = "dim";
  EXPECT_EQ(
      error_of([&] { load_text(R"({"format": "ndnf-policy", "version": 1, "rows": []})", environment); }),
      "dim: two observations show lit; a policy file tells observations apart by their atoms");
}

TEST(PolicySource, AMisspeltEnvIsFoundWhenTheEnvironmentIsAskedFor) {
  const TemporaryFolder folder;
  const auto path = folder.write("policy.json", edited(source_text(kExample), "\"env\"", "\"evn\""));
  EXPECT_EQ(error_of([&] { environment_of(path); }),
            path.string() + ": the key \"evn\" is not known; did you mean env?");
}

TEST(PolicySource, AnythingElseIsRefusedWithWhatIsAllowed) {
  const Task environment = two_rooms();
  for (const std::string policy : {"unifrom", "policy.txt", ""}) {
    const std::string message =
        Error(policy, "this is not a policy",
              "a policy is uniform, optimal, a run, or a .safetensors, .lp, .pl or .json file")
            .what();
    EXPECT_EQ(error_of([&] { load_policy(policy, environment); }), message);
    EXPECT_EQ(error_of([&] { environment_of(policy); }), message);
  }
  EXPECT_THAT(error_of([&] { load_policy("none.json", environment); }),
              StartsWith("none.json: cannot be read (No such"));
  EXPECT_THAT(error_of([&] { environment_of("none.json"); }),
              StartsWith("none.json: cannot be read (No such"));
}

class BadPolicyFile : public ::testing::TestWithParam<BadEdit> {};

TEST_P(BadPolicyFile, IsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("policy.json", edited(source_text(kExample), GetParam().from, GetParam().to));
  EXPECT_THAT(error_of([&] { load_policy(path, two_rooms()); }),
              StartsWith(path.string() + GetParam().message));
}

const BadEdit kBadEdits[] = {
    {"NotAnObject", "", "7", ": this is a number; an object is needed here"},
    {"ModelInstead", "ndnf-policy", "ndnf-model",
     ": this is the model of a task, but a policy is needed here"},
    {"LaterVersion", "\"version\": 1", "\"version\": 3",
     ": version: version 3 is not known; this program reads version 1"},
    {"UnknownKey", "\"rows\"", "\"row\"", ": the key \"row\" is not known; did you mean rows?"},
    {"RepeatedKey", "\"rows\"", "\"env\": \"taxi\", \"rows\"", ": the key \"env\" appears twice"},
    {"EnvIsANumber", "\"examples/two-rooms.json\"", "5", ": env: this is a number; a string is needed here"},
    {"NoRows", "", "{\"format\": \"ndnf-policy\", \"version\": 1}", ": the key \"rows\" is missing"},
    {"UnknownAction", "\"grab\"", "\"grap\"", ": actions[1]: there is no action grap; did you mean grab?"},
    {"ActionTwice", "\"grab\"", "\"walk\"", ": actions[1]: walk is listed twice"},
    {"ActionMissing", "\"grab\", ", "",
     ": actions: 2 of the 3 actions are listed; all are needed, in any order: walk, grab, leave"},
    {"UnknownRowKey", "\"probabilities\"", "\"probability\"",
     ": rows[0]: the key \"probability\" is not known; did you mean probabilities?"},
    {"NoProbabilities", ", \"probabilities\": [1, 0, 0]", "",
     ": rows[0]: the key \"probabilities\" is missing"},
    {"WrongSum", "0.125", "0.025",
     ": rows[1].probabilities: gives probabilities that sum to 0.9; a row must sum to 1"},
    {"TwoActions", "[0, 0, 1]", "[1, 0, 1]", ": rows[3].probabilities: names 2 actions; a row must sum to 1"},
    {"NoAction", "[0, 0, 1]", "[0, 0, 0]", ": rows[3].probabilities: names no action; a row must sum to 1"},
    {"NegativeNumber", "0.125", "-0.125",
     ": rows[1].probabilities: -0.125 is not a probability; it must be from 0 to 1"},
    {"NumberAboveOne", "0.125", "1.125",
     ": rows[1].probabilities: 1.125 is not a probability; it must be from 0 to 1"},
    {"NanLiteral", "0.125", "NaN", ":8:53: this is not JSON (invalid literal)"},
    {"NanInQuotes", "0.125", "\"NaN\"",
     ": rows[1].probabilities[0]: this is a string; a number is needed here"},
    {"NullNumber", "0.125", "null", ": rows[1].probabilities[0]: this is null; a number is needed here"},
    {"TooFewNumbers", "0.125, ", "", ": rows[1].probabilities: has 2 numbers; there are 3 actions"},
    {"WrongDefault", "\"rows\"", "\"default\": [0.5, 0.5], \"rows\"",
     ": default: has 2 numbers; there are 3 actions"},
    {"RowTwice", "[\"in_study\"]", "[\"in_hall\"]", ": rows[1].observation: has a row already"},
    {"UnknownAtom", "[\"in_study\"]", "[\"in_stduy\"]",
     ": rows[1].observation[0]: there is no atom in_stduy; did you mean in_study?"},
    {"NoPlace", "[\"in_study\"]", "[]", ": rows[1].observation: no atom of the group place is true"},
    {"NeverSeen", "[\"in_study\"]", "[\"outside\"]",
     ": rows[1].observation: examples/two-rooms.json never shows exactly these atoms"},
};

INSTANTIATE_TEST_SUITE_P(Edits, BadPolicyFile, ::testing::ValuesIn(kBadEdits), testing::name_of);

}  // namespace
}  // namespace ndnf
