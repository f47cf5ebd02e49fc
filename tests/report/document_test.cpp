#include "ndnf/report/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
