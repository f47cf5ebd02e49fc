#include "ndnf/solvers/grounder.h"

#include <numeric>
#include <random>
#include <vector>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/solvers/clingo.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/random_open_programs.h"
#include "solvers/raw_solver_text.h"
#include "syntax/random_programs.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Clingo's own judgement: whether it rejects the text because of unsafe variables.
bool is_unsafe(const std::string& text) {
  return call_clingo(raw_text(text), {"--text", "--warn=none"}).errors.find("unsafe") != std::string::npos;
}

TEST(Grounder, RandomProgramsWithVariablesMeanWhatClingoSays) {
  const ObservationTable table = RandomPrograms::all_observations();
  std::vector<ObsId> ids;
  for (ObsId obs = 0; obs < table.size(); obs += 13) ids.push_back(obs);
  RandomOpenPrograms programs(11);
  std::size_t compared = 0;
  std::size_t refused = 0;
  std::size_t stricter = 0;
  std::size_t acting = 0;
  std::size_t aggregates = 0;
  for (int round = 0; round < 250; ++round) {
    const std::string text = programs.program();
    aggregates += text.find('{') != std::string::npos ? 1 : 0;
    Program program;
    const std::string mistakes =
        testing::error_of([&] { program = ground_program("p.lp", text, Syntax::kAsp, table.vocabulary()); });
    ASSERT_THAT(mistakes, Not(HasSubstr("clingo"))) << text;
    if (!mistakes.empty()) {
      ++refused;
      ASSERT_THAT(mistakes, ::testing::AnyOf(HasSubstr("is unsafe"), HasSubstr("is neither observed")))
          << text;
      stricter += mistakes.find("is unsafe") != std::string::npos && !is_unsafe(text) ? 1 : 0;
      continue;
    }
    const PolicyTable ours = tabulate(BoundProgram(program, table.shared_vocabulary()), table);
    const PolicyTable real = evaluate_with_clingo(raw_text(text), table, ids);
    for (const ObsId obs : ids) {
      ASSERT_TRUE(std::ranges::equal(ours.row(obs), real.row(obs))) << table.describe(obs) << "\n"
                                                                    << text << "\n"
                                                                    << to_text(program);
      acting += ours.defined(obs) ? 1 : 0;
    }
    ++compared;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(refused, 20U);
  EXPECT_LE(stricter, 5U);  // clingo drops a rule with 1/0 in it before it looks at its variables
  EXPECT_GT(acting, 1000U);
  EXPECT_GT(aggregates, 100U);
}

/// Blackjack-like hands: what people write with aggregates, compared with clingo in every observation.
TEST(Grounder, AggregatesAndConditionsHoldWhereClingoSaysSo) {
  const ObservationTable table = RandomPrograms::all_observations();
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), ObsId{0});
  for (const std::string body : {
           "#count { X : x(X) } >= 4",
           "2 <= #count { X : x(X) } <= 3",
           "#sum { X : x(X); -3 : cell(1); 10,c : cell(2) } > 7",
           "S = #sum { X : x(X) }, S > 10, S < 15",
           "S = #count { X : x(X) }, cell(S)",
           "#min { X : x(X) } = 2",
           "#max { X : x(X) } <= 4",
           "#min { X : x(X) } = #sup",
           "#sum { X,Y : x(X), cell(Y) } != 9",
           "not #sum+ { X : x(X); -X : x(X) } < 12",
           "x(X) : cell(X)",
           "not x(X) : cell(Y), X = Y+1, X < 7; x(0)",
           "#false : x(X), X > 3",
           "X < 3 : x(X)",
           "3 { x(X) : X = 0..4; not x_6 }",
           "#count { X : x(X), not cell(X) } = 2",
           "cell(C), #count { X : x(X), X < C } = C",
           "#count { X : x(X), not high(_) } >= 2",
       }) {
    std::string text = "x(0..1) :- x_0. high(X) :- x(X), X > 5.\n";
    for (int i = 1; i < 7; ++i) text += fmt::format("x({0}) :- x_{0}.\n", i);
    text += fmt::format("action(left) :- {}.\naction(right) :- not action(left).\n", body);
    const Program program = ground_program("p.lp", text, Syntax::kAsp, table.vocabulary());
    const PolicyTable ours = tabulate(BoundProgram(program, table.shared_vocabulary()), table);
    const PolicyTable real = evaluate_with_clingo(raw_text(text), table, ids);
    std::size_t left = 0;
    for (const ObsId obs : ids) {
      ASSERT_TRUE(std::ranges::equal(ours.row(obs), real.row(obs))) << table.describe(obs) << "\n"
                                                                    << to_text(program);
      left += ours.row(obs)[0] == 1 ? 1 : 0;
    }
    EXPECT_GT(left, 0U) << body;
    EXPECT_LT(left, ids.size()) << body;
  }
}

TEST(Grounder, LargeAggregatesAreAnErrorWithTheirPlace) {
  const ObservationTable table = RandomPrograms::all_observations();
  const std::string text =
      "x(X,Y) :- x_1, X = 0..20, Y = 0..20.\naction(left) :- #sum { X*1000+7*Y*Y,Y : x(X,Y), cell(_) } = "
      "77777.";
  EXPECT_THAT(testing::error_of([&] { ground_program("p.lp", text, Syntax::kAsp, table.vocabulary()); }),
              HasSubstr("p.lp:2:1: the aggregates need more than 100000 auxiliary atoms"));
}

/// Terms without variables: clingo evaluates the original text and our printed form.
TEST(Grounder, TermsAreReadByClingosGrammar) {
  std::mt19937_64 random(3);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  constexpr const char* kTokens[] = {"+", "-", "*", "/", "\\", "**", "&", "?", "^", ".."};
  std::string theirs;
  Mistakes mistakes("p.lp");
  std::string ours;
  for (int i = 0; i < 2000; ++i) {
    std::string term;
    for (int part = below(5); part >= 0; --part) {
      if (below(4) == 0) term += "-";
      term += below(5) == 0   ? fmt::format("({}{}{})", below(4), kTokens[below(9)], below(4))
              : below(9) == 0 ? fmt::format("|{}-{}|", below(4), below(4))
                              : std::to_string(below(4));
      if (part > 0) term += kTokens[below(10)];
    }
    const std::string rule = fmt::format("p({},{}) :- q.", i, term);
    const ParsedProgram parsed = parse_open_program("p.lp", rule, Syntax::kAsp, mistakes);
    ASSERT_FALSE(mistakes.any()) << rule;
    theirs += rule + "\n";
    ours += parsed.open.empty() ? rule + "\n" : to_text(parsed.open[0]) + ".\n";
  }
  const auto grounded = [](const std::string& rules) {
    return call_clingo(raw_text("#external q.\n" + rules), {"--text", "--warn=none"}).output;
  };
  EXPECT_NE(ours, theirs);
  EXPECT_GT(grounded(theirs).size(), 10000U);
  EXPECT_EQ(grounded(ours), grounded(theirs));
}

}  // namespace
}  // namespace ndnf
