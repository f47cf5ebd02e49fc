#include <cstdlib>
#include <numeric>
#include <random>
#include <sstream>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/raw_solver_text.h"
#include "syntax/random_programs.h"

// Programs that our parser accepts are accepted by the real solvers with the same meaning: programs with one
// or two random edits.

namespace ndnf {
namespace {

/// The pieces of a program, marked by ~ between them.
std::vector<std::string> pieces_of(const std::string& marked) {
  std::vector<std::string> pieces;
  std::istringstream stream(marked);
  for (std::string piece; std::getline(stream, piece, '~');) pieces.push_back(piece);
  return pieces;
}

class MutatedPrograms : public ::testing::Test {
 protected:
  MutatedPrograms() { ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1); }
  ~MutatedPrograms() override { ::unsetenv("NDNF_PROBLOG_PYTHON"); }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_()) % bound; }

  /// The text with one or two of its pieces dropped, doubled, swapped or replaced.
  std::string mutated(std::vector<std::string> pieces, const std::vector<std::string>& strange) {
    for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
      const std::size_t at = below(pieces.size());
      switch (below(4)) {
        case 0:
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 1:
          pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), pieces[below(pieces.size())]);
          break;
        case 2:
          std::swap(pieces[at], pieces[below(pieces.size())]);
          break;
        default:
          pieces[at] = strange[below(strange.size())];
      }
    }
    return std::accumulate(pieces.begin(), pieces.end(), std::string());
  }

  std::optional<BoundProgram> read(const std::string& text, Syntax syntax) const {
    try {
      return BoundProgram(ground_program("p", text, syntax, table_.vocabulary()), table_.shared_vocabulary());
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  const ObservationTable table_ = RandomPrograms::all_observations();
  std::mt19937_64 random_{17};
};

TEST_F(MutatedPrograms, OfProbLogMeanTheSameToProbLog) {
  const std::vector<std::string> pieces =
      pieces_of(R"(0.25~::~action(left)~ ; ~0.5~::~action(right)~ :- ~cell~(~0~)~, ~\+ ~d~.~
~d~ :- ~x_0~.~ ~1~::~action~(wait)~ :- ~\+~x_1~, ~e(~'q'~)~.
~e(~"q"~).~% comment
~e('q')~ :- ~x_2~.~/* block */~query(action(_)).~
)");
  const std::vector<std::string> strange = {"",
                                            ".",
                                            ". ",
                                            ".5",
                                            "00.5",
                                            "1e-1",
                                            "1e400",
                                            "1.0",
                                            "0.5e0",
                                            "-0.5",
                                            "+0.5",
                                            "x_0",
                                            "not ",
                                            "%",
                                            "/*",
                                            "*/",
                                            "'",
                                            "\"",
                                            "\\",
                                            "'a b'",
                                            "''",
                                            "(",
                                            ")",
                                            ",",
                                            ";",
                                            "::",
                                            " ",
                                            "\t",
                                            "true",
                                            "fail",
                                            "X",
                                            "_",
                                            "[]",
                                            "d",
                                            "d(1)",
                                            "a.b",
                                            "e(-1)",
                                            "e(- 1)",
                                            "e(01)",
                                            "e(1.5)",
                                            "e((q))",
                                            "\r\n",
                                            "\f",
                                            ":-",
                                            "{",
                                            "|",
                                            "!",
                                            "->",
                                            "=",
                                            "0x1",
                                            "1_0",
                                            "é",
                                            "e(q)",
                                            "%*",
                                            "#show.",
                                            "cell(X)",
                                            "cell(X), X > 2",
                                            "X =< 1",
                                            "e(_)",
                                            "0.5::d",
                                            "(x_0 ; x_1)",
                                            "\\+ (x_0, d)",
                                            "Y is X+1"};
  std::vector<SolverText> programs;
  std::vector<ProblogQuestion> questions;
  std::vector<std::vector<double>> ours;
  for (int round = 0; round < 6000 && programs.size() < 150; ++round) {
    const std::string text = mutated(pieces, strange);
    const auto bound = read(text, Syntax::kProbLog);
    if (!bound) continue;
    const auto obs = static_cast<ObsId>(5 * below(8));
    questions.push_back({programs.size(), table_.facts(obs)});
    programs.push_back(raw_text(text, Syntax::kProbLog));
    bound->probabilities(table_, std::vector<ObsId>{obs}, ours.emplace_back(3));
    ours.back().push_back(bound->exactly_one(table_, std::vector<ObsId>{obs})[0]);
  }
  ASSERT_EQ(programs.size(), 150U);
  const auto real = ask_problog(programs, questions, table_.vocabulary(), true);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (std::size_t a = 0; a < 4; ++a)
      ASSERT_NEAR(real[i][a].value_or(-1), ours[i][a], 1e-9) << programs[i].sent();
  }
}

TEST_F(MutatedPrograms, OfAspMeanTheSameToClingo) {
  const std::vector<std::string> pieces = pieces_of(R"(action(left)~ :- ~cell(~X~)~, ~X~ < ~2~, ~not ~d~.~
~d~ :- ~x_0~.~ ~e(~1~..~2~,~(a,b)~).~
~action(~right~) :- ~e(~1~,~_~), ~not ~cell(~1~;~2~)~.%~comment
~%* block *%~e(~"q"~,~-1~)~ :- ~x_1~.~
~action(wait)~ :- ~not ~action(left)~,~|~1-2~|~ = ~1~.)");
  const std::vector<std::string> strange = {"",
                                            ".",
                                            "..",
                                            "0",
                                            "01",
                                            "not ",
                                            "not not ",
                                            "X",
                                            "_",
                                            "Y",
                                            "%",
                                            "%*",
                                            "*%",
                                            "%* %* *% *%",
                                            "%* % *%",
                                            "\"",
                                            "\\",
                                            "**",
                                            "+",
                                            "-",
                                            "*",
                                            "/",
                                            "&",
                                            "^",
                                            "?",
                                            "(",
                                            ")",
                                            ",",
                                            ";",
                                            "|",
                                            "{",
                                            "}",
                                            ":",
                                            "#",
                                            "@f",
                                            "#inf",
                                            "1",
                                            "3",
                                            "d",
                                            "x_2",
                                            "e(1,(a,b))",
                                            "(1,)",
                                            "()",
                                            "==",
                                            "<>",
                                            "!=",
                                            "'",
                                            "\t",
                                            "\r\n",
                                            "é",
                                            "a",
                                            "-a",
                                            "\"a b\"",
                                            "\"%*\"",
                                            "$",
                                            "~",
                                            "_d",
                                            "e(1;2)",
                                            "a.b.",
                                            "#count{Z : cell(Z), Z > 1} = 1",
                                            "x_0 : cell(Z), Z < 2; ",
                                            "#sum{Z : cell(Z); 2 : d} > 2",
                                            "#true",
                                            "\n:- d, x_0.\n",
                                            "{x_0; d} 1",
                                            "#const c = 1."};
  std::vector<ObsId> ids;
  for (ObsId obs = 0; obs < 40; obs += 3) ids.push_back(obs);
  std::size_t compared = 0;
  for (int round = 0; round < 3000 && compared < 120; ++round) {
    const std::string text = mutated(pieces, strange);
    const auto bound = read(text, Syntax::kAsp);
    if (!bound) continue;
    ++compared;
    const PolicyTable ours = tabulate(*bound, table_);
    SCOPED_TRACE(text);
    const PolicyTable real = evaluate_with_clingo(raw_text(text), table_, ids);
    for (const ObsId obs : ids) {
      ASSERT_TRUE(std::ranges::equal(ours.row(obs), real.row(obs))) << table_.describe(obs) << "\n" << text;
    }
  }
  EXPECT_EQ(compared, 120U);
}

}  // namespace
}  // namespace ndnf
