#include "ndnf/tasks/door_corridor.h"

#include <algorithm>
#include <ostream>
#include <set>
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

constexpr ActionId kTurnLeft = 0;
constexpr ActionId kForward = 2;
constexpr ActionId kToggle = 3;

struct GoldenDoors {
  std::string file;
  std::string name;
};

void PrintTo(const GoldenDoors& golden, std::ostream* out) { *out << golden.name; }

/// image[row][column][channel], as in the dense row.
std::vector<float> flat(const json& image) {
  std::vector<float> out;
  for (const json& row : image) {
    for (const json& cell : row) out.insert(out.end(), cell.begin(), cell.end());
  }
  return out;
}

std::vector<float> dense(const FiniteModel& model, ObsId obs) {
  const auto row = model.observations().dense(obs);
  return {row.begin(), row.end()};
}

class GoldenDoorCorridor : public ::testing::TestWithParam<GoldenDoors> {
 protected:
  const json golden_ = read_golden(GetParam().file);
  const Task env_ = make_task(GetParam().name);
  const FiniteModel& model_ = env_.model();
};

TEST_P(GoldenDoorCorridor, HasTheRecordedSizes) {
  EXPECT_EQ(model_.decision_state_count(), golden_.at("n_reachable_nonterminal_states").get<std::size_t>());
  EXPECT_EQ(model_.decision_observations().size(), golden_.at("n_unique_images").get<std::size_t>());
  EXPECT_EQ(model_.step_limit(), golden_.at("max_steps").get<std::size_t>());
  EXPECT_EQ(model_.starts()[0].state, 0u);
  EXPECT_EQ(elements(golden_, "states").size(), model_.decision_state_count());
  EXPECT_EQ(elements(golden_, "transitions").size(), model_.decision_state_count());
}

TEST_P(GoldenDoorCorridor, NamesActionsAndWhatCellsHoldInTheRecordedOrder) {
  EXPECT_EQ(golden_.at("actions"), json({"LEFT", "RIGHT", "FORWARD", "TOGGLE"}));
  EXPECT_THAT(model_.vocabulary().actions(), ElementsAre("turn_left", "turn_right", "forward", "toggle"));
  // A cell's atoms are the objects, with the two states of a door instead of the door.
  EXPECT_EQ(golden_.at("objects"), json({"UNSEEN", "EMPTY", "WALL", "DOOR", "AGENT", "GOAL"}));
  EXPECT_EQ(golden_.at("state"), json({"OPEN", "CLOSED"}));
  EXPECT_THAT(model_.vocabulary().group(6).atoms,
              ElementsAre("left_unseen", "left_empty", "left_wall", "left_open_door", "left_closed_door",
                          "left_agent", "left_goal"));
}

/// The arrow in the map, the third line of the drawing.
TEST_P(GoldenDoorCorridor, DrawsTheAgentWhereAndAsItStands) {
  ASSERT_EQ(golden_.at("directions"), json({"RIGHT", "DOWN", "LEFT", "UP"}));
  const json states = elements(golden_, "states");
  for (StateId s = 0; s < states.size(); ++s) {
    const std::string text = env_.draw_text(s);
    const std::size_t line = text.find('\n', text.find('\n') + 1) + 1;
    const auto column = states[s].at("pos")[0].get<std::size_t>();
    EXPECT_EQ(text.at(line + column), std::string(">v<^").at(states[s].at("dir").get<std::size_t>())) << text;
  }
}

TEST_P(GoldenDoorCorridor, EveryStateShowsTheRecordedImage) {
  const json states = elements(golden_, "states");
  for (StateId s = 0; s < states.size(); ++s) {
    EXPECT_EQ(dense(model_, model_.observation(s)), flat(states[s].at("image"))) << "state " << s;
  }
}

TEST_P(GoldenDoorCorridor, EveryActionLeadsWhereRecorded) {
  const json transitions = elements(golden_, "transitions");
  for (StateId s = 0; s < transitions.size(); ++s) {
    for (ActionId action = 0; action < model_.action_count(); ++action) {
      const Outcome& outcome = model_.outcomes(s, action)[0];
      const int recorded = transitions[s][action];
      EXPECT_EQ(outcome.reward, -1);
      EXPECT_EQ(outcome.terminal, recorded == -1) << "state " << s << ", action " << action;
      EXPECT_EQ(outcome.terminal, model_.is_end(outcome.next));
      if (recorded >= 0) {
        EXPECT_EQ(outcome.next, static_cast<StateId>(recorded));
      }
    }
  }
}

TEST_P(GoldenDoorCorridor, TracesReplay) {
  const auto expect_image = [this](ObsId obs, const json& recorded) {
    EXPECT_EQ(dense(model_, obs), flat(recorded.at("image")));
  };
  std::size_t replayed = 0;
  for (const json& trace : elements(golden_, "traces")) {
    if (!trace.contains("steps")) continue;  // the last one, see below
    replay(model_, trace, expect_image);
    ++replayed;
  }
  EXPECT_EQ(replayed, 18u);
}

TEST_P(GoldenDoorCorridor, TurningLeftIsTruncatedWhereRecorded) {
  const json trace = elements(golden_, "traces").back();
  ASSERT_TRUE(trace.at("actions_all_zero").get<bool>());
  ASSERT_EQ(trace.at("n_steps").get<std::size_t>(), model_.step_limit());
  StateId state = model_.starts()[0].state;
  for (std::size_t i = 0; i < model_.step_limit(); ++i) state = model_.outcomes(state, kTurnLeft)[0].next;
  EXPECT_EQ(dense(model_, model_.observation(state)), flat(trace.at("last")[1]["image"]));
}

TEST_P(GoldenDoorCorridor, TheRecordedBestActionsEndTheEpisode) {
  StateId state = model_.starts()[0].state;
  for (const json& action : elements(golden_, "optimal_actions")) {
    ASSERT_FALSE(model_.is_end(state));
    state = model_.outcomes(state, action.get<ActionId>())[0].next;
  }
  EXPECT_TRUE(model_.is_end(state));
  EXPECT_THAT(model_.labels().at("done"), ::testing::Contains(state));
  for (const char* door : {"door_1_open", "door_2_open", "door_3_open"}) {
    EXPECT_THAT(model_.labels().at(door), ::testing::Contains(state));
  }
}

TEST_P(GoldenDoorCorridor, LabelsAgreeWithTheRecordedStates) {
  const json states = elements(golden_, "states");
  for (StateId s = 0; s < states.size(); ++s) {
    const auto has = [&](const std::string& label) {
      const auto& members = model_.labels().at(label);
      return std::find(members.begin(), members.end(), s) != members.end();
    };
    for (std::size_t door = 0; door < 3; ++door) {
      EXPECT_EQ(has(fmt::format("door_{}_open", door + 1)), states[s].at("doors")[door] == 0)
          << "state " << s;
    }
    EXPECT_EQ(has("goal"), states[s].at("pos") == json({5, 1})) << "state " << s;
    EXPECT_EQ(states[s].at("goal_flag"), 0);  // so the recorded states are before the end too
    EXPECT_FALSE(has("done"));
  }
}

/// The atoms and the image encode the same information.
TEST_P(GoldenDoorCorridor, DistinctImagesHaveDistinctAtoms) {
  const ObservationTable& table = model_.observations();
  std::set<std::vector<std::uint32_t>> values;
  std::set<std::vector<float>> images;
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    values.emplace(table.values(obs).begin(), table.values(obs).end());
    images.insert(dense(model_, obs));
  }
  EXPECT_EQ(values.size(), table.size());
  EXPECT_EQ(images.size(), table.size());
}

INSTANTIATE_TEST_SUITE_P(Paper, GoldenDoorCorridor,
                         ::testing::Values(GoldenDoors{"env_dc.json", "door-corridor"},
                                           GoldenDoors{"env_dct.json", "door-corridor-t"},
                                           GoldenDoors{"env_dcot.json", "door-corridor-ot"}));

TEST(DoorCorridor, AtomsNameWhatTheImageShows) {
  const FiniteModel model = make_task("door-corridor").model();
  EXPECT_EQ(model.vocabulary().atom_count(), 63u);
  EXPECT_THAT(model.vocabulary().actions(), ElementsAre("turn_left", "turn_right", "forward", "toggle"));
  EXPECT_EQ(
      model.observations().describe(model.observation(0)),
      "top_left_corner_unseen, two_step_ahead_unseen, top_right_corner_unseen, one_step_ahead_and_left_wall, "
      "one_step_ahead_wall, one_step_ahead_and_right_wall, left_wall, curr_location_agent, "
      "right_closed_door");
}

TEST(DoorCorridor, MarksOfTheStartMayNotDefinePredicates) {
  const Task environment = make_task("door-corridor");
  const Vocabulary& vocabulary = environment.model().vocabulary();
  for (AtomId atom = 0; atom < vocabulary.atom_count(); ++atom) {
    const std::string& name = vocabulary.atom_name(atom);
    EXPECT_EQ(vocabulary.may_define(atom), !name.ends_with("_agent")) << name;
  }
}

TEST(DoorCorridor, BothInputCodingsHaveOneTrueAtomPerCell) {
  const FiniteModel model = make_task("door-corridor").model();
  const ObservationTable& table = model.observations();
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    std::vector<double> signs(63);
    std::vector<double> bits(63);
    table.write_atoms<double>(obs, -1, signs);
    table.write_atoms<double>(obs, 0, bits);
    EXPECT_EQ(std::count(bits.begin(), bits.end(), 1.0), 9);
    for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(signs[i], 2 * bits[i] - 1);
  }
}

TEST(DoorCorridor, AnOpenDoorCanBeClosedAgain) {
  const FiniteModel model = make_task("door-corridor").model();
  const StateId facing_door = 2;
  const StateId opened = model.outcomes(facing_door, kToggle)[0].next;
  EXPECT_EQ(model.outcomes(facing_door, kForward)[0].next, facing_door) << "a closed door stops the agent";
  EXPECT_EQ(model.outcomes(opened, kToggle)[0].next, facing_door);
}

TEST(DoorCorridor, TextShowsMapAndView) {
  const Task env = make_task("door-corridor");
  EXPECT_THAT(env.draw_text(0), HasSubstr("#######   ???\n"
                                          "#^+++G#   ###\n"
                                          "#######   #S+\n"));
  EXPECT_THAT(env.draw_text(24), HasSubstr("#######   ###\n"
                                           "#S//>G#   #G#\n"
                                           "#######   #/#\n"));
  EXPECT_THAT(env.draw_text(env.model().labels().at("done")[0]), HasSubstr("The episode is over."));
}

TEST(DoorCorridor, StepLimitIsTheOnlySetting) {
  EXPECT_EQ(make_task("door-corridor:step_limit=12").model().step_limit(), 12u);
  EXPECT_THAT([] { make_task("door-corridor:step_limit=0"); },
              ::testing::ThrowsMessage<Error>(HasSubstr("step_limit is an integer from 1 to 1000000")));
  EXPECT_THAT([] { make_task("door-corridor:doors=4"); },
              ::testing::ThrowsMessage<Error>(HasSubstr("there is no setting doors")));
}

}  // namespace
}  // namespace ndnf
