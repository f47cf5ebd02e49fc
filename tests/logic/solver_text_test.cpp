#include "ndnf/logic/solver_text.h"

#include <gtest/gtest.h>

#include "ndnf/logic/quoted_texts.h"

namespace ndnf {
namespace {

std::string for_solver(std::string_view text, Syntax syntax) {
  Mistakes mistakes("p");
  const ParsedProgram parsed = parse_open_program("p", text, syntax, mistakes);
  mistakes.throw_if_any();
  return solver_text(parsed);
}

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
  const std::string text = R"(p("b","a b","a","a!",'a'))";
  const QuotedTexts quoted(text);
  EXPECT_EQ(quoted.hide(text),
            R"(p("ndnf00000003","ndnf00000001","ndnf00000000","ndnf00000002",'ndnf00000004'))");
  EXPECT_EQ(quoted.reveal(quoted.hide(text)), text);
  EXPECT_EQ(quoted.reveal("q(\"ndnf00000099\",\"x\")"), "q(\"ndnf00000099\",\"x\")");
}

}  // namespace
}  // namespace ndnf
