#include <cmath>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/raw_solver_text.h"
#include "solvers/side_by_side.h"
#include "syntax/random_programs.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// Generates ProbLog programs with variables, probabilities of helpers, disjunctions and arithmetic over the
/// task of RandomPrograms. Each name that a program defines ends in @, so that several can be joined.
class RandomOpenProblog {
 public:
  explicit RandomOpenProblog(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text = fmt::format("{}::coin@.\n", probability());
    text += fmt::format("{}::noise@(X) :- cell(X){}.\n", probability(), below(2) == 0 ? "" : ", X > 1");
    text += fmt::format("{}::die@(1) ; {}::die@(Y) :- cell(X), Y is X{}1, ({} ; {}).\n", probability(),
                        probability(), below(2) == 0 ? "+" : "*", literal(0), literal(0));
    text += fmt::format("low@(X) :- cell(X), X {} {}.\n", comparison(), below(5));
    text += fmt::format("mixed@ :- {}.\nmixed@ :- {}, {}.\n", body(1), literal(1), literal(1));
    for (std::size_t i = 0; i <= below(3); ++i) text += action_rule();
    return text;
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_()) % bound; }

 private:
  std::string action_rule() {
    constexpr const char* kActions[] = {"left", "right", "wait"};
    const std::string first = kActions[below(3)];
    if (below(3) == 0) return fmt::format("action({}@) :- {}.\n", first, body(2));
    return fmt::format("{}::action({}@) ; {}::action({}@) :- {}.\n", probability(), first, probability(),
                       kActions[below(3)], body(2));
  }

  std::string body(std::size_t level) {
    std::string text =
        below(3) == 0 ? fmt::format("cell(X), X {} {}", comparison(), below(5)) : literal(level);
    if (below(2) == 0) text += ", " + literal(level);
    if (below(3) == 0) text += fmt::format(", ({} ; {}, {})", literal(level), literal(level), literal(level));
    if (below(4) == 0) text += fmt::format(", \\+ ({}, {})", literal(level), literal(level));
    if (below(6) == 0 && level < 2) text += " ; " + literal(level);
    return text;
  }

  std::string literal(std::size_t level) {
    const std::string negation = below(3) == 0 ? "\\+ " : "";
    switch (below(level == 0 ? 2 : level == 1 ? 6 : 7)) {
      case 0:
        return negation + fmt::format("x_{}", below(7));
      case 1:
        return negation + fmt::format("cell({})", below(5));
      case 2:
        return negation + "coin@";
      case 3:
        return negation + fmt::format("noise@({})", below(5));
      case 4:
        return negation + fmt::format("die@({})", below(3));
      case 5:
        return negation + fmt::format("low@({})", below(5));
      default:
        return negation + "mixed@";
    }
  }

  std::string comparison() {
    constexpr const char* kSigns[] = {"<", "=<", ">", ">=", "=:=", "=\\=", "=", "\\="};
    return kSigns[below(8)];
  }
  std::string probability() { return fmt::format("{:.3f}", static_cast<double>(1 + below(498)) / 1000); }

  std::mt19937_64 random_;
};

std::string named(std::string text, const std::string& suffix) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
    text.replace(at, 1, suffix);
  }
  return text;
}

class OpenProblog : public ::testing::Test {
 protected:
  OpenProblog() { ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1); }
  ~OpenProblog() override { ::unsetenv("NDNF_PROBLOG_PYTHON"); }

  BoundProgram read(const std::string& text) const {
    return {ground_program("p.pl", text, Syntax::kProbLog, table_.vocabulary()), table_.shared_vocabulary()};
  }
  std::string errors(const std::string& text) const {
    return testing::error_of([&] { read(text); });
  }

  const ObservationTable table_ = RandomPrograms::all_observations();
};

TEST_F(OpenProblog, AThousandRandomProgramsAgreeWithTheRealProbLog) {
  constexpr std::size_t kTogether = 4;
  constexpr std::size_t kBatches = 250;
  const SideBySide together(kTogether);
  const auto vocabulary = together.vocabulary();
  ObservationTable joined(vocabulary);
  RandomOpenProblog random(5);
  std::vector<std::vector<std::string>> batches;
  std::vector<SolverText> asked;
  std::vector<ProblogQuestion> questions;
  std::vector<ObsId> where;
  for (std::size_t i = 0; i < kBatches; ++i) {
    std::string text;
    auto& batch = batches.emplace_back();
    for (std::size_t k = 0; k < kTogether; ++k) {
      batch.push_back(random.program());
      text += named(batch.back(), fmt::format("_{}", k));
    }
    where.push_back(static_cast<ObsId>(random.below(table_.size())));
    asked.push_back(raw_text(text, Syntax::kProbLog));
    questions.push_back({i, joined.facts(joined.intern(table_.values(where.back())))});
  }
  const auto real =
      ask_problog(asked, questions, *vocabulary, false, kProblogTimeLimit, {std::chrono::hours(1)});
  std::size_t uncertain = 0;
  for (std::size_t i = 0; i < kBatches; ++i) {
    for (std::size_t k = 0; k < kTogether; ++k) {
      const std::string text = named(batches[i][k], "");
      std::vector<double> ours(3);
      read(text).probabilities(table_, std::vector<ObsId>{where[i]}, ours);
      for (ActionId a = 0; a < 3; ++a) {
        uncertain += ours[a] > 0 && ours[a] < 1 ? 1 : 0;
        ASSERT_NEAR(real[i][3 * k + a].value_or(-1), ours[a], 1e-9) << table_.describe(where[i]) << "\n"
                                                                    << text;
      }
    }
  }
  EXPECT_GT(uncertain, 600U);
}

TEST_F(OpenProblog, WorldsWithExactlyOneActionAreCountedAsProbLogDoes) {
  RandomOpenProblog random(6);
  std::vector<SolverText> asked;
  std::vector<ProblogQuestion> questions;
  std::vector<double> ours;
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string text = named(random.program(), "");
    const auto obs = static_cast<ObsId>(random.below(table_.size()));
    asked.push_back(raw_text(text, Syntax::kProbLog));
    questions.push_back({i, table_.facts(obs)});
    ours.push_back(read(text).exactly_one(table_, std::vector<ObsId>{obs})[0]);
  }
  const auto real = ask_problog(asked, questions, table_.vocabulary(), true);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(real[i][3].value_or(-1), ours[i], 1e-9) << asked[i].sent();
  }
}

TEST_F(OpenProblog, EachSubstitutionChoosesForItselfAndADisjunctionOnce) {
  const auto left = [&](const std::string& text) {
    std::vector<double> row(3);
    read(text).probabilities(table_, std::vector<ObsId>{0}, row);
    return row[0];
  };
  EXPECT_DOUBLE_EQ(left("b(1). b(2). 0.3::action(left) :- b(X)."), 0.51);
  EXPECT_DOUBLE_EQ(left("b(1). b(2). 0.3::action(left) :- b(1) ; b(2)."), 0.3);
  EXPECT_DOUBLE_EQ(left("b(1,2). b(1,3). 0.3::action(left) :- b(1,_)."), 0.51);
  EXPECT_DOUBLE_EQ(left("0.3::action(left) ; 0.7::action(right) :- cell(X), X < 2."), 0.3);
  EXPECT_DOUBLE_EQ(left("b('a b'). b(\"a b\"). action(left) :- b(X), X = 'a b'."), 1);
}

TEST_F(OpenProblog, WhatProbLogCannotEvaluateIsNamed) {
  EXPECT_THAT(errors("action(left) :- X > 2, cell(X)."),
              HasSubstr("p.pl:1:17: X is unsafe, expected it in a positive body atom before"));
  EXPECT_THAT(errors("action(left) :- \\+ cell(X), cell(X)."), HasSubstr("X is unsafe"));
  EXPECT_THAT(errors("h(X) :- x_0. action(left) :- h(1)."), HasSubstr("X is unsafe"));
  EXPECT_THAT(errors("0.3::action(left) :- cell(X) ; x_0."), HasSubstr("X is unsafe"));
  EXPECT_THAT(errors("b(red). action(left) :- b(X), X > 2."),
              HasSubstr("p.pl:1:9: compares a value that is not a number"));
  EXPECT_THAT(errors("action(left) :- cel(X), X > 2."), HasSubstr("cel(X) is neither observed"));
  EXPECT_THAT(errors("a :- \\+ b. b :- \\+ a. action(left) :- a."),
              HasSubstr("recursion is not supported: a → b → a"));
}

}  // namespace
}  // namespace ndnf
