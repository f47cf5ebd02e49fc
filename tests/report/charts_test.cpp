#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/report/bar_chart.h"
#include "ndnf/report/line_chart.h"
#include "ndnf/report/policy_grid.h"
#include "ndnf/report/scatter_chart.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(BarChart, HasABarForOursAndOneForTheirsWhereThereIsOne) {
  const std::string svg = bar_chart("title", {{"SC", {{"MLP", {-9.3, 0.1}, Estimate{-9.4, 0.1}}}, -9.0},
                                              {"DC", {{"MLP", {-8, 0}}}}})
                              .to_string();
  EXPECT_EQ(count(svg, "<rect"), 1 + 2 + 3u);     // background, legend, bars
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);  // the optimum's line in the legend and in one panel
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(BarChart, OfASingleFigureStaysFinite) {
  const std::string svg = bar_chart("title", {{"SC", {{"MLP", {0, 0}}}}}).to_string();
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LineChart, MarksASeriesThatWasCut) {
  const LineChart chart{"title", "x", "s", {{"cut", {{1, 0.1}, {2, 1}}, true}, {"whole", {{1, 0.01}}}}};
  const std::string svg = draw(chart).to_string();
  EXPECT_EQ(count(svg, "×"), 1u);
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(LineChart, WithoutAPointIsEmptyButWhole) {
  EXPECT_THAT(draw({"title", "x", "s", {{"none", {}}}}).to_string(), Not(HasSubstr("nan")));
}

TEST(ScatterChart, HasAPointForEachAndMarksWhatIsProved) {
  const std::string svg =
      scatter_chart("title", "size", "proved",
                    {{"a", {{"one", {{1, -1}, {100, -2}}}, {"two", {{10, -3}}}}, 5.0, -1.0},
                     {"b", {{"one", {{3, 0}}}}}})
          .to_string();
  EXPECT_EQ(count(svg, "<circle"), 4 + 2u);       // points, legend
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u);  // legend, optimum, minimum
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(scatter_chart("title", "size", "proved", {{"empty", {}}}).to_string(), Not(HasSubstr("inf")));
}

TEST(PolicyGrid, IsRedWhereTheActionDiffersAndGreyWhereThereIsNone) {
  const std::string svg = draw("title", {{"grid",
                                          {"21"},
                                          {"1", "2", "3"},
                                          {{1.0, "H", true}, {0.0, "S", false}, {std::nullopt, "", false}}}})
                              .to_string();
  EXPECT_THAT(svg, HasSubstr("#d63c3c"));
  EXPECT_THAT(svg, HasSubstr("#999"));
}

}  // namespace
}  // namespace ndnf
