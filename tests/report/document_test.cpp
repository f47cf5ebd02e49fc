#include "ndnf/report/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/svg_check.h"
#include "ndnf/report/heat_map.h"
#include "ndnf/report/html_text.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Document example() {
  Table table{"figures", {{"task", "task", false}, {"ours", "ours"}, {"paper", "paper"}}};
  table.add({{"A < B"}, Cell::estimate(-9.025, 0.006, 3), Cell::none()});
  return {"Title",
          {{"Lead with `code`."}},
          {{"first",
            "First section",
            {Paragraph{"*so*"}, table, Figure{"picture", "A picture", "<svg id=\"p\"></svg>\n"},
             Listing{"rules", "a :- b.\n"}}}}};
}

TEST(Document, AsMarkdownHasTablesListingsAndLinksToPictures) {
  const std::string markdown = to_markdown(example(), "pictures");
  EXPECT_THAT(markdown, HasSubstr("# Title\n\nLead with `code`.\n\n## First section\n\n*so*\n"));
  EXPECT_THAT(markdown,
              HasSubstr("| task | ours | paper |\n|---|---:|---:|\n| A < B | -9.025 ± 0.006 | – |\n"));
  EXPECT_THAT(markdown, HasSubstr("![A picture](pictures/picture.svg)\n"));
  EXPECT_THAT(markdown, HasSubstr("rules:\n```prolog\na :- b.\n```\n"));
}

TEST(Document, AsHtmlNeedsNothingElseAndEscapesText) {
  const std::string html = to_html(example());
  EXPECT_THAT(html, HasSubstr("<svg id=\"p\"></svg>"));
  EXPECT_THAT(html, HasSubstr("<td>A &lt; B</td><td class=\"right\">-9.025 ± 0.006</td>"));
  EXPECT_THAT(html, HasSubstr("Lead with <code>code</code>."));
  EXPECT_THAT(html, HasSubstr("<em>so</em>"));
  EXPECT_THAT(html, Not(HasSubstr("http")));
}

TEST(Document, AsJsonHasTheFiguresBehindTheText) {
  const auto row = to_json(example()).at("sections").at(0).at("tables").at("figures").at(0);
  EXPECT_EQ(row.at("task"), "A < B");
  EXPECT_EQ(row.at("ours"), -9.025);
  EXPECT_EQ(row.at("ours_stderr"), 0.006);
  EXPECT_EQ(row.at("paper"), "–");
}

TEST(Document, AsHtmlHasHeadingsInOrderAndTablesThatReadersCanFollow) {
  const std::string html = to_html(example());
  EXPECT_THAT(html, HasSubstr("<html lang=\"en\">"));
  EXPECT_THAT(html, HasSubstr("<h2 id=\"first\">First section</h2>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"right\">ours</th>"));
  EXPECT_THAT(html, HasSubstr("<a class=\"skip\" href=\"#content\">"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
}

TEST(Document, PutsComparedPartsSideBySide) {
  Document document = example();
  Beside beside{
      {{"left", "A <b>", {Figure{"one", "One", "<svg></svg>"}}}, {"right", "B", {Paragraph{"so"}}}}};
  document.sections.front().blocks.emplace_back(beside);
  EXPECT_THAT(to_html(document), HasSubstr("<div class=\"beside\">\n<section><h3>A &lt;b&gt;</h3>"));
  EXPECT_THAT(to_text(document), HasSubstr("-- B\n\nso\n"));
  EXPECT_THAT(to_markdown(document, "pictures"), HasSubstr("### A <b>\n\n![One](pictures/one.svg)\n"));
  EXPECT_EQ(to_json(document).at("sections").at(0).at("parts").at(1).at("notes").at(0), "so");
  EXPECT_EQ(figures_of(document).size(), 2u);
}

TEST(ProgramHtml, MarksActionsByTheirColoursAndAcceptsAnyText) {
  const std::vector<std::string> actions = {"left", "right"};
  EXPECT_EQ(program_html("action(right) :- not b(3). % <so>", actions),
            "<b class=\"a\" style=\"--a:#c2410c\">action(right)</b> <span class=\"k\">:-</span> <span "
            "class=\"k\">not</span> b(<span class=\"n\">3</span>). <span class=\"c\">% &lt;so&gt;</span>");
  EXPECT_EQ(program_html("reaction(right) action(up) action(", actions),
            "reaction(right) action(up) action(");
  EXPECT_EQ(program_html("\"open", actions), "<span class=\"n\">&quot;open</span>");
}

TEST(HeatMap, KeepsTheLargestRowsAndColumnsInOrder) {
  const HeatMap map{"weights", {"a", "b", "c"}, {"x", "y"}, {1, 0, 0, -5, 0.1, 0.1}};
  const HeatMap few = shortened(map, 2, 1);
  EXPECT_EQ(few.rows, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(few.columns, (std::vector<std::string>{"y"}));
  EXPECT_EQ(few.values, (std::vector<double>{0, -5}));
  const std::string svg = draw(map).to_string();
  EXPECT_EQ(testing::xml_defect(svg), "");
  EXPECT_THAT(svg, HasSubstr(">−5<"));
  EXPECT_EQ(testing::occurrences(draw(HeatMap{"none", {}, {}, {}}).to_string(), "<path"), 0u);
}

TEST(Document, AsTextLinesColumnsUp) {
  EXPECT_THAT(to_text(example()), HasSubstr("task             ours  paper\nA < B  -9.025 ± 0.006      –\n"));
}

TEST(Cell, OfADifferenceHasASignAndNoNegativeZero) {
  EXPECT_EQ(Cell::difference(0.5, 1).text, "+0.5");
  EXPECT_EQ(Cell::difference(-0.5, 1).text, "-0.5");
  EXPECT_EQ(Cell::difference(-0.0004, 3).text, "+0.000");
  EXPECT_EQ(Cell::number(-0.0004, 3).text, "0.000");
}

}  // namespace
}  // namespace ndnf
