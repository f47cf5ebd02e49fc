#include "ndnf/syntax/parser.h"

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
  const std::string text = asp_errors("a :- b c.\nok :- b.\n  x :- .\nd(1 :- e.\n:- .\ng");
  EXPECT_EQ(text,
            "p.lp:1:8: found c, expected a comma or a dot\n"
            "p.lp:3:8: found ., expected an atom\n"
            "p.lp:4:5: found :-, expected a comma or ) because the bracket at 4:2 is not closed\n"
            "p.lp:5:4: found ., expected an atom\n"
            "p.lp:6:2: the file ends, expected `:-` or a dot");
}

TEST(Parser, RejectsWhatIsNoPartOfTheLanguage) {
  EXPECT_THAT(asp_errors("a) :- b."), HasSubstr("p.lp:1:2: found ), expected `:-` or a dot"));
  EXPECT_THAT(asp_errors("a(1.5)."), HasSubstr("1:3: found 1.5, expected"));
  EXPECT_THAT(asp_errors("a(1e5)."), HasSubstr("1:3: found 1e5, expected"));
  EXPECT_THAT(asp_errors("a :- (b)."), HasSubstr("found ., expected a comparison"));
  EXPECT_THAT(asp_errors("#defined ."), HasSubstr("found ., expected a name, as in #defined extra/1"));
  EXPECT_THAT(asp_errors("#defined a/x."), HasSubstr("found x, expected the number of arguments"));
  EXPECT_THAT(asp_errors("#show action/1 a."), HasSubstr("found a, expected a dot"));
  EXPECT_THAT(asp_errors("#shwo a/1."), HasSubstr("found #shwo, expected #show, #defined, #const or a rule"));
  EXPECT_THAT(asp_errors("0.5::a."), HasSubstr("probabilities belong in a ProbLog program"));
  EXPECT_THAT(asp_errors("a :- \\+ b."), HasSubstr("found \\, expected not, ASP's negation"));
  EXPECT_THAT(asp_errors("a(07)."), HasSubstr("does not begin with 0"));
  EXPECT_THAT(asp_errors("a(3000000000)."), HasSubstr("a whole number up to 2147483647"));
  EXPECT_THAT(asp_errors("a(\"x)."), HasSubstr("this quoted text does not end on its line"));
  EXPECT_THAT(asp_errors("%* no end"), HasSubstr("1:1: this comment does not end"));
  EXPECT_THAT(asp_errors("a :- é."), HasSubstr("1:6: found é, expected an atom"));
  EXPECT_THAT(problog_errors("a :- not b."), HasSubstr("\\+, ProbLog's negation"));
  EXPECT_THAT(problog_errors("0.5::a ; b."), HasSubstr("found b, expected a probability"));
  EXPECT_THAT(problog_errors("evidence(a)."), HasSubstr("evidence is not supported"));
  EXPECT_THAT(problog_errors("query(a."), HasSubstr("the bracket at 1:6 is not closed"));
  EXPECT_THAT(asp_errors(std::string("a\0.", 3)),
              HasSubstr("1:2: this is the control character U+0000, expected"));
}

/// What is refused is named, with the reason.
TEST(Parser, NamesTheConstructThatIsNotSupported) {
  const std::string one_answer = "not supported: a policy has exactly one answer";
  for (const auto& [text, named] : std::vector<std::pair<std::string, std::string>>{
           {"{a}.", "p.lp:1:1: choice rules `{…}` are " + one_answer},
           {"b. 1 {a; b} 1 :- c.", "p.lp:1:6: choice rules `{…}` are " + one_answer},
           {"#count{X : p(X)} = 1.", "p.lp:1:1: aggregates in heads are " + one_answer},
           {"a ; b.", "p.lp:1:3: disjunctions in heads are " + one_answer},
           {"a : b.", "p.lp:1:3: conditions in heads are " + one_answer},
           {"a | b.", "p.lp:1:3: disjunctions in heads are " + one_answer},
           {":~ a. [1]", "p.lp:1:1: weak constraints `:~ …` are " + one_answer},
           {"#minimize {1 : a}.", "p.lp:1:1: optimisation by `#minimize` is " + one_answer},
           {"-a.", "p.lp:1:1: classical negation `-p` is not supported: write `not p`, or another name"},
           {"a :- -b.", "p.lp:1:6: classical negation `-p` is not supported"},
           {"#script (python) x #end.",
            "scripts `#script` are not supported: a program consists of rules alone"},
           {"a(@f(1)).", "p.lp:1:3: calls of scripts `@f(…)` are not supported"},
           {"#include \"x\".", "`#include` is not supported: a program is one file"},
           {"&sum{x} >= 3.", "p.lp:1:1: theory atoms `&…` are not supported"},
           {"#external a.", "`#external` is not supported: the task determines what is observed"},
           {"#const n = 1. #const n = 2.", "p.lp:1:22: the constant n has two values, expected one"},
           {"#const n = m. #const m = n. a(n).", "1:31: the constant m is defined by itself"},
           {"#const n = 1..2.", "1:12: 1..2 has not one value"}}) {
    EXPECT_THAT(asp_errors(text), HasSubstr(named));
  }
  for (const auto& [text, named] : std::vector<std::pair<std::string, std::string>>{
           {"a :- findall(X, p(X), [1]).", "lists `[…]` are not supported"},
           {"a :- (b -> c ; d).", "p.pl:1:9: if-then-else `->` is not supported: write two rules"},
           {"P::a :- b(P).", "p.pl:1:1: variables as probabilities `P::` are not supported: write a number"},
           {"1/2::a.", "p.pl:1:2: fractions as probabilities are not supported: write a decimal number"},
           {"?::a.", "p.pl:1:1: probabilities to be learned `?::` are not supported"},
           {"t(0.5)::a.", "p.pl:1:1: probabilities to be learned `t(…)::` are not supported"},
           {"a --> b.", "p.pl:1:3: grammar rules `-->` are not supported: write `:-`"},
           {"a :- b, !.", "p.pl:1:9: cuts `!` are not supported"},
           {":- use_module(library(lists)).", "p.pl:1:1: directives `:- …` are not supported"},
           {"a :- b(X), X <= 3.", "p.pl:1:14: found <=, expected =<, ProbLog's comparison"},
           {"a :- b(X), X != 3.", "p.pl:1:14: found !=, expected =\\= for numbers"},
           {"a :- b(X), Y is X // 2.", "integer division `//` is not supported"},
           {"a(X+1) :- b(X).", "p.pl:1:3: ProbLog does not evaluate X+1 here"},
           {"a :- b(X), X > red.", "p.pl:1:16: red has no value, expected numbers and variables"}}) {
    EXPECT_THAT(problog_errors(text), HasSubstr(named));
  }
}

TEST(Parser, NamesARefusedStatementOnce) {
  EXPECT_EQ(asp_errors(":~ a. [1@2, x] b."),
            "p.lp:1:1: weak constraints `:~ …` are not supported: a policy has "
            "exactly one answer");
}

/// What was read, as it is printed for a solver.
std::string printed(std::string_view text, Syntax syntax) {
  Mistakes mistakes("p");
  const ParsedProgram parsed = parse_open_program("p", text, syntax, mistakes);
  mistakes.throw_if_any();
  std::string all;
  for (const OpenRule& rule : parsed.open) all += to_text(rule, syntax) + ".\n";
  return all;
}

TEST(Parser, ReadsAggregatesConditionsAndConstraints) {
  const std::string rules =
      "a :- 1 < #sum { X,Y : p(X), not q(Y); 3 : r } <= 7, s.\n"
      "a :- not #count { X : p(X) } >= 2.\n"
      "a(S) :- S = #sum+ { X : p(X) }, #min { X : p(X) } != #max { X : p(X) }.\n"
      "a :- p(X) : q(X), not r; s.\n"
      ":- a(X), X > 3.\n";
  const std::string without_min = [&] {
    std::string text = rules;
    return text.replace(text.find(", #min"), text.find(".\na :- p(X)") - text.find(", #min"), "");
  }();
  EXPECT_EQ(printed(without_min, Syntax::kAsp), without_min);
  EXPECT_EQ(printed("a :- 1 {p(X) : q(X); not r} 2; s.", Syntax::kAsp),
            "a :- 1 <= #count { 0,p(X) : p(X), q(X); 1,r : not r } <= 2, s.\n");
  EXPECT_EQ(printed("#const n = m+1. #const m = 2. a(n) :- p(X), X < n, n(m).", Syntax::kAsp),
            "a(2+1) :- p(X), X < 2+1, n(2).\n");
  EXPECT_EQ(to_text(parse_program("", ":- a, not b.\n#defined a/0, b/0.\n", Syntax::kAsp)),
            ":- a, not b.\n#defined a/0, b/0.\n");
  const std::string shown = "#show.\n#show a/1.\n#show -a/1.\n#show f(X) : b(X), not c.\n#show 3.\n";
  EXPECT_EQ(to_text(parse_program("", shown, Syntax::kAsp)), shown);
}

TEST(Parser, ReadsVariablesAndDisjunctionsOfProbLog) {
  const std::string rules =
      "0.3::action(a) ; 0.7::action(b) :- hand(X), X > 12.\n"
      "a(Y) :- b(X), Y is X*2-1, X =:= 3, X =\\= 4, X \\= 5, X =< 6.\n"
      "a :- b, c ; d, \\+ e.\n";
  EXPECT_EQ(printed(rules, Syntax::kProbLog), rules);
  EXPECT_EQ(printed("a :- b(X), (c ; \\+ (d, X > 3)).", Syntax::kProbLog),
            "a :- b(X), c ; b(X), \\+ d ; b(X), X =< 3.\n");
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
  EXPECT_THAT(asp_errors("q(\"a\tb\")."), HasSubstr("1:3: this quoted text has a tab in it"));
}

TEST(Parser, RefusesNamesThatAreNotFree) {
  EXPECT_EQ(asp_errors("ndnf_observation(99999999)."),
            "p.lp:1:1: the name ndnf_observation/1 is reserved, expected another");
  EXPECT_THAT(asp_errors("a :- not ndnf_rule(X), b(X)."), HasSubstr("1:6: the name ndnf_rule/1 is reserved"));
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
  EXPECT_THAT(problog_errors("at((1,2))."), HasSubstr("1:4: tuples are not supported in ProbLog"));
}

TEST(Parser, WritesMinusZeroAsZero) {
  const std::string printed = to_text(parse_program("p", "#show f(1---0).\n", Syntax::kAsp));
  EXPECT_EQ(printed, "#show f(1-0).\n");
  EXPECT_EQ(to_text(parse_program("p", printed, Syntax::kAsp)), printed);
}

TEST(Parser, NamesTheFirstByteThatIsNotUtf8) {
  EXPECT_EQ(asp_errors("a. % é\nb. % \xFF\n"),
            "p.lp:2:6: this byte is not UTF-8, expected plain text in UTF-8");
  for (const char* bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_EQ(find_hidden_text(bad)->place.line, 1U);
  }
  EXPECT_FALSE(find_hidden_text("a é € 😀"));
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

TEST(HiddenText, IsFoundAtItsPlace) {
  EXPECT_FALSE(find_hidden_text("\xC3\xA9\tb\r\n"));
  EXPECT_EQ(find_hidden_text("a\xC3(")->place.column, 2u);
  EXPECT_EQ(find_hidden_text("a\n\xE2\x82")->place.line, 2u);
  EXPECT_EQ(find_hidden_text("\xC0\x80")->place.column, 1u);
  EXPECT_EQ(find_hidden_text("é\ré")->place.column, 2u) << "it would hide what stands before it on the line";
}

TEST(HiddenText, IsRefusedInCommentsToo) {
  EXPECT_EQ(asp_errors("a. % \xE2\x80\xA8.b\n"),
            "p.lp:1:6: this is the invisible mark U+2028, expected plain text in UTF-8");
  EXPECT_EQ(asp_errors("a. % \x1b[2J\n"),
            "p.lp:1:6: this is the control character U+001B, expected plain text in UTF-8");
  EXPECT_EQ(asp_errors("a. % \xC2\x9B"
                       "31m\n"),
            "p.lp:1:6: this is the control character U+009B, expected plain text in UTF-8");
  EXPECT_EQ(asp_errors("a. % \xE2\x80\xAE.b\n"),
            "p.lp:1:6: this is the invisible mark U+202E, expected plain text in UTF-8");
}

}  // namespace
}  // namespace ndnf
