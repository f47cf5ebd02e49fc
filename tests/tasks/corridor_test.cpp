#include "ndnf/tasks/corridor.h"

#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "ndnf/tasks/registry.h"
#include "tasks/golden_trace.h"

namespace ndnf {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Golden {
  std::string file;
  std::string name;
  std::string settings;

  Task build(const std::string& obs) const { return make_task(name + ":obs=" + obs + settings); }
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }

std::vector<double> atoms(const ObservationTable& table, ObsId obs, double falsehood) {
  std::vector<double> out(table.vocabulary().atom_count());
  table.write_atoms<double>(obs, falsehood, out);
  return out;
}

class GoldenCorridor : public ::testing::TestWithParam<Golden> {
 protected:
  const json golden_ = read_golden(GetParam().file);
  const Task state_ = GetParam().build("state");
  const Task wall_ = GetParam().build("wall");
};

TEST_P(GoldenCorridor, HasTheRecordedParameters) {
  for (const FiniteModel* model : {&state_.model(), &wall_.model()}) {
    EXPECT_EQ(model->state_count(), golden_.at("corridor_length").get<std::size_t>());
    EXPECT_EQ(model->step_limit(), golden_.at("truncate").get<std::size_t>());
    EXPECT_EQ(model->labels().at("start"), std::vector<StateId>{golden_.at("start").get<StateId>()});
    EXPECT_EQ(model->labels().at("goal"), std::vector<StateId>{golden_.at("goal").get<StateId>()});
    EXPECT_EQ(model->labels().at("special"), golden_.at("special").get<std::vector<StateId>>());
    ASSERT_EQ(model->starts().size(), 1u);
    EXPECT_EQ(model->starts()[0].state, golden_.at("start").get<StateId>());
  }
}

TEST_P(GoldenCorridor, EveryLocationLeadsWhereRecorded) {
  for (const json& recorded : elements(golden_, "states")) {
    const StateId location = recorded.at("location");
    for (const ActionId action : {0u, 1u}) {
      for (const FiniteModel* model : {&state_.model(), &wall_.model()}) {
        const auto outcomes = model->outcomes(location, action);
        ASSERT_EQ(outcomes.size(), 1u);
        EXPECT_EQ(outcomes[0].next, recorded.at("next_location")[action].get<StateId>());
        EXPECT_EQ(outcomes[0].reward, -1);
        EXPECT_EQ(outcomes[0].terminal, outcomes[0].next == golden_.at("goal").get<StateId>());
      }
    }
  }
}

TEST_P(GoldenCorridor, EveryLocationIsEncodedAsRecorded) {
  for (const json& recorded : elements(golden_, "states")) {
    const StateId location = recorded.at("location");
    const auto encoded = [location](const FiniteModel& model, double falsehood) {
      return atoms(model.observations(), model.observation(location), falsehood);
    };
    EXPECT_EQ(encoded(state_.model(), -1), recorded.at("ndnf_mdp").get<std::vector<double>>());
    EXPECT_EQ(encoded(state_.model(), 0), recorded.at("mlp_mdp").get<std::vector<double>>());
    EXPECT_EQ(encoded(wall_.model(), -1), recorded.at("ndnf_pomdp").get<std::vector<double>>());
    EXPECT_EQ(encoded(wall_.model(), 0), recorded.at("mlp_pomdp").get<std::vector<double>>());
  }
}

TEST_P(GoldenCorridor, TracesReplay) {
  for (const json& trace : elements(golden_, "traces")) {
    replay(state_.model(), trace, [this](ObsId obs, const json& recorded) {
      EXPECT_THAT(state_.model().observations().values(obs),
                  ElementsAre(recorded.at("agent_location").get<unsigned>()));
    });
    replay(wall_.model(), trace, [this](ObsId obs, const json& recorded) {
      EXPECT_EQ(atoms(wall_.model().observations(), obs, 0),
                recorded.at("wall_status").get<std::vector<double>>());
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Paper, GoldenCorridor,
                         ::testing::Values(Golden{"env_sc.json", "small-corridor", ""},
                                           Golden{"env_lc5.json", "long-corridor-5", ""},
                                           Golden{"env_lc11.json", "long-corridor-11", ""},
                                           Golden{"env_cc11.json", "long-corridor-11",
                                                  ",start=9,special=[1,2,10],ring=true"}));

TEST(Corridor, NamesAreThePapers) {
  EXPECT_THAT(make_task("small-corridor").model().vocabulary().atom_names(),
              ElementsAre("in_s_0", "in_s_1", "in_s_2", "in_s_3"));
  const Task wall = make_task("small-corridor:wall");
  EXPECT_THAT(wall.model().vocabulary().atom_names(), ElementsAre("left_wall_present", "right_wall_present"));
  EXPECT_THAT(wall.model().vocabulary().actions(), ElementsAre("left", "right"));
}

TEST(Corridor, SpecialStatesSwapTheActionsAndNothingElse) {
  for (const char* ring : {"false", "true"}) {
    const std::string plain = fmt::format("small-corridor:length=6,goal=5,ring={},special=", ring);
    const Task without = make_task(plain + "[]");
    EXPECT_EQ(without.model().labels().count("special"), 0u);
    for (StateId special = 0; special < 6; ++special) {
      const Task with = make_task(plain + fmt::format("[{}]", special));
      for (StateId s = 0; s < 6; ++s) {
        for (const ActionId action : {0u, 1u}) {
          const ActionId meant = s == special ? 1 - action : action;
          EXPECT_EQ(with.model().outcomes(s, action)[0].next, without.model().outcomes(s, meant)[0].next);
        }
      }
    }
  }
}

TEST(Corridor, MayBeAsShortAsTwoAndAsLongAsAHundredThousand) {
  EXPECT_EQ(make_task("small-corridor:length=2,goal=1,special=[]").model().state_count(), 2u);
  const Task longest = make_task("small-corridor:length=100000,goal=99999");
  EXPECT_EQ(longest.model().observations().size(), 100000u);
  EXPECT_TRUE(longest.model().outcomes(99998, 1)[0].terminal);
  EXPECT_LT(longest.draw_svg(50000).to_string().size(), 20000u) << "draws only what is near the agent";
}

struct Mistake {
  std::string spec;
  std::string message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.spec; }

class WrongCorridor : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongCorridor, IsRefusedInOneSentence) {
  try {
    make_task(GetParam().spec);
    FAIL() << "was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), GetParam().spec + ": " + GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, WrongCorridor,
    ::testing::Values(
        Mistake{
            "small-corridor:start=4",
            "start names location 4, which is outside the corridor; with length=4 the locations are 0 to 3"},
        Mistake{
            "long-corridor-5:length=4",
            "goal names location 4, which is outside the corridor; with length=4 the locations are 0 to 3"},
        Mistake{"small-corridor:special=[9,1]",
                "special names location 9, which is outside the corridor; with length=4 the locations are 0 "
                "to 3"},
        Mistake{"small-corridor:start=3", "start and goal are both location 3; they must differ"},
        Mistake{"small-corridor:special=[2,1,2]", "special names location 2 twice; name each location once"},
        Mistake{"small-corridor:length=1", "length=1 is not allowed; length is an integer from 2 to 100000"},
        Mistake{"small-corridor:step_limit=0",
                "step_limit=0 is not allowed; step_limit is an integer from 1 to 1000000"},
        Mistake{"small-corridor:obs=smell", "obs=smell is not allowed; obs is one of state, wall"}));

TEST(Corridor, TextShowsAgentGoalAndSwappedArrows) {
  const Task env = make_task("small-corridor");
  EXPECT_THAT(env.draw_text(2), HasSubstr("#  S  |     |  A  |  G  #\n"
                                          "# < > | > < | < > | < > #\n"));
  EXPECT_THAT(env.draw_text(3), HasSubstr("#  S  |     |     | A G #\n"));
}

TEST(Corridor, TextShowsWhereTheCorridorGoesOn) {
  EXPECT_THAT(make_task("small-corridor:ring=true").draw_text(0), HasSubstr("~  A  |     |     |  G  ~\n"));
  const std::string text = make_task("small-corridor:length=1000").draw_text(999);
  EXPECT_THAT(text, HasSubstr("\n:     |"));
  EXPECT_THAT(text, HasSubstr("|  A  #\n"));
}

TEST(Corridor, IsSummarisedAsItsSettingsMakeIt) {
  EXPECT_EQ(make_task("long-corridor-5:wall,length=9,goal=8").summary,
            "Switcheroo Corridor of 9 states: walk from 0 to 8, where left and right are swapped in special "
            "states.");
  EXPECT_EQ(make_task("small-corridor:special=[],ring=true").summary,
            "Switcheroo Corridor of 4 states in a ring: walk from 0 to 3.");
  for (const TaskKind& kind : task_kinds()) {
    EXPECT_EQ(make_task(kind.name).summary, kind.summary);
  }
}

}  // namespace
}  // namespace ndnf
