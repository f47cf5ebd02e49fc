#include <cmath>
#include <cstdlib>
#include <numeric>

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/file.h"
#include "solvers/raw_solver_text.h"
#include "solvers/side_by_side.h"
#include "syntax/random_programs.h"
#include "syntax/shrink.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

SolverText raw(std::string text) { return raw_text(std::move(text), Syntax::kProbLog); }

class Problog : public ::testing::Test {
 protected:
  Problog() { ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1); }
  ~Problog() override { ::unsetenv("NDNF_PROBLOG_PYTHON"); }

  std::vector<double> rows(const Program& program, ObsId obs) const {
    std::vector<double> row(3);
    BoundProgram(program, table_.shared_vocabulary()).probabilities(table_, std::vector<ObsId>{obs}, row);
    return row;
  }

  /// The smallest program on which ProbLog and we still differ; the whole one if a part alone does not
  /// differ.
  Program shrunk_difference(const Program& program, ObsId obs) const {
    const auto differs = [&](const Program& smaller) {
      try {
        const std::vector<double> ours = rows(smaller, obs);
        const PolicyTable real = evaluate_with_problog(smaller, table_, std::vector<ObsId>{obs}).policy;
        for (ActionId a = 0; a < 3; ++a) {
          if (std::abs(real.row(obs)[a] - ours[a]) > 1e-9) return true;
        }
      } catch (const Error&) {  // it lost a definition
      }
      return false;
    };
    return differs(program) ? testing::shrunk(program, differs) : program;
  }

  const ObservationTable table_ = RandomPrograms::all_observations();
};

/// The number of programs: a thousand, or as set for a longer run.
std::size_t program_count() {
  const char* asked = std::getenv("NDNF_PROBLOG_PROGRAMS");
  return asked == nullptr ? 1000 : std::stoul(asked);
}

TEST_F(Problog, RandomProgramsAgreeWithOurs) {
  constexpr std::size_t kTogether = 8;
  const SideBySide together(kTogether);
  RandomPrograms random(1);
  const auto vocabulary = together.vocabulary();
  ObservationTable table(vocabulary);
  std::vector<std::vector<Program>> batches;
  std::vector<SolverText> asked;
  std::vector<ProblogQuestion> questions;
  std::vector<ObsId> where;
  for (std::size_t i = 0; i <= program_count() / kTogether; ++i) {
    auto& batch = batches.emplace_back();
    for (std::size_t k = 0; k < kTogether; ++k) batch.push_back(random.problog());
    where.push_back(static_cast<ObsId>(random.below(table_.size())));
    asked.push_back(solver_text(SideBySide::join(batch)));
    questions.push_back({i, table.facts(table.intern(table_.values(where.back())))});
  }
  const auto real =
      ask_problog(asked, questions, *vocabulary, false, kProblogTimeLimit, {std::chrono::hours(1)});
  std::size_t uncertain = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    for (std::size_t k = 0; k < kTogether; ++k) {
      for (ActionId a = 0; a < 3; ++a) {
        const double ours = rows(batches[i][k], where[i])[a];
        uncertain += ours > 0 && ours < 1 ? 1 : 0;
        if (std::abs(real[i][3 * k + a].value_or(-1) - ours) <= 1e-9) continue;
        FAIL() << table_.describe(where[i]) << "\n" << to_text(shrunk_difference(batches[i][k], where[i]));
      }
    }
  }
  EXPECT_GT(uncertain, program_count());
}

TEST_F(Problog, CountsTheWorldsWithExactlyOneActionAsWeDo) {
  RandomPrograms random(4);
  std::vector<SolverText> programs;
  std::vector<ProblogQuestion> questions;
  std::vector<double> ours;
  std::size_t hidden = 0;
  while (programs.size() < 150) {
    const Program program = random.problog();
    const auto obs = static_cast<ObsId>(random.below(table_.size()));
    const BoundProgram bound(program, table_.shared_vocabulary());
    ours.push_back(bound.exactly_one(table_, std::vector<ObsId>{obs})[0]);
    hidden += ours.back() > 0 && ours.back() < 0.999 ? 1 : 0;
    questions.push_back({programs.size(), table_.facts(obs)});
    programs.push_back(solver_text(program));
  }
  EXPECT_GT(hidden, 30U);
  const auto real = ask_problog(programs, questions, table_.vocabulary(), true);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(real[i][3].value_or(-1), ours[i], 1e-9) << programs[i].sent();
  }
}

TEST_F(Problog, FactsWhoseNumbersAddUpToOneAreNoDistribution) {
  const ProblogEvaluation real =
      evaluate_with_problog(raw("0.3::action(left). 0.7::action(right).\n"), table_, std::vector<ObsId>{0});
  EXPECT_NEAR(real.policy.row(0)[0], 0.3, 1e-9);
  EXPECT_NEAR(real.policy.row(0)[1], 0.7, 1e-9);
  EXPECT_FALSE(real.policy.defined(0));
  EXPECT_NEAR(real.policy.exactly_one(0), 0.58, 1e-9);
}

TEST_F(Problog, GivesOverlappingDisjunctionsAsANoisyOr) {
  const std::string rules =
      "0.3::action(left) ; 0.7::action(right) :- cell(0).\n0.6::action(left) ; 0.4::action(right) :- \\+ "
      "x_0.\n"
      "query(action(_)).\n";
  const ProblogEvaluation real = evaluate_with_problog(raw(rules), table_, std::vector<ObsId>{0, 5, 6});
  EXPECT_THAT(real.timeouts, IsEmpty());
  EXPECT_NEAR(real.policy.row(0)[0], 0.72, 1e-9);
  EXPECT_NEAR(real.policy.row(0)[1], 0.82, 1e-9);
  EXPECT_NEAR(real.policy.row(5)[1], 0.7, 1e-9);
  EXPECT_EQ(real.policy.row(6)[1], 0);
  EXPECT_EQ(real.policy.row(0)[2], 0);
}

TEST_F(Problog, AcceptsOurAnnotations) {
  RandomPrograms random(3);
  std::vector<SolverText> programs;
  std::vector<ProblogQuestion> questions;
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<double> p(6);
    for (double& x : p) x = 1.0 / static_cast<double>(1 + random.below(100000));
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& x : p) x /= sum;
    Rule rule;
    std::string certain;
    for (const double x : to_annotations(p)) {
      rule.heads.push_back({fmt::format("c({})", rule.heads.size()), x, true, {}});
      certain += fmt::format("action(left) :- {}.\n", rule.heads.back().atom);
    }
    programs.push_back(raw(to_text({Syntax::kProbLog, "", {{{}, rule, ""}}, {}}) + certain));
    questions.push_back({i, {}});
  }
  for (const auto& row : ask_problog(programs, questions, table_.vocabulary(), false))
    EXPECT_NEAR(*row[0], 1, 1e-9);
}

TEST_F(Problog, ListsWhatTookTooLong) {
  std::string rules;
  for (int i = 0; i < 60; ++i) rules += "0.1::action(left) ; 0.2::action(right) ; 0.3::action(wait).\n";
  const ProblogEvaluation real =
      evaluate_with_problog(raw(rules), table_, std::vector<ObsId>{3}, std::chrono::seconds(0));
  EXPECT_EQ(real.timeouts.size(), 4U);
  EXPECT_EQ(real.timeouts[1].obs, 3U);
  EXPECT_EQ(real.timeouts[1].action, 1U);
  EXPECT_EQ(real.timeouts[3].action, std::nullopt);
}

TEST_F(Problog, RejectedProgramsGiveItsOwnWords) {
  EXPECT_THAT(testing::error_of([&] {
                evaluate_with_problog(raw("0.5::action(left) :- y."), table_, std::vector<ObsId>{0});
              }),
              HasSubstr("No clauses found for 'y/0'"));
  EXPECT_THAT(testing::error_of(
                  [&] { evaluate_with_problog(raw("0.5::action(left :-"), table_, std::vector<ObsId>{0}); }),
              HasSubstr("problog: "));
}

TEST_F(Problog, AMissingOneSaysWhatToInstall) {
  ::setenv("NDNF_PROBLOG_PYTHON", "/nowhere/python", 1);
  EXPECT_THAT(
      testing::error_of([&] { evaluate_with_problog(raw("action(left)."), table_, std::vector<ObsId>{0}); }),
      HasSubstr("ProbLog is not installed; install problog from PyPI"));
}

TEST_F(Problog, ThatTakesTooLongForAllOfItIsStopped) {
  std::string rules;
  for (int i = 0; i < 60; ++i) rules += "0.1::action(left) ; 0.2::action(right) ; 0.3::action(wait).\n";
  EXPECT_EQ(testing::error_of([&] {
              evaluate_with_problog(raw(rules), table_, std::vector<ObsId>{3}, kProblogTimeLimit,
                                    {std::chrono::milliseconds(1500)});
            }),
            "problog: did not answer within 2 s");
}

TEST_F(Problog, WhoseAnswerMakesNoSenseIsNotBelieved) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / fmt::format("python-{}", ::getpid());
  ::setenv("NDNF_PROBLOG_PYTHON", file.c_str(), 1);
  const auto says = [&](const std::string& script) {
    write_file(file, "#!/bin/sh\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return testing::error_of([&] { evaluate_with_problog(raw("a."), table_, std::vector<ObsId>{0}); });
  };
  for (const char* reply :
       {"{", "3", "[]", "{}", R"({"rows": 3})", R"({"rows": []})", R"({"rows": [[1, 0]]})",
        R"({"rows": [["1", 0, 0, 1]]})", R"({"rows": [[2, 0, 0, 1]]})", R"({"rows": [[-0.5, 0, 0, 1]]})",
        R"({"rows": [[1, 0, 0, 1], [1, 0, 0, 1]]})", R"({"error": 3})"}) {
    EXPECT_THAT(says(fmt::format("printf '%s' '{}'\n", reply)),
                HasSubstr("problog: gave an invalid answer ("))
        << reply;
  }
  EXPECT_EQ(says("case $3 in import*) exit 0;; esac; exit 3\n"),
            "problog: ended without an answer or a message (exit code 3)");
  std::filesystem::remove(file);
}

TEST_F(Problog, IsTimedUntilTheFirstProgramThatTakesTooLong) {
  const std::string quick = "0.3::action(a) ; 0.7::action(b).\nquery(action(a)).\nquery(action(b)).\n";
  std::string endless = quick;
  for (int i = 0; i < 30; ++i) {
    endless += fmt::format("0.5::x({0}).\n0.2::action(a) ; 0.3::action(b) ; 0.4::action(c) :- x({0}).\n", i);
  }
  const auto answers = time_problog({raw(quick), raw(endless), raw(quick)}, std::chrono::seconds(1));
  ASSERT_EQ(answers.size(), 2u);
  ASSERT_TRUE(answers[0]);
  EXPECT_NEAR(answers[0]->probabilities.at("action(a)"), 0.3, 1e-9);
  EXPECT_GT(answers[0]->seconds, 0);
  EXPECT_FALSE(answers[1]);
}

TEST_F(Problog, SaysWhatIsWrongWithATimedProgram) {
  EXPECT_THAT(testing::error_of([] { time_problog({raw("query(nobody(x)).\n")}); }),
              HasSubstr("UnknownClause"));
}

}  // namespace
}  // namespace ndnf
