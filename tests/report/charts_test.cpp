#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/report/axis.h"
#include "ndnf/report/dot_chart.h"
#include "ndnf/report/line_chart.h"
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

TEST(DotChart, HasADotForOursAndADiamondForTheirsWhereThereIsOne) {
  const std::string svg =
      dot_chart("title", "return", {"* by argmax"},
                {{"SC", {{"MLP*", {-9.3, 0.1}, Estimate{-9.4, 0.1}}}, -9.0}, {"DC", {{"MLP*", {-8, 0}}}}})
          .to_string();
  EXPECT_EQ(count(svg, "<circle"), 1 + 2u);       // legend, our figures
  EXPECT_EQ(count(svg, "<polygon"), 1 + 1u);      // legend, the paper's
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);  // the optimum's line in the legend and in one panel
  EXPECT_THAT(svg, HasSubstr(">* by argmax<"));
  EXPECT_EQ(count(svg, ">return<"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(DotChart, OfEqualFiguresHasDifferentTicks) {
  const std::string svg = dot_chart("title", "return", {}, {{"SC", {{"MLP", {-3, 0}}}, -3.0}}).to_string();
  for (const char* tick : {">−3.2<", ">−3.0<", ">−2.8<"}) EXPECT_EQ(count(svg, tick), 1u) << tick << svg;
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Axis, HasRoundTicksOverTheRange) {
  using ::testing::ElementsAre;
  EXPECT_THAT(axis_over(0.3, 9.7, 5).ticks(), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(axis_over(-36.1, -8.6, 3).ticks(), ElementsAre(-40, -30, -20, -10, 0));
  const Axis steps = axis_over(0, 2.5e6, 5);
  EXPECT_EQ(steps.text(500000), "0.5M");
  EXPECT_EQ(steps.text(0), "0");
  EXPECT_EQ(axis_over(0, 40000, 4).text(20000), "20k");
  EXPECT_EQ(axis_over(-0.07, -0.04, 3).text(-0.05), "−0.05");
  EXPECT_EQ(axis_over(0, 0, 3).share(0), 0.5);
}

TEST(Axis, WritesFiguresWithThreeDigits) {
  EXPECT_EQ(figure_text(-8.992979), "−8.99");
  EXPECT_EQ(figure_text(0.7401649), "0.74");
  EXPECT_EQ(figure_text(-0.0431131), "−0.043");
  EXPECT_EQ(figure_text(-0.00001), "0");
  EXPECT_EQ(figure_text(12345.6), "12346");
  EXPECT_EQ(figure_text(20), "20");
}

TEST(LineChart, MarksASeriesThatWasCut) {
  const LineChart chart{"title", "x", "s", {{"cut", {{1, 0.1}, {2, 1}}, true}, {"whole", {{1, 0.01}}}}};
  const std::string svg = draw(chart).to_string();
  EXPECT_EQ(count(svg, "×"), 2u);
  EXPECT_THAT(svg, HasSubstr("× goes on beyond this"));
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(LineChart, WithoutAPointIsEmptyButWhole) {
  EXPECT_THAT(draw({"title", "x", "s", {{"none", {}}}}).to_string(), Not(HasSubstr("nan")));
}

TEST(ScatterChart, HasAPointForEachAndMarksWhatIsProved) {
  const std::string svg =
      scatter_chart("title", "size", "return", "proved",
                    {{"a", {{"one", {{1, -1}, {100, -2}}}, {"two", {{10, -3}}}}, 5.0, -1.0},
                     {"b", {{"one", {{3, 0}}}}}})
          .to_string();
  EXPECT_EQ(count(svg, "<circle"), 4 + 2u);       // points, legend
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u);  // legend, optimum, minimum
  EXPECT_EQ(count(svg, ">return<"), 2u);          // the title of the y axis, in each panel
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(scatter_chart("title", "size", "return", "proved", {{"empty", {}}}).to_string(),
              Not(HasSubstr("inf")));
}

TEST(ScatterChart, CountsPointsThatCoincide) {
  const std::string svg =
      scatter_chart("title", "size", "return", "proved",
                    {{"a", {{"one", {{6, -4}, {6, -4}, {6, -4}}}, {"two", {{6, -4}, {6, -4}}}}, 6.0, -4.0}})
          .to_string();
  EXPECT_EQ(count(svg, "<circle"), 2 + 2u);  // one per cloud, side by side; legend
  EXPECT_EQ(count(svg, ">3</text>"), 1u);
  EXPECT_EQ(count(svg, ">2</text>"), 1u);
}

}  // namespace
}  // namespace ndnf
