#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/lexer.h"
#include "ndnf/syntax/program.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Rule& rule(const Program& program, std::size_t i) {
  return std::get<Rule>(program.statements.at(i).content);
}

std::string asp_errors(std::string_view text) {
  return testing::error_of([&] { parse_program("p.lp", text, Syntax::kAsp); });
}
std::string problog_errors(std::string_view text) {
  return testing::error_of([&] { parse_program("p.pl", text, Syntax::kProbLog); });
}

TEST(Parser, ReadsFactsAndRules) {
  const Program program =
      parse_program("p.lp", "a.\nb(1, x ,\"t u\",f(-2)) :- a,not c , not not d(0).", Syntax::kAsp);
  ASSERT_EQ(program.statements.size(), 2U);
  EXPECT_EQ(rule(program, 0).heads[0].atom, "a");
  EXPECT_TRUE(rule(program, 0).body.empty());
  const Rule& second = rule(program, 1);
  EXPECT_EQ(second.heads[0].atom, "b(1,x,\"t u\",f(-2))");
  EXPECT_FALSE(second.heads[0].annotated);
  ASSERT_EQ(second.body.size(), 3U);
  EXPECT_TRUE(second.body[0].positive);
  EXPECT_EQ(second.body[1].atom, "c");
  EXPECT_FALSE(second.body[1].positive);
  EXPECT_EQ(second.body[2].atom, "d(0)");
  EXPECT_TRUE(second.body[2].positive);
  EXPECT_EQ(second.body[1].place.line, 2U);
  EXPECT_EQ(second.body[1].place.column, 27U);
}

TEST(Parser, ReadsAnnotatedDisjunctions) {
  const Program program = parse_program("p.pl",
                                        "0.041::action(left) ; 0.959::action(right) :- left_wall_present, "
                                        "\\+ right_wall_present.\nquery(action(_)).",
                                        Syntax::kProbLog);
  const Rule& first = rule(program, 0);
  ASSERT_EQ(first.heads.size(), 2U);
  EXPECT_EQ(first.heads[0].probability, 0.041);
  EXPECT_EQ(first.heads[1].atom, "action(right)");
  EXPECT_TRUE(first.heads[1].annotated);
  EXPECT_FALSE(first.body[1].positive);
  EXPECT_EQ(std::get<Directive>(program.statements[1].content).text, "query(action(_))");
}

TEST(Parser, KeepsTheDoorCorridorListingOfThePaper) {
  const std::string listing =
      "action(turn_right) :- a_5, a_8.\n"
      "action(forward) :- a_2.\n"
      "action(toggle) :- a_3.\n"
      "% Definitions of each invented predicate a_i:\n"
      "a_2 :- top_right_corner_wall.\n"
      "a_3 :- one_step_ahead_closed_door.\n"
      "a_5 :- not curr_location_open_door, not one_step_ahead_closed_door.\n"
      "a_8 :- two_step_ahead_unseen.\n";
  EXPECT_EQ(to_text(parse_program("", listing, Syntax::kAsp)), listing);
}

TEST(Parser, KeepsTheProbLogListingsOfThePaper) {
  const std::string listing =
      "0.244::action(left) ; 0.756::action(right) :- \\+ right_wall_present.\n"
      "0.756::action(left) ; 0.244::action(right) :- right_wall_present.\n"
      "0.581::action(left) ; 0.419::action(right) :- \\+ left_wall_present, \\+ right_wall_present.\n";
  EXPECT_EQ(to_text(parse_program("", listing, Syntax::kProbLog)), listing);
  const Program taxi =
      parse_program("", "0.595::action(down) ; 0.000::action(up) ; 0.405::action(left) :- \\+conj_0, conj_5.",
                    Syntax::kProbLog);
  EXPECT_EQ(to_text(taxi),
            "0.595::action(down) ; 0::action(up) ; 0.405::action(left) :- \\+ conj_0, conj_5.\n");
}

TEST(Parser, KeepsCommentsEmptyLinesAndOrder) {
  const std::string text =
      "% A person's program.\n"
      "%\n"
      "%%%% rules %%%%\n"
      "\n"
      "%   indented\n"
      "action(left) :- in_s_1.  % the switch\n"
      "#show action/1.\n"
      "\n"
      "\n"
      "action(right) :- not in_s_1.\n"
      "% The end.\n"
      "\n";
  EXPECT_EQ(to_text(parse_program("", text, Syntax::kAsp)), text);
}

TEST(Parser, MovesCommentsWithinAStatementBeforeIt) {
  const Program program =
      parse_program("", "a :- b, % why b\n\n  not c.\n%* block\n  two *%\nd. %* aside *% e.", Syntax::kAsp);
  EXPECT_THAT(program.statements[0].comments, ElementsAre("why b"));
  EXPECT_THAT(program.statements[1].comments, ElementsAre("block", " two"));
  EXPECT_EQ(program.statements[1].remark, "aside");
  EXPECT_EQ(program.statements.size(), 3U);
  const Program twice = parse_program("", "a. %* one *% % two\nb.", Syntax::kAsp);
  EXPECT_EQ(twice.statements[0].remark, "one two");
  const Program nested = parse_program("", "%* one %* two *% three *% a.", Syntax::kAsp);
  EXPECT_THAT(nested.statements[0].comments, ElementsAre("one %* two *% three"));
  const Program problog = parse_program("", "/* here */ a. %* line\nb.", Syntax::kProbLog);
  EXPECT_THAT(problog.statements[0].comments, ElementsAre("here"));
  EXPECT_EQ(problog.statements[0].remark, "* line");
}

TEST(Parser, ReadsWindowsLineEndsAndAByteOrderMark) {
  const Program program = parse_program("", "\xEF\xBB\xBF% c\r\na :- b.\r\n\r\nc.\r\n", Syntax::kAsp);
  EXPECT_EQ(to_text(program), "% c\na :- b.\n\nc.\n");
}

TEST(Parser, ReportsAllMistakesWithTheirPlaces) {
  const std::string text = asp_errors("a :- b c.\nok :- b.\n  x :- .\nd(1 :- e.\n:- f.\ng");
  EXPECT_EQ(text,
            "p.lp:1:8: found c, expected a comma or a dot\n"
            "p.lp:3:8: found ., expected an atom\n"
            "p.lp:4:5: found :-, expected a comma or ) because the bracket at 4:2 is not closed\n"
            "p.lp:5:1: found :-, expected an atom: a rule has a head\n"
            "p.lp:6:2: the file ends, expected `:-` or a dot");
}

TEST(Parser, RejectsWhatIsNoPartOfTheLanguage) {
  EXPECT_THAT(asp_errors("a) :- b."), HasSubstr("p.lp:1:2: found ), expected `:-` or a dot"));
  EXPECT_THAT(asp_errors("a(1.5)."), HasSubstr("1:3: found 1.5, expected"));
  EXPECT_THAT(asp_errors("a(1e5)."), HasSubstr("1:3: found 1e5, expected"));
  EXPECT_THAT(asp_errors("{a}."), HasSubstr("1:1: found { (a choice or an aggregate), expected an atom"));
  EXPECT_THAT(asp_errors("a ; b."), HasSubstr("found ;, expected `:-` or a dot: a rule has one head"));
  EXPECT_THAT(asp_errors("a | b."), HasSubstr("found |, expected `:-` or a dot: a rule has one head"));
  EXPECT_THAT(asp_errors("#script (python) x #end."), HasSubstr("found #script (a script), expected"));
  EXPECT_THAT(asp_errors(":~ a. [1]"), HasSubstr("found :~ (a weak constraint), expected"));
  EXPECT_THAT(asp_errors("a :- (b)."), HasSubstr("found ., expected a comparison"));
  EXPECT_THAT(asp_errors("#include \"x\"."),
              HasSubstr("found #include (another file), expected #show, #defined or a rule"));
  EXPECT_THAT(asp_errors("#show action."), HasSubstr("expected / and the number of arguments"));
  EXPECT_THAT(asp_errors("#show action/x."), HasSubstr("found x, expected the number of arguments"));
  EXPECT_THAT(asp_errors("#show 1."), HasSubstr("found 1, expected a name, as in #show action/1"));
  EXPECT_THAT(asp_errors("#defined ."), HasSubstr("found ., expected a name, as in #show action/1"));
  EXPECT_THAT(asp_errors("#show action/1 a."), HasSubstr("found a, expected a dot"));
  EXPECT_THAT(asp_errors("0.5::a."), HasSubstr("probabilities belong in a ProbLog program"));
  EXPECT_THAT(asp_errors("a :- \\+ b."), HasSubstr("found \\, expected not, ASP's negation"));
  EXPECT_THAT(asp_errors("a(07)."), HasSubstr("does not begin with 0"));
  EXPECT_THAT(asp_errors("a(3000000000)."), HasSubstr("a whole number up to 2147483647"));
  EXPECT_THAT(asp_errors("a(\"x)."), HasSubstr("this quoted text does not end on its line"));
  EXPECT_THAT(asp_errors("%* no end"), HasSubstr("1:1: this comment does not end"));
  EXPECT_THAT(asp_errors("a :- é."), HasSubstr("1:6: found é, expected an atom"));
  EXPECT_THAT(problog_errors("a :- not b."), HasSubstr("\\+, ProbLog's negation"));
  EXPECT_THAT(problog_errors("0.5::a ; b."), HasSubstr("found b, expected a probability"));
  EXPECT_THAT(problog_errors("a(X) :- b(X)."),
              HasSubstr("p.pl:1:3: found X, but a ProbLog program must be ground"));
  EXPECT_THAT(problog_errors("evidence(a)."), HasSubstr("evidence is not supported"));
  EXPECT_THAT(problog_errors("query(a."), HasSubstr("the bracket at 1:6 is not closed"));
  EXPECT_THAT(asp_errors(std::string("a\0.", 3)), HasSubstr("1:2: found the control character 0, expected"));
}

TEST(Parser, ChecksProbabilities) {
  EXPECT_EQ(problog_errors("0.6::action(a) ; 0.5::action(b).\n1.5::action(a)."),
            "p.pl:1:1: the probabilities sum to 1.1, expected at most 1\n"
            "p.pl:2:1: the probability is 1.5, expected one from 0 to 1");
  EXPECT_EQ(problog_errors("0.1::a ; 0.2::b ; 0.7::c. 1::d. 1e-3::e."), "");
  for (const char* unreadable : {"1e400", "1e-400", "123456789123456789e999"}) {
    EXPECT_EQ(problog_errors(fmt::format("a. {}::action(b).", unreadable)),
              fmt::format("p.pl:1:4: the probability is {}, expected one from 0 to 1", unreadable));
  }
}

TEST(Parser, EndsAStatementOfProbLogWhereProbLogDoes) {
  EXPECT_EQ(problog_errors("x.0.4::action(a) :- x."), "p.pl:1:2: this dot is not followed by a space");
  EXPECT_THAT(problog_errors("x :- y.z."), HasSubstr("1:7: this dot is not followed by a space"));
  EXPECT_EQ(problog_errors("x.\ty.%c\nz./* c */0.4::action(a) :- x.\r\nw."), "");
  EXPECT_EQ(asp_errors("x.y.%* c *%z."), "");
}

TEST(Parser, RefusesWhatASolverWouldReadOtherwise) {
  EXPECT_THAT(asp_errors("a. %* 40 % of all *% b.\n c."),
              HasSubstr("1:4: this block comment has a % in it, which clingo reads as a comment"));
  EXPECT_EQ(asp_errors("a. %* one %* two *% three *% b."), "");
  EXPECT_THAT(asp_errors("q(\"\\\"%*\")."), HasSubstr("1:3: this quoted text has a backslash in it"));
  EXPECT_THAT(problog_errors("q('\\'/*')."), HasSubstr("1:3: this quoted text has a backslash in it"));
  EXPECT_THAT(asp_errors("q(\"a\tb\")."), HasSubstr("1:3: this quoted text has a control character in it"));
}

TEST(Parser, RefusesNamesThatAreNotFree) {
  EXPECT_EQ(asp_errors("ndnf_observation(99999999)."),
            "p.lp:1:1: the name ndnf_observation/1 is reserved, expected another");
  EXPECT_THAT(asp_errors("a :- not ndnf_rule(X), b(X)."),
              HasSubstr("1:10: the name ndnf_rule/1 is reserved"));
  EXPECT_EQ(problog_errors("true :- x. write(1) :- x. write :- x. forall(1,2)."),
            "p.pl:1:1: the name true/0 is ProbLog's own, expected another\n"
            "p.pl:1:12: the name write/1 is ProbLog's own, expected another\n"
            "p.pl:1:39: the name forall/2 is ProbLog's own, expected another");
  EXPECT_EQ(asp_errors("true :- x. write(1) :- x."), "");
}

TEST(Parser, ReadsABracketAndAnUnderscoreAsTheSolversDo) {
  EXPECT_EQ(problog_errors("p (1)."), "p.pl:1:3: this bracket does not directly follow a name");
  EXPECT_EQ(problog_errors("p/* */(1)."), "p.pl:1:7: this bracket does not directly follow a name");
  EXPECT_EQ(asp_errors("p (1)."), "");
  EXPECT_THAT(asp_errors("p :- q(_1)."), HasSubstr("1:9: found 1, expected"));
  EXPECT_THAT(asp_errors("p :- q(_X, _)."), HasSubstr("1:8: this rule is not ground"));
  EXPECT_THAT(asp_errors("p :- q(__)."), HasSubstr("1:9: found _, expected"));
}

TEST(Parser, ReadsTuples) {
  const Program program =
      parse_program("p.lp", "at(( 1, -2),()) :- b((x, )). c(-f(1)). d((1)).", Syntax::kAsp);
  EXPECT_EQ(rule(program, 0).heads[0].atom, "at((1,-2),())");
  EXPECT_EQ(rule(program, 0).body[0].atom, "b((x,))");
  EXPECT_EQ(rule(program, 1).heads[0].atom, "c(-f(1))");
  EXPECT_EQ(rule(program, 2).heads[0].atom, "d(1)");
  EXPECT_THAT(problog_errors("at((1,2))."), HasSubstr("found (, but a ProbLog program must be ground"));
}

TEST(Parser, NamesTheFirstByteThatIsNotUtf8) {
  EXPECT_EQ(asp_errors("a. % é\nb. % \xFF\n"),
            "p.lp:2:6: this byte is not UTF-8, expected a text file in UTF-8");
  for (const char* bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_EQ(find_invalid_utf8(bad).line, 1U);
  }
  EXPECT_EQ(find_invalid_utf8("a é € 😀").line, 0U);
}

TEST(Parser, StopsAfterAHundredMistakes) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a b.\n";
  const std::string errors = asp_errors(text);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 100);
  EXPECT_THAT(errors, HasSubstr("There are more mistakes"));
}

TEST(Parser, RefusesDeepNestingInsteadOfOverflowing) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "f(";
  EXPECT_THAT(asp_errors(text), HasSubstr("nested too deeply"));
  EXPECT_THAT(asp_errors(std::string(100000, '(')), StartsWith("p.lp:1:1: found ("));
  EXPECT_THAT(asp_errors("a :- " + std::string(100000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(asp_errors("a(" + std::string(100000, '-')), HasSubstr("expected fewer signs"));
  EXPECT_THAT(asp_errors("a(" + std::string(100000, '|')), HasSubstr("nested too deeply"));
  std::string sum = "a(1";
  for (int i = 0; i < 100000; ++i) sum += "+1";
  EXPECT_THAT(asp_errors(sum + ")."), HasSubstr("the term is too long"));
}

TEST(Parser, ReadsTheExamplesOfTheDocumentation) {
  const std::string page = read_file(NDNF_SOURCE_DIR "/docs/programs.md");
  const std::string fence = "```prolog\n";
  std::size_t examples = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    const std::string text = page.substr(at, page.find("```", at) - at);
    const Syntax syntax = text.find("::") == std::string::npos ? Syntax::kAsp : Syntax::kProbLog;
    EXPECT_GE(parse_program("docs/programs.md", text, syntax).statements.size(), 2U);
    ++examples;
  }
  EXPECT_EQ(examples, 2U);
}

TEST(Parser, SaysThatARuleIsNotGround) {
  EXPECT_THAT(asp_errors("action(hit) :- hand(X), X <= 11."),
              HasSubstr("p.lp:1:21: this rule is not ground"));
}

TEST(Atoms, CommasAndBracketsInQuotedTextsSeparateNothing) {
  EXPECT_EQ(action_of("action('a,b')"), "'a,b'");
  EXPECT_EQ(action_of("action(\"a)b(\")"), "\"a)b(\"");
  EXPECT_EQ(action_of("action('a',b)"), std::nullopt);
  EXPECT_EQ(action_of("action(f(a,b))"), "f(a,b)");
}

TEST(Utf8, IsInvalidWithoutItsContinuation) {
  EXPECT_EQ(find_invalid_utf8("\xC3\xA9").line, 0u);
  EXPECT_EQ(find_invalid_utf8("a\xC3(").column, 2u);
  EXPECT_EQ(find_invalid_utf8("a\n\xE2\x82").line, 2u);
  EXPECT_EQ(find_invalid_utf8("\xC0\x80").column, 1u);
}

}  // namespace
}  // namespace ndnf
