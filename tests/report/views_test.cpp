// The pictures of policies: what is in them, and that they are whole.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/svg_check.h"
#include "ndnf/base/palette.h"
#include "ndnf/report/curve_chart.h"
#include "ndnf/report/film_strip.h"
#include "ndnf/report/observation_list.h"
#include "ndnf/report/place_map.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using testing::longest_line;
using ::testing::Not;
using testing::occurrences;
using testing::xml_defect;

MapSquare deciding(std::vector<double> probabilities, double value) {
  MapSquare square;
  square.exists = true;
  square.probabilities = std::move(probabilities);
  square.value = value;
  return square;
}

MapSquare ended(const std::string& label) {
  MapSquare square;
  square.exists = true;
  square.labels = {label};
  return square;
}

/// A row of three places: right for certain, left or right, the goal.
PlaceMap small_map() {
  PlaceMap map;
  map.title = "policy <1> on a \"map\"";
  map.rows = {"0"};
  map.columns = {"a", "b", "c"};
  map.column_title = "place";
  map.actions = {{"left", "←"}, {"right", "→"}, {"wait", "W"}};
  map.panels = {{"panel", {deciding({0, 1, 0}, -2), deciding({0.25, 0.75, 0}, -1), ended("goal")}}};
  return map;
}

std::string arrows_in(const std::string& colour) { return "<polygon points=\"" + colour; }

TEST(PlaceMap, HasAnArrowForEveryActionThatIsTaken) {
  const std::string svg = draw(small_map(), PolicyAspect::kActions).to_string();
  EXPECT_EQ(xml_defect(svg), "");
  // One head of an arrow for each action taken: three in the map, and one for each of two actions in the
  // legend.
  EXPECT_EQ(occurrences(svg, arrows_in("")), 3 + 2u);
  EXPECT_EQ(occurrences(svg, "stroke=\"" + action_colour(1).hex() + "\""), 2 + 1u);
  EXPECT_THAT(svg, HasSubstr(">0.75</text>"));
  EXPECT_THAT(svg, HasSubstr(">goal</text>"));
  EXPECT_THAT(svg, HasSubstr(">number: probability of the most probable action</text>"));
  EXPECT_THAT(svg, HasSubstr("policy &lt;1&gt; on a &quot;map&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr(">wait<")));  // it is never taken: not in the legend
  EXPECT_THAT(svg, Not(HasSubstr("differs")));
}

TEST(PlaceMap, MarksDifferencesUndefinedRowsAndWhatIsNeverVisited) {
  PlaceMap map = small_map();
  map.panels[0].squares[0].differs = true;
  map.panels[0].squares[1].probabilities.clear();
  map.panels[0].squares[1].undefined = "names no action";
  const std::string plain = draw(small_map(), PolicyAspect::kActions).to_string();
  const std::string svg = draw(map, PolicyAspect::kActions).to_string();
  EXPECT_EQ(occurrences(plain, kDifference.hex()), 0u);
  EXPECT_EQ(occurrences(svg, kDifference.hex()), 2 * 2u);  // frame and corner, in the map and in the legend
  EXPECT_THAT(svg, HasSubstr(">not an action of the optimal policy</text>"));
  EXPECT_THAT(svg, HasSubstr(">? the policy has no action</text>"));
  EXPECT_THAT(svg, HasSubstr("the policy names no action"));
  map.panels[0].squares[0].visited = false;
  EXPECT_THAT(draw(map, PolicyAspect::kActions).to_string(), HasSubstr("never comes there"));
}

TEST(PlaceMap, ShowsValuesWithTheirRange) {
  const std::string svg = draw(small_map(), PolicyAspect::kValues).to_string();
  EXPECT_EQ(xml_defect(svg), "");
  EXPECT_EQ(occurrences(svg, ">−2</text>"), 2u);  // in its square and in the legend
  EXPECT_EQ(occurrences(svg, ">−1</text>"), 2u);
  EXPECT_EQ(occurrences(svg, "<polygon"), 0u);
}

TEST(PlaceMap, CutsAPanelToItsPlacesAndKeepsTheNamesOfAxes) {
  PlaceMap map = small_map();
  map.rows = {"21", "20"};
  map.row_title = "sum";
  map.panels = {{"one", std::vector<MapSquare>(6)}, {"two", std::vector<MapSquare>(6)}};
  map.panels[0].squares[4] = deciding({1, 0, 0}, 0);  // row 20, column b
  for (MapSquare& square : map.panels[1].squares) square = deciding({0, 1, 0}, 0);
  const PanelCut cut = cut_of(map, map.panels[0]);
  EXPECT_EQ(cut.first_row, 1u);
  EXPECT_EQ(cut.end_row, 2u);
  EXPECT_EQ(cut.first_column, 1u);
  EXPECT_EQ(cut.end_column, 2u);
  const std::string svg = draw(map, PolicyAspect::kActions).to_string();
  EXPECT_EQ(occurrences(svg, ">21</text>"), 1u);  // the first panel has no such row
  EXPECT_EQ(occurrences(svg, ">20</text>"), 2u);
  EXPECT_EQ(occurrences(svg, ">sum</text>"), 2u);
  EXPECT_EQ(occurrences(svg, ">place</text>"), 2u);
}

TEST(PlaceMap, AsTextHasMarksPercentagesAndALegend) {
  PlaceMap map = small_map();
  map.panels[0].squares[0].differs = true;
  EXPECT_EQ(to_text(map, PolicyAspect::kActions),
            "policy <1> on a \"map\"\n\n"
            "panel\n"
            "     a    b    c\n"
            "0   →!  →75 goal\n\n"
            "← left, → right, W wait; number: that action has this probability in %; !: not\n"
            "an action of the optimal policy; across: place\n");
  EXPECT_THAT(to_text(map, PolicyAspect::kValues), HasSubstr("0   −2   −1 goal\n"));
}

TEST(PlaceMap, AsTextFitsTheTerminal) {
  PlaceMap map = small_map();
  map.columns.clear();
  for (int c = 0; c < 200; ++c) map.columns.push_back(std::to_string(c));
  map.panels[0].squares.assign(200, deciding({0.5, 0.5, 0}, -1));
  map.panels.push_back(map.panels[0]);
  const std::string text = to_text(map, PolicyAspect::kActions);
  EXPECT_LE(longest_line(text), 80u);
  EXPECT_THAT(text, HasSubstr("the columns on the right do not fit"));
}

TEST(ObservationList, HasABarPerActionAndTheValue) {
  const ObservationList list{
      "policy on task",
      "",
      {{"go", "G"}, {"stop", "S"}},
      {{"at(1)", {0.25, 0.75}, "", -1.5, 2, true}, {"at(2)", {}, "names no action", {}, 0}}};
  const std::string svg = draw(list, PolicyAspect::kActions).to_string();
  EXPECT_EQ(xml_defect(svg), "");
  EXPECT_THAT(svg, HasSubstr(">stop 0.75</text>"));
  EXPECT_THAT(svg, HasSubstr(">? names no action</text>"));
  EXPECT_THAT(svg, HasSubstr(">−1.5</text>"));
  EXPECT_THAT(svg, HasSubstr(">≠</text>"));
  EXPECT_THAT(draw(list, PolicyAspect::kValues).to_string(), HasSubstr(">expected return from there</text>"));
  EXPECT_EQ(to_text(list, PolicyAspect::kActions),
            "policy on task\n\n"
            "observation  action               value  visits\n"
            "at(1)        go 0.25, stop 0.75!   −1.5       2\n"
            "at(2)        names no action          –       0\n"
            "!: not an action of the optimal policy\n");
}

TEST(ObservationList, OfLongNamesFitsTheTerminal) {
  const ObservationList list{"p",
                             "",
                             {{"go_there_and_come_back_again", "G"}, {"stop_where_you_are_and_wait", "S"}},
                             {{std::string(200, 'x'), {0.25, 0.75}, "", -1.5, 2}}};
  EXPECT_LE(longest_line(to_text(list, PolicyAspect::kActions)), 80u);
  EXPECT_EQ(xml_defect(draw(list, PolicyAspect::kValues).to_string()), "");
}

TEST(FilmStrip, HasTheActionItsProbabilityAndTheRulesUnderEachFrame) {
  Svg picture(100, 50, "state");
  picture.circle(1, 1, 1, "fill=\"red\"");
  FilmStrip strip{"policy on task", "one episode", {{"go", "G"}, {"stop", "S"}}, {}, 3, "over; return 1"};
  strip.frames.push_back({0, picture, "[ ]\n", "at(1)", 0, 0.5, -1, {"line 2: action(go) :- at(1)."}});
  strip.frames.push_back({1, picture, "[x]\n", "at(2)"});
  const std::string svg = draw(strip).to_string();
  EXPECT_EQ(xml_defect(svg), "");
  EXPECT_EQ(occurrences(svg, "<circle"), 2u);
  EXPECT_EQ(occurrences(svg, "<svg "), 1 + 2u);
  EXPECT_THAT(svg, HasSubstr(">go 0.50</text>"));
  EXPECT_THAT(svg, HasSubstr(">line 2: action(go) :- at(1).</text>"));
  EXPECT_THAT(svg, HasSubstr(">at(2)</text>"));
  EXPECT_THAT(svg, HasSubstr("3 more steps are not shown; over; return 1"));
  EXPECT_EQ(
      to_text(strip),
      "policy on task\none episode\n\nstep 0  go (0.50), reward -1\n[ ]\n  line 2: action(go) :- at(1).\n"
      "\nstep 1\n[x]\n\n3 more steps are not shown\n\nover; return 1\n");
}

TEST(CurveChart, HasABandForSeveralRunsAndALineForTheReference) {
  const CurveChart chart{
      "Training", "training steps",
      "return",   {{"many", 3, {{0, -10, -12, -8}, {1000, -3, -4, -2}}}, {"one", 1, {{0, -9, -9, -9}}}},
      -2.0,       "optimum"};
  const std::string svg = draw(chart).to_string();
  EXPECT_EQ(xml_defect(svg), "");
  EXPECT_EQ(occurrences(svg, "<polyline"), 2u);
  EXPECT_EQ(occurrences(svg, "<polygon"), 1u);
  EXPECT_EQ(occurrences(svg, "stroke-dasharray"), 2u);
  for (const char* label :
       {">training steps<", ">return<", ">many, 3 runs<", ">one<", ">optimum −2<", ">−12<", ">0<"})
    EXPECT_THAT(svg, HasSubstr(label));
  EXPECT_THAT(svg, HasSubstr("band: from the worst to the best"));
  const std::string text = to_text(chart);
  EXPECT_LE(longest_line(text), 80u);
  EXPECT_THAT(text, HasSubstr("o  many"));
  EXPECT_THAT(text, HasSubstr("training steps: 0 to 1000\n"));
}

TEST(CurveChart, WithoutAPointIsWhole) {
  const CurveChart chart{"t", "x", "y", {{"none", 1, {}}}};
  EXPECT_EQ(xml_defect(draw(chart).to_string()), "");
  EXPECT_THAT(draw(chart).to_string(), Not(HasSubstr("nan")));
  EXPECT_LE(longest_line(to_text(chart)), 80u);
}

TEST(Palette, ActionsHaveDifferentColoursThatCarryWhiteLetters) {
  std::set<std::string> seen;
  for (std::size_t a = 0; a < 64; ++a) {
    EXPECT_TRUE(action_colour(a).is_dark()) << a;
    seen.insert(action_colour(a).hex());
  }
  EXPECT_GE(seen.size(), 60u);
  EXPECT_EQ(kWhite.mixed({0, 0, 0}, 0.5).hex(), "#808080");
}

}  // namespace
}  // namespace ndnf
