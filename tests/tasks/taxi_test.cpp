#include "ndnf/tasks/taxi.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/golden.h"
#include "ndnf/base/error.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum TaxiAction : ActionId { kDown, kUp, kRight, kLeft, kPickup, kDropoff };
constexpr std::uint32_t kInTaxi = 4;

Task make_taxi(const std::vector<ConfigAssignment>& settings = {}) {
  return taxi_kinds().front().build("taxi", settings);
}

Task make_grid(std::int64_t rows, std::int64_t cols) {
  return make_taxi({{"obs", std::string("factored")}, {"rows", rows}, {"cols", cols}});
}

StateId state(std::uint32_t cols, std::uint32_t row, std::uint32_t col, std::uint32_t passenger,
              std::uint32_t destination) {
  return ((row * cols + col) * 5 + passenger) * 4 + destination;
}

/// The only outcome of a deterministic step.
Outcome step(const FiniteModel& model, StateId s, ActionId action) {
  EXPECT_EQ(model.outcomes(s, action).size(), 1u);
  return model.outcomes(s, action).front();
}

std::string error_of(const std::vector<ConfigAssignment>& settings) {
  try {
    make_taxi(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Taxi, EqualsAllEntriesOfTheReferenceTable) {
  const Task taxi = make_taxi();
  const auto golden = testing::read_golden("env_taxi.json");
  ASSERT_EQ(taxi.model().state_count(), golden.at("P").size());
  ASSERT_EQ(taxi.model().action_count(), 6u);
  for (StateId s = 0; s < 500; ++s) {
    for (ActionId a = 0; a < 6; ++a) {
      const auto& expected = golden.at("P")[s][a];
      const Outcome actual = step(taxi.model(), s, a);
      EXPECT_EQ(actual.next, expected[0]) << s << " " << a;
      EXPECT_EQ(actual.reward, expected[1]) << s << " " << a;
      EXPECT_EQ(actual.terminal, expected[2]) << s << " " << a;
    }
  }
  EXPECT_EQ(taxi.model().step_limit(), golden.at("max_steps").get<std::size_t>());
}

TEST(Taxi, StartsUniformlyInTheReferenceStates) {
  const Task taxi = make_taxi();
  const auto expected = testing::elements(testing::read_golden("env_taxi.json"), "start_states");
  ASSERT_EQ(expected.size(), 300u);
  ASSERT_EQ(taxi.model().starts().size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(taxi.model().starts()[i].state, expected[i]);
    EXPECT_DOUBLE_EQ(taxi.model().starts()[i].probability, 1.0 / 300);
  }
}

TEST(Taxi, ReachesTheStatesThatTheReferenceDistilsFrom) {
  const Task taxi = make_taxi();
  const auto expected = testing::elements(testing::read_golden("env_taxi.json"), "distill_states");
  EXPECT_EQ(reachable(taxi.model()).observations, expected.get<std::vector<ObsId>>());
}

TEST(Taxi, NamesAtomsAndActionsAsThePaperDoes) {
  const Task one_hot = make_taxi();
  EXPECT_THAT(one_hot.model().vocabulary().actions(),
              ElementsAre("down", "up", "right", "left", "pickup", "dropoff"));
  EXPECT_EQ(one_hot.model().vocabulary().atom_count(), 500u);
  EXPECT_EQ(one_hot.model().observations().describe(one_hot.model().observation(14)), "state(14)");

  const Task factored = make_taxi({{"", std::string("factored")}});
  EXPECT_EQ(factored.spec, "taxi:obs=factored");
  EXPECT_EQ(factored.model().vocabulary().atom_count(), 19u);
  EXPECT_EQ(
      factored.model().observations().describe(factored.model().observation(state(5, 3, 2, kInTaxi, 1))),
      "taxi_row(3), taxi_col(2), passenger(4), destination(1)");
}

TEST(Taxi, HasTheSameTableInBothEncodings) {
  const Task one_hot = make_taxi();
  const Task factored = make_taxi({{"obs", std::string("factored")}});
  ASSERT_EQ(factored.model().state_count(), 500u);
  EXPECT_EQ(factored.model().observations().size(), 500u);
  EXPECT_EQ(factored.model().labels(), one_hot.model().labels());
  for (StateId s = 0; s < 500; ++s) {
    for (ActionId a = 0; a < 6; ++a) {
      const Outcome left = step(one_hot.model(), s, a);
      const Outcome right = step(factored.model(), s, a);
      EXPECT_TRUE(left.next == right.next && left.reward == right.reward && left.terminal == right.terminal);
    }
  }
}

TEST(Taxi, LabelsAgreeWithTheStates) {
  const FiniteModel model = make_taxi().model();
  const auto& labels = model.labels();
  EXPECT_EQ(labels.at("in_taxi").size(), 100u);
  EXPECT_EQ(labels.at("at_destination").size(), 100u);
  EXPECT_EQ(labels.at("taxi_at_passenger").size(), 16u);
  EXPECT_EQ(labels.at("taxi_at_destination").size(), 20u);
  EXPECT_THAT(labels.at("in_taxi"), ::testing::Contains(state(5, 3, 1, kInTaxi, 2)));
  EXPECT_THAT(labels.at("at_destination"), ::testing::Contains(state(5, 3, 1, 2, 2)));
  EXPECT_THAT(labels.at("taxi_at_passenger"), ::testing::Contains(state(5, 0, 4, 1, 2)));
  EXPECT_THAT(labels.at("taxi_at_destination"), ::testing::Contains(state(5, 4, 3, 0, 3)));
}

TEST(Taxi, OtherMapsHaveLandmarksInTheCornersAndNoWalls) {
  const Task taxi = make_grid(3, 7);
  const FiniteModel& model = taxi.model();
  EXPECT_EQ(taxi.spec, "taxi:obs=factored,rows=3,cols=7");
  EXPECT_EQ(model.state_count(), 3u * 7 * 20);
  EXPECT_EQ(model.starts().size(), 3u * 7 * 12);
  EXPECT_EQ(model.vocabulary().atom_count(), 3u + 7 + 5 + 4);
  for (std::uint32_t row = 0; row < 3; ++row) {
    for (std::uint32_t col = 0; col < 7; ++col) {
      const StateId here = state(7, row, col, 0, 1);
      EXPECT_EQ(step(model, here, kDown).next, state(7, std::min(row + 1, 2u), col, 0, 1));
      EXPECT_EQ(step(model, here, kUp).next, state(7, row == 0 ? 0 : row - 1, col, 0, 1));
      EXPECT_EQ(step(model, here, kRight).next, state(7, row, std::min(col + 1, 6u), 0, 1));
      EXPECT_EQ(step(model, here, kLeft).next, state(7, row, col == 0 ? 0 : col - 1, 0, 1));
    }
  }
}

TEST(Taxi, DeliversBetweenAnyCornersOfOtherMaps) {
  const FiniteModel model = make_grid(2, 6).model();
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> corners = {{0, 0}, {0, 5}, {1, 0}, {1, 5}};
  for (std::uint32_t p = 0; p < 4; ++p) {
    for (std::uint32_t d = 0; d < 4; ++d) {
      const Outcome entered = step(model, state(6, corners[p].first, corners[p].second, p, d), kPickup);
      EXPECT_EQ(entered.next, state(6, corners[p].first, corners[p].second, kInTaxi, d));
      EXPECT_EQ(entered.reward, -1);
      const Outcome left = step(model, state(6, corners[d].first, corners[d].second, kInTaxi, d), kDropoff);
      EXPECT_EQ(left.next, state(6, corners[d].first, corners[d].second, d, d));
      EXPECT_EQ(left.reward, 20);
      EXPECT_TRUE(left.terminal);
    }
  }
}

TEST(Taxi, DrawsWallsLandmarksAndFiguresAsText) {
  const Task taxi = make_taxi();
  EXPECT_EQ(taxi.draw_text(state(5, 2, 1, 0, 3)),
            "+------------------------+\n"
            "| Rp :    |    :    : G  |\n"
            "|    :    |    :    :    |\n"
            "|    :[  ]:    :    :    |\n"
            "|    |    :    |    :    |\n"
            "| Y  |    :    | B* :    |\n"
            "+------------------------+\n"
            "taxi at row 2, column 1; passenger at R, to B\n");
  EXPECT_THAT(taxi.draw_text(state(5, 4, 0, kInTaxi, 1)), HasSubstr("|[Yp]|"));
  EXPECT_THAT(taxi.draw_text(state(5, 0, 4, 1, 1)), HasSubstr("passenger delivered to G"));
}

TEST(Taxi, DrawsEveryStateAsAPicture) {
  const Task taxi = make_taxi();
  for (StateId s = 0; s < 500; ++s) {
    const std::string svg = taxi.draw_svg(s).to_string();
    const bool riding = s / 4 % 5 == kInTaxi;
    EXPECT_EQ(svg.find("#8fd14f") != std::string::npos, riding)
        << "a green taxi carries the passenger: " << s;
    EXPECT_EQ(svg.find("#ffd23f") != std::string::npos, !riding) << "a yellow taxi is empty: " << s;
  }
}

TEST(Taxi, ShowsAWindowOfALargeMapAndKeepsItsPictureSmall) {
  const Task taxi = make_grid(2, 300);
  const StateId s = state(300, 1, 150, kInTaxi, 3);
  EXPECT_THAT(taxi.draw_text(s), HasSubstr("taxi at row 1, column 150"));
  EXPECT_THAT(taxi.draw_text(s), HasSubstr("[ p]"));
  EXPECT_LT(taxi.draw_text(s).size(), 500u);
  EXPECT_LT(taxi.draw_svg(s).to_string().size(), 10000u);
}

TEST(Taxi, WrongParametersAreNamed) {
  EXPECT_THAT(error_of({{"rows", std::int64_t{1}}}), HasSubstr("rows"));
  EXPECT_THAT(error_of({{"cols", std::int64_t{2001}}}), HasSubstr("cols"));
  EXPECT_THAT(error_of({{"step_limit", std::int64_t{0}}}), HasSubstr("step_limit"));
  EXPECT_THAT(error_of({{"obs", std::string("image")}}), HasSubstr("obs"));
  EXPECT_THAT(error_of({{"columns", std::int64_t{5}}}), HasSubstr("columns"));
  EXPECT_THAT(error_of({{"rows", std::int64_t{2000}}, {"cols", std::int64_t{2000}}}),
              HasSubstr("rows × cols is 4000000 squares"));
}

}  // namespace
}  // namespace ndnf
