#include <atomic>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/base/parallel.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/base/svg.h"
#include "ndnf/base/terminal.h"
#include "ndnf/base/text_table.h"
#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

TEST(Error, ReadsAsOneSentence) {
  EXPECT_STREQ(Error("x.lp:3:7", "unknown atom hnd(3)", "did you mean hand(3)?").what(),
               "x.lp:3:7: unknown atom hnd(3); did you mean hand(3)?");
  EXPECT_STREQ(Error("", "no").what(), "no");
}

TEST(Hidden, CharactersAreShownAsEscapes) {
  EXPECT_EQ(without_hidden("plain, é\tand\r\nlines\n"), "plain, é\tand\r\nlines\n");
  EXPECT_EQ(without_hidden("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(without_hidden("a\rb\x7F\xC2\x9B"), "a\\x0db\\x7f\\xc2\\x9b");
  EXPECT_EQ(without_hidden("\xE2\x80\xAE\xFF"), "\\xe2\\x80\\xae\\xff");
  EXPECT_EQ(find_hidden("ab\xE2\x81\xA9")->at, 2u);
  EXPECT_EQ(find_hidden(std::string_view("\0", 1))->what, "this is the control character U+0000");
}

TEST(Nearest, FindsSlipsOfTheFingerOnly) {
  const std::vector<std::string> names{"small-corridor", "blackjack", "taxi"};
  EXPECT_EQ(nearest("small-coridor", names), "small-corridor");
  EXPECT_EQ(nearest("taxl", names), "taxi");
  EXPECT_EQ(nearest("chess", names), "");
  EXPECT_EQ(suggestion("blackjak", names), "did you mean blackjack?");
  EXPECT_EQ(suggestion("chess", names), "known: small-corridor, blackjack, taxi");
  EXPECT_THAT(suggestion("chess", std::vector<std::string>(500, "a")),
              ::testing::SizeIs(::testing::Lt(100u)));
}

TEST(TextTable, AlignsColumnsByLetters) {
  TextTable table({"name", "value"}, {1});
  table.add({"a", "−3"});
  table.add({"longer", "12.5"});
  EXPECT_EQ(table.to_text(), "name    value\na          −3\nlonger   12.5\n");
  EXPECT_EQ(table.to_markdown(), "| name | value |\n|---|---:|\n| a | −3 |\n| longer | 12.5 |\n");
}

TEST(WrappedText, BreaksAtSpacesAndCutsLongWords) {
  EXPECT_THAT(wrapped("a bc def", 4), ::testing::ElementsAre("a bc", "def"));
  EXPECT_THAT(wrapped("", 4), ::testing::ElementsAre(""));
  EXPECT_THAT(wrapped("x abcdefghij y", 4), ::testing::ElementsAre("x", "abcd", "efgh", "ij y"));
  EXPECT_THAT(wrapped("ä±ö ü", 3), ::testing::ElementsAre("ä±ö", "ü"));
}

TEST(WrappedText, ShortensWithAnEllipsis) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("äöü!", 3), "äö…");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(WrappedText, ColoursTakeNoColumns) {
  Terminal terminal;
  EXPECT_EQ(painted("FAILS", Colour::kRed, terminal), "FAILS");
  terminal.colour = true;
  EXPECT_EQ(painted("FAILS", Colour::kRed, terminal), "\033[31mFAILS\033[0m");
  EXPECT_EQ(letters(painted("FAILS", Colour::kRed, terminal)), 5u);
}

TEST(TextTable, FitsTheWidthOfATerminal) {
  TextTable table({"name", "n", "what it is"}, {1});
  table.add({"one", "1", "a long text that says what it is, in more words than there is room for"});
  table.add({"two", "22", "short"});
  EXPECT_EQ(table.to_text(), table.to_text(1000));
  EXPECT_EQ(table.to_text(42),
            "name   n  what it is\n"
            "one    1  a long text that says what it\n"
            "          is, in more words than there is\n"
            "          room for\n"
            "two   22  short\n");
  EXPECT_EQ(table.to_text(30),
            "name   n\n    what it is\n"
            "one    1\n    a long text that says what\n    it is, in more words than\n    there is room for\n"
            "two   22\n    short\n");
}

TEST(TextTable, BecomesListsWhereItsColumnsDoNotFit) {
  TextTable table({"run", "return", "steps"}, {1, 2});
  table.add({"runs/a/seed-0", "-3.00000", "2048"});
  EXPECT_EQ(table.to_text(24), "runs/a/seed-0\n    return -3.00000,\n    steps 2048\n");
}

TEST(Svg, EscapesTextAndClosesItself) {
  Svg svg(10, 20, "a < b");
  svg.rect(0, 0, 10, 20, "fill=\"white\"");
  svg.text(5, 5, 4, "x & \"y\"", "fill=\"black\"");
  const std::string text = svg.to_string();
  EXPECT_THAT(text, ::testing::StartsWith("<svg xmlns="));
  EXPECT_THAT(text, ::testing::HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(text, ::testing::HasSubstr(">x &amp; &quot;y&quot;</text>"));
  EXPECT_THAT(text, ::testing::EndsWith("</svg>\n"));
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const std::size_t jobs : {1u, 2u, 7u}) {
    std::vector<int> calls(100, 0);
    parallel_for(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_THAT(calls, ::testing::Each(1));
  }
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, RethrowsTheFirstFailureAndStops) {
  std::atomic<int> calls{0};
  const auto body = [&](std::size_t i) {
    ++calls;
    if (i == 3) throw Error("", "three");
  };
  EXPECT_THROW(parallel_for(100000, 1, body), Error);
  EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace ndnf
