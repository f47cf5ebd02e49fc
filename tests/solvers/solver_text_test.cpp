#include "ndnf/solvers/solver_text.h"

#include <filesystem>
#include <type_traits>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

SolverText read(std::string_view text, Syntax syntax) {
  Mistakes mistakes("p");
  const ParsedProgram parsed = parse_open_program("p", text, syntax, mistakes);
  mistakes.throw_if_any();
  return solver_text(parsed);
}

std::string for_solver(std::string_view text, Syntax syntax) { return read(text, syntax).sent(); }

TEST(SolverText, HasRulesAloneAndNothingThatSomebodyQuotedOrRemarked) {
  EXPECT_EQ(for_solver("% #script (python) import os #end.\n#show. #defined q/1.\n%* :- b. *%\n"
                       "p(\"#script (lua)\",X) :- q(X,\"%*\"), X != \"#script (lua)\".  % remark\na(1,2).",
                       Syntax::kAsp),
            "p(\"ndnf00000000\",X) :- q(X,\"ndnf00000001\"), X != \"ndnf00000000\".\na(1,2).\n");
  EXPECT_EQ(for_solver("/* :- use_module('x'). */ query(action(_)).\n0.5::action(a) :- \\+ p('/*', \"*/\").",
                       Syntax::kProbLog),
            "0.5::action(a) :- \\+ p('ndnf00000001',\"ndnf00000000\").\n");
}

TEST(SolverText, QuotedTextsComeBackInTheirOrder) {
  const SolverText text = read(R"(p("b","a b","a","a!").)", Syntax::kAsp);
  EXPECT_EQ(text.sent(), "p(\"ndnf00000003\",\"ndnf00000001\",\"ndnf00000000\",\"ndnf00000002\").\n");
  EXPECT_EQ(text.reveal(text.sent()), R"(p("b","a b","a","a!").)"
                                      "\n");
  EXPECT_EQ(text.reveal("q(\"ndnf00000099\",\"x\")"), "q(\"ndnf00000099\",\"x\")");
}

TEST(SolverText, IsMadeOfOurOwnTextsNumbersAndTrees) {
  SolverText text;
  text.add("a({},{}). {{x}}", 3, 4U).add(" {b}.\n").add(read("p(\"q\").", Syntax::kAsp));
  SolverText twice = text;
  EXPECT_EQ(twice.add(text).sent(),
            "a(3,4). {x} {b}.\np(\"ndnf00000000\").\na(3,4). {x} {b}.\np(\"ndnf00000000\").\n");
  static_assert(!std::is_constructible_v<SolverText, std::string>);
  static_assert(!std::is_constructible_v<SolverText, const char*>);
  static_assert(!std::is_constructible_v<OwnText, std::string>);
}

/// Programs store atoms as text. Even a program built by hand cannot put anything else there.
TEST(SolverText, RefusesWhatIsNotAnAtom) {
  for (const Syntax syntax : {Syntax::kAsp, Syntax::kProbLog}) {
    for (const char* atom : {"",
                             "a. b",
                             "a :- b",
                             "a, b",
                             "a; b",
                             "#script (python) #end",
                             "a(",
                             "a)",
                             "X",
                             "a(X)",
                             "1",
                             "-a",
                             "a(\"\\\"\")",
                             "a\n",
                             "a(@f())",
                             "ndnf_rule(1)",
                             "%* *%",
                             "{a}",
                             "a b",
                             "a.",
                             "a(\"x)",
                             "a(1..2)",
                             "a(1;2)",
                             "a(1+2)",
                             ":- a",
                             "\xff",
                             "a(\x01)",
                             "not a",
                             "\\+ a",
                             "0.5::a",
                             "a=b",
                             "a(b,)"}) {
      const Program program{syntax, "", {{{}, Rule{{{atom, 1, false, {}}}, {}, {}}, ""}}, {}};
      const bool harmless = std::string_view(atom) == "a\n";
      EXPECT_EQ(testing::error_of([&] { solver_text(program); }).empty(), harmless) << atom;
      if (harmless) {
        EXPECT_EQ(solver_text(program).sent(), "a.\n");
      }
    }
  }
  const auto body = [](const char* atom) {
    return Program{Syntax::kProbLog, "", {{{}, Rule{{{"a", 1, false, {}}}, {{atom, true, {}}}, {}}, ""}}, {}};
  };
  for (const char* atom : {"consult('x')", "use_module(x)", "write(a)", "fail", "call(a)"}) {
    EXPECT_THAT(testing::error_of([&] { solver_text(body(atom)); }), HasSubstr("is not an atom")) << atom;
  }
}

/// Only tests give solvers other texts.
TEST(SolverText, HasOneFriendAndNoFileOfOursDefinesIt) {
  std::size_t mentions = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NDNF_SOURCE_DIR "/src")) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_file(entry.path());
    for (std::size_t at = text.find("SolverTextOfATest"); at != std::string::npos; ++mentions) {
      at = text.find("SolverTextOfATest", at + 1);
    }
  }
  EXPECT_EQ(mentions, 1U);
}

}  // namespace
}  // namespace ndnf
