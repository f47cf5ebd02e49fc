#include "ndnf/env/drn_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/json_files.h"
#include "ndnf/env/model_file.h"
#include "ndnf/optimum/optimum.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// A corridor of three cells with a door at its end; the door needs a key, which lies in the first cell. The
/// action east is missing before the wall, and take where there is nothing to take.
constexpr const char* kCorridor = R"(// Exported by storm
@type: MDP
@value_type: double
@parameters

@reward_models
time prize 
@nr_states
5
@nr_choices
6
@model
state 0 [1, 0] init
//[!key	& cell=0]
	action take [0, 0]
		1 : 3/4
		0 : 1/4
	action East [0, 0]
		2 : 1
state 1 [1, 0]
//[	& cell=0]
	action East [0, 0]
		3 : 1
state 2 [1, 0]
//[!key	& cell=1]
	action west [0, 0]
		0 : 1
state 3 [1, 0]
//[	& cell=1]
	action East [0, 10]
		4 : 1
state 4 [0, 0] out safe
	action __NOLABEL__ [0, 0]
		4 : 1
)";

Task task_of(const std::string& text, const std::string& settings = "limit=20,reward=prize") {
  return read_drn_file({"model.drn:" + settings, text});
}

std::string with(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, text.npos) << before;
  return text.replace(at, before.size(), after);
}

TEST(DrnFile, BecomesATaskWithItsOwnNames) {
  const Task task = task_of(kCorridor);
  const FiniteModel& model = task.model();
  EXPECT_EQ(task.spec, "model.drn:limit=20,reward=prize");
  EXPECT_THAT(model.vocabulary().actions(), ElementsAre("take", "east", "west"));
  EXPECT_EQ(model.observations().describe(model.observation(0)), "cell(0)");
  EXPECT_EQ(model.observations().describe(model.observation(3)), "key, cell(1)");
  EXPECT_EQ(model.step_limit(), 20u);
  EXPECT_TRUE(model.is_end(4));
  EXPECT_DOUBLE_EQ(model.outcomes(3, 1)[0].reward, 10);
  EXPECT_TRUE(model.outcomes(3, 1)[0].terminal);
  EXPECT_THAT(model.labels(), ElementsAre(std::pair<const std::string, std::vector<StateId>>("out", {4}),
                                          std::pair<const std::string, std::vector<StateId>>("safe", {4})));
}

TEST(DrnFile, OffersOnlyTheChoicesOfAState) {
  const Task task = task_of(kCorridor);
  const FiniteModel& model = task.model();
  ASSERT_TRUE(model.offered());
  EXPECT_EQ(model.offered()->bits(model.observation(0)), 0b011u);
  EXPECT_EQ(model.offered()->bits(model.observation(1)), 0b010u);
  EXPECT_EQ(model.offered()->bits(model.observation(2)), 0b100u);
  const Optimum optimum = find_optimum(model);
  EXPECT_NEAR(optimum.evaluation.mean_return, 10, 1e-9);
  for (ObsId obs = 0; obs < model.observations().size(); ++obs)
    EXPECT_TRUE(model.offered()->allows(obs, optimum.policy.argmax(obs))) << obs;
}

TEST(DrnFile, KeepsItsChoicesAsAModelFile) {
  const Task task = task_of(kCorridor);
  const Task again = read_model_file({"task.json", task.source});
  ASSERT_TRUE(again.model().offered());
  for (ObsId obs = 0; obs < again.model().observations().size(); ++obs)
    EXPECT_EQ(again.model().offered()->bits(obs), task.model().offered()->bits(obs));
  EXPECT_EQ(to_model_file(again.model(), "model.drn"), task.source);
}

TEST(DrnFile, MinimisesCostsUntilAGoal) {
  const Task task = task_of(kCorridor, "limit=500,reward=time,costs=true,goal=out");
  EXPECT_NEAR(find_optimum(task.model()).evaluation.mean_return, -(4.0 / 3 + 2), 1e-9);
}

TEST(DrnFile, ReachesAGoalForAReturnOfOne) {
  const Task task = task_of(kCorridor, "limit=4,goal=out");
  EXPECT_NEAR(find_optimum(task.model()).evaluation.mean_return, 1 - 0.25 * 0.25, 1e-12);
  EXPECT_THAT(task.model().tags(), ElementsAre());  // the end state has two labels
  const Task tagged = task_of(with(kCorridor, " out safe", " out"), "limit=4,goal=out");
  EXPECT_THAT(tagged.model().tags(), ElementsAre("out"));
}

TEST(DrnFile, AStateThatOnlyDrawsIsADistributionOfStarts) {
  std::string text = with(kCorridor, "@nr_states\n5", "@nr_states\n6");
  text = with(text, "state 0 [1, 0] init", "state 0 [1, 0]");
  text += "state 5 [0, 0] init\n\taction draw [0, 0]\n\t\t0 : 0.25\n\t\t2 : 0.75\n";
  const Task task = task_of(text);
  ASSERT_EQ(task.model().starts().size(), 2u);
  EXPECT_EQ(task.model().starts()[1].state, 2u);
  EXPECT_EQ(task.model().starts()[1].probability, 0.75);
  EXPECT_EQ(task.model().state_count(), 5u);
}

TEST(DrnFile, VariablesThatTellTooLittleAreJoinedByTheNumberOfTheState) {
  const Task task = task_of(with(kCorridor, "//[!key	& cell=1]", "//[!key	& cell=0]"));
  EXPECT_EQ(task.model().observations().describe(task.model().observation(2)), "cell(0), state(2)");
}

TEST(DrnFile, TakesVariablesFromAStatesFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("model.drn", kCorridor);
  folder.write("model.sta", "(place,open)\n0:(7,false)\n1:(8,false)\n2:(9,true)\n3:(-1,true)\n4:(0,true)\n");
  const Task task = read_drn_file(file.string() + ":limit=20,reward=prize");
  EXPECT_EQ(task.model().observations().describe(task.model().observation(3)), "place(-1), open");
}

TEST(DrnFile, AnObservationOfAPomdpHasOneSetOfChoices) {
  const std::string text = R"(@type: POMDP
@parameters

@reward_models
r
@nr_states
3
@nr_choices
4
@model
state 0 {0} [0] init
//[x=1 & y=0]
	action a [0]
		1 : 1
	action b [1]
		2 : 1
state 1 {0} [0]
//[x=2 & y=0]
	action a [5]
		2 : 1
	action b [0]
		2 : 1
state 2 {1} [0]
	action a [0]
		2 : 1
)";
  const Task task = task_of(text, "limit=0");
  EXPECT_EQ(task.model().observation(0), task.model().observation(1));
  EXPECT_EQ(task.model().observations().describe(0), "observation(0)");
  const std::string other = with(text, "	action b [0]\n		2 : 1\n", "");
  EXPECT_EQ(error_of([&] { task_of(other, "limit=0"); }),
            "model.drn: state 1: offers other actions than an earlier state with the same observation, "
            "observation(0)");
}

TEST(DrnFile, RoundedProbabilitiesAreMadeToSumToOne) {
  const Task task = task_of(with(with(kCorridor, "1 : 3/4", "1 : 0.333333"), "0 : 1/4", "0 : 0.666667"));
  double sum = 0;
  for (const Outcome& outcome : task.model().outcomes(0, 0)) sum += outcome.probability;
  EXPECT_DOUBLE_EQ(sum, 1);
}

struct Mistake {
  const char* name;
  const char* before;
  const char* after;
  const char* settings;
  const char* message;
};

TEST(DrnFile, NeedsNoStepLimitAndTakesADiscount) {
  const FiniteModel free = task_of(kCorridor, "reward=time,costs=true").model();
  EXPECT_TRUE(free.endless());
  EXPECT_NEAR(find_optimum(free).evaluation.mean_return, -(4.0 / 3 + 2), 1e-12);  // take, East, East
  const FiniteModel discounted = task_of(kCorridor, "reward=prize,discount=0.5").model();
  EXPECT_EQ(discounted.discount(), 0.5);
  // 10 d² V, where V = 3/4 + d/4 V is what taking the key is worth.
  EXPECT_NEAR(find_optimum(discounted).evaluation.mean_return, 10 * 0.25 * 0.75 / (1 - 0.125), 1e-12);
  const FiniteModel said =
      task_of(std::string("// Rewards are discounted by 0.25 per step.\n") + kCorridor, "reward=prize")
          .model();
  EXPECT_EQ(said.discount(), 0.25);
}

class BadDrnFile : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadDrnFile, IsRefusedInOneSentence) {
  const Mistake& mistake = GetParam();
  const std::string error =
      error_of([&] { task_of(with(kCorridor, mistake.before, mistake.after), mistake.settings); });
  EXPECT_THAT(error, HasSubstr(mistake.message));
  EXPECT_EQ(error.find('\n'), error.npos);
}

constexpr const char* kPrize = "limit=20,reward=prize";
constexpr Mistake kMistakes[] = {
    {"Type", "@type: MDP", "@type: CTMC", kPrize,
     "model.drn:2: the model is of type CTMC; a task is a DTMC, MDP or POMDP"},
    {"NoType", "@type: MDP\n", "", kPrize, "@type is missing"},
    {"Parameters", "@parameters\n", "@parameters\np q", kPrize, "model.drn:5: the model has parameters"},
    {"Placeholders", "@parameters\n\n", "@placeholders\n$0 : p\n", kPrize, "the model has placeholders"},
    {"NoModel", "@model", "@modul", kPrize, "\"@modul\" is not known; a DRN file is expected"},
    {"Interval", "3/4", "[0.1, 0.9]", kPrize, "\"[0.1, 0.9]\" is not a number; models with intervals"},
    {"Number", "3/4", "three", kPrize, "model.drn:16: \"three\" is not a number"},
    {"Sum", "3/4", "0.5", kPrize, "state 0, action take: the probabilities sum to 0.75"},
    {"NegativeProbability", "3/4", "-0.75", kPrize, "the probability -0.75 is not allowed"},
    {"InfiniteProbability", "3/4", "1/0", kPrize, "state 0, action take"},
    {"NoSuchState", "1 : 3/4", "9 : 3/4", kPrize, "model.drn:16: there is no state 9; there are 5"},
    {"StateOrder", "state 1 [1", "state 7 [1", kPrize, "this is state 7; state 1 is next"},
    {"TooFewStates", "@nr_states\n5", "@nr_states\n6", kPrize, "there are 5 states; @nr_states says 6"},
    {"Rewards", "take [0, 0]", "take [0]", kPrize, "the number of rewards is wrong; @reward_models lists 2"},
    {"ExitRate", "state 1 [1", "state 1 !2 [1", kPrize, "the state has an exit rate"},
    {"SomeObservations", "state 1 [1", "state 1 {0} [1", kPrize,
     "some states have an observation and some have none"},
    {"NoInit", " init", "", kPrize, "0 states have the label init; a task needs one"},
    {"NoSuchReward", "time prize", "time prize", "limit=20,reward=prise",
     "there is no reward model prise; did you mean prize?"},
    {"SeveralRewards", "time prize", "time prize", "limit=20", "has 2 reward models; name one of them"},
    {"NoSuchGoal", "time prize", "time prize", "limit=20,goal=outt",
     "no state has the label outt; did you mean"},
    {"NoSuchSetting", "time prize", "time prize", "limits=20", "limits"},
    {"Variable", "cell=1]", "cell=1.5]", kPrize, "the value 1.5 of cell is not a whole number"},
    {"VariableTwice", "& cell=1]", "& cell=1 & cell=2]", kPrize, "cell has two values in state 2"},
    {"VariableOfTwoKinds", "& cell=1]", "& !cell]", kPrize,
     "cell is a number here and a truth value elsewhere"},
    {"TransitionFirst", "	action take [0, 0]\n", "", kPrize, "a transition outside of a choice"},
    {"NoChoices", "	action west [0, 0]\n		0 : 1\n", "", kPrize, "state 2: has no choices"},
};

INSTANTIATE_TEST_SUITE_P(Edits, BadDrnFile, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ndnf
