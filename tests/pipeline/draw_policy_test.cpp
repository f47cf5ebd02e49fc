#include "ndnf/pipeline/draw_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/svg_check.h"
#include "base/temporary_folder.h"
#include "ndnf/pipeline/learning_curves.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::xml_defect;

TEST(DrawPolicy, TakesAProgramByItsContents) {
  DrawRequest request;
  request.policies = {Input("mine.lp", "action(right) :- not in_s_1.\naction(left) :- in_s_1.\n")};
  request.env = "small-corridor";
  const Drawing drawing = draw_policy(request);
  const auto& map = std::get<PlaceMap>(drawing.picture);
  ASSERT_EQ(map.panels.size(), 1u);
  ASSERT_EQ(map.panels[0].squares.size(), 4u);
  EXPECT_THAT(map.panels[0].squares[1].probabilities, ::testing::ElementsAre(1, 0));
  EXPECT_THAT(map.panels[0].squares[1].labels, ::testing::ElementsAre("special"));
  EXPECT_TRUE(map.panels[0].squares[3].probabilities.empty());  // the goal: nothing is decided
  for (const MapSquare& square : map.panels[0].squares) EXPECT_FALSE(square.differs);
  EXPECT_EQ(xml_defect(to_svg(drawing).to_string()), "");
}

TEST(DrawPolicy, EveryOptimalActionIsFine) {
  // In the middle of Taxi's map several ways are equally short; no choice among them is marked.
  DrawRequest request;
  request.policies = {"optimal"};
  request.env = "taxi";
  const Drawing drawing = draw_policy(request);
  for (const MapPanel& panel : std::get<PlaceMap>(drawing.picture).panels) {
    for (const MapSquare& square : panel.squares) EXPECT_FALSE(square.differs) << panel.title;
  }
}

TEST(DrawPolicy, UnderAShieldComparesWithWhatIsAllowed) {
  DrawRequest request;
  request.policies = {"optimal"};
  request.env = "blackjack";
  request.shield = Input("shield.lp", "forbidden(hit) :- hand(16).\n");
  const Drawing drawing = draw_policy(request);
  EXPECT_TRUE(drawing.shielded);
  for (const MapPanel& panel : std::get<PlaceMap>(drawing.picture).panels) {
    for (const MapSquare& square : panel.squares) EXPECT_FALSE(square.differs);
  }
}

class Curves : public ::testing::Test {
 protected:
  /// A run directory with these metrics.
  Input run(const std::string& name, const std::string& metrics) const {
    const auto path = folder_.path() / name;
    std::filesystem::create_directories(path);
    write_file(path / "config.toml", "method = \"q-learning\"\nenv = \"small-corridor\"\nseed = " +
                                         std::to_string(count_++) + "\n[actor]\nmodel = \"q-table\"\n");
    write_file(path / "metrics.jsonl", metrics);
    return path;
  }

 private:
  const TemporaryFolder folder_;
  mutable int count_ = 0;
};

TEST_F(Curves, ARunThatStoppedEarlyKeepsItsLastValue) {
  const Input brief =
      run("seed-0", "{\"steps\": 0, \"episodic_return\": -10}\n{\"steps\": 10, \"episodic_return\": -4}\n");
  const Input longer =
      run("seed-1", "{\"steps\": 0, \"episodic_return\": -10}\n{\"steps\": 20, \"episodic_return\": -6}\n");
  const CurveChart chart = learning_curves({brief, longer}, std::nullopt).chart;
  ASSERT_EQ(chart.curves.size(), 1u);
  const CurvePoint& last = chart.curves[0].points.back();
  EXPECT_EQ(last.x, 20);
  EXPECT_EQ(last.mean, -5);
  EXPECT_EQ(last.low, -6);
  EXPECT_EQ(last.high, -4);
  EXPECT_EQ(chart.curves[0].points.front().mean, -10);
  EXPECT_EQ(chart.reference, -3);
}

TEST_F(Curves, OfWhatSomeRunsDoNotHaveAreRefused) {
  const Input one = run("seed-0", "{\"steps\": 0, \"episodic_return\": -10}\n");
  EXPECT_THAT(error_of([&] { learning_curves({one}, "delta"); }),
              HasSubstr("has no metric delta; it has episodic_return"));
  const Input other = run("seed-1", "{\"steps\": 0, \"episodic_return\": \"ten\"}\n");
  EXPECT_THAT(error_of([&] {
                learning_curves({one, other}, std::nullopt);
              }),
              HasSubstr("has no metric episodic_return"));
  const Input bad = run("seed-2", "{\"episodic_return\": 1}\n");
  EXPECT_THAT(error_of([&] { learning_curves({bad}, std::nullopt); }),
              HasSubstr("metrics.jsonl:1: the number \"steps\" is missing"));
}

}  // namespace
}  // namespace ndnf
