#include <cstdlib>
#include <numeric>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "logic/random_programs.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/real_solvers.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Problog : public ::testing::Test {
 protected:
  Problog() { ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1); }
  ~Problog() override { ::unsetenv("NDNF_PROBLOG_PYTHON"); }

  const ObservationTable table_ = RandomPrograms::all_observations();
};

/// Random programs side by side in one, each with names of its own, so that one query answers for all.
class SideBySide {
 public:
  static constexpr std::size_t kPrograms = 8;

  static std::shared_ptr<const Vocabulary> vocabulary() {
    const auto single = RandomPrograms::vocabulary();
    std::vector<AtomGroup> groups;
    for (std::size_t g = 0; g < single->group_count(); ++g) groups.push_back(single->group(g));
    std::vector<std::string> actions;
    for (std::size_t k = 0; k < kPrograms; ++k) {
      for (const std::string& action : single->actions()) actions.push_back(fmt::format("{}_{}", action, k));
    }
    return std::make_shared<Vocabulary>(std::move(groups), std::move(actions));
  }

  static Program make(RandomPrograms& random) {
    Program all{Syntax::kProbLog, "", {}, {}};
    for (std::size_t k = 0; k < kPrograms; ++k) {
      for (Statement& statement : random.problog().statements) {
        Rule& rule = std::get<Rule>(statement.content);
        for (HeadAtom& head : rule.heads) head.atom = renamed(head.atom, k);
        for (BodyLiteral& literal : rule.body) literal.atom = renamed(literal.atom, k);
        all.statements.push_back(std::move(statement));
      }
    }
    return all;
  }

 private:
  static std::string renamed(const std::string& atom, std::size_t k) {
    if (atom.starts_with("d(")) return fmt::format("d_{}{}", k, atom.substr(1));
    return atom.starts_with("action(") ? fmt::format("{}_{})", atom.substr(0, atom.size() - 1), k) : atom;
  }
};

TEST_F(Problog, AThousandRandomProgramsAgreeWithOurs) {
  constexpr std::size_t kRounds = 1000 / SideBySide::kPrograms;
  RandomPrograms random(1);
  const auto vocabulary = SideBySide::vocabulary();
  ObservationTable table(vocabulary);
  std::vector<std::string> programs;
  std::vector<ProblogQuestion> questions;
  std::vector<std::vector<double>> ours;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const Program program = SideBySide::make(random);
    const ObsId obs = table.intern(table_.values(static_cast<ObsId>(random.below(table_.size()))));
    programs.push_back(to_text(program));
    questions.push_back({i, {}});
    for (const AtomId atom : table.facts(obs)) questions.back().facts.push_back(vocabulary->atom_name(atom));
    ours.emplace_back(vocabulary->action_count());
    BoundProgram(program, vocabulary).probabilities(table, std::vector<ObsId>{obs}, ours.back());
  }
  const auto real = ask_problog(programs, questions, *vocabulary, false);
  std::size_t uncertain = 0;
  for (std::size_t i = 0; i < kRounds; ++i) {
    for (std::size_t a = 0; a < vocabulary->action_count(); ++a) {
      ASSERT_NEAR(real[i][a].value_or(-1), ours[i][a], 1e-9) << programs[i] << vocabulary->actions()[a];
      uncertain += ours[i][a] > 0 && ours[i][a] < 1 ? 1 : 0;
    }
  }
  EXPECT_GT(uncertain, 1000U);
}

TEST_F(Problog, CountsTheWorldsWithExactlyOneActionAsWeDo) {
  RandomPrograms random(4);
  std::vector<std::string> programs;
  std::vector<ProblogQuestion> questions;
  std::vector<double> ours;
  std::size_t hidden = 0;
  while (programs.size() < 150) {
    const Program program = random.problog();
    const auto obs = static_cast<ObsId>(random.below(table_.size()));
    const BoundProgram bound(program, table_.shared_vocabulary());
    ours.push_back(bound.exactly_one(table_, std::vector<ObsId>{obs})[0]);
    hidden += ours.back() > 0 && ours.back() < 0.999 ? 1 : 0;
    questions.push_back({programs.size(), {}});
    programs.push_back(to_text(program));
    for (const AtomId atom : table_.facts(obs)) {
      questions.back().facts.push_back(table_.vocabulary().atom_name(atom));
    }
  }
  EXPECT_GT(hidden, 30U);
  const auto real = ask_problog(programs, questions, table_.vocabulary(), true);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(real[i][3].value_or(-1), ours[i], 1e-9) << programs[i];
  }
}

TEST_F(Problog, FactsWhoseNumbersAddUpToOneAreNoDistribution) {
  const ProblogEvaluation real =
      evaluate_with_problog("0.3::action(left). 0.7::action(right).\n", table_, std::vector<ObsId>{0});
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
  const ProblogEvaluation real = evaluate_with_problog(rules, table_, std::vector<ObsId>{0, 5, 6});
  EXPECT_THAT(real.timeouts, IsEmpty());
  EXPECT_NEAR(real.policy.row(0)[0], 0.72, 1e-9);
  EXPECT_NEAR(real.policy.row(0)[1], 0.82, 1e-9);
  EXPECT_NEAR(real.policy.row(5)[1], 0.7, 1e-9);
  EXPECT_EQ(real.policy.row(6)[1], 0);
  EXPECT_EQ(real.policy.row(0)[2], 0);
}

TEST_F(Problog, AcceptsOurAnnotations) {
  RandomPrograms random(3);
  std::vector<std::string> programs;
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
    programs.push_back(to_text({Syntax::kProbLog, "", {{{}, rule, ""}}, {}}) + certain);
    questions.push_back({i, {}});
  }
  for (const auto& row : ask_problog(programs, questions, table_.vocabulary(), false))
    EXPECT_NEAR(*row[0], 1, 1e-9);
}

TEST_F(Problog, ListsWhatTookTooLong) {
  std::string rules;
  for (int i = 0; i < 60; ++i) rules += "0.1::action(left) ; 0.2::action(right) ; 0.3::action(wait).\n";
  const ProblogEvaluation real =
      evaluate_with_problog(rules, table_, std::vector<ObsId>{3}, std::chrono::seconds(0));
  EXPECT_EQ(real.timeouts.size(), 4U);
  EXPECT_EQ(real.timeouts[1].obs, 3U);
  EXPECT_EQ(real.timeouts[1].action, 1U);
  EXPECT_EQ(real.timeouts[3].action, std::nullopt);
}

TEST_F(Problog, RejectedProgramsGiveItsOwnWords) {
  EXPECT_THAT(testing::error_of(
                  [&] { evaluate_with_problog("0.5::action(left) :- y.", table_, std::vector<ObsId>{0}); }),
              HasSubstr("No clauses found for 'y/0'"));
  EXPECT_THAT(
      testing::error_of([&] { evaluate_with_problog("0.5::action(left :-", table_, std::vector<ObsId>{0}); }),
      HasSubstr("problog: "));
}

TEST_F(Problog, AMissingOneSaysWhatToInstall) {
  ::setenv("NDNF_PROBLOG_PYTHON", "/nowhere/python", 1);
  EXPECT_THAT(
      testing::error_of([&] { evaluate_with_problog("action(left).", table_, std::vector<ObsId>{0}); }),
      HasSubstr("ProbLog is not installed; install problog from PyPI"));
}

TEST_F(Problog, IsTimedUntilTheFirstProgramThatTakesTooLong) {
  const std::string quick = "0.3::action(a) ; 0.7::action(b).\nquery(action(a)).\nquery(action(b)).\n";
  std::string endless = quick;
  for (int i = 0; i < 30; ++i) {
    endless += fmt::format("0.5::x({0}).\n0.2::action(a) ; 0.3::action(b) ; 0.4::action(c) :- x({0}).\n", i);
  }
  const auto answers = time_problog({quick, endless, quick}, std::chrono::seconds(1));
  ASSERT_EQ(answers.size(), 2u);
  ASSERT_TRUE(answers[0]);
  EXPECT_NEAR(answers[0]->probabilities.at("action(a)"), 0.3, 1e-9);
  EXPECT_GT(answers[0]->seconds, 0);
  EXPECT_FALSE(answers[1]);
}

TEST_F(Problog, SaysWhatIsWrongWithATimedProgram) {
  EXPECT_THAT(testing::error_of([] { time_problog({"query(nobody(x)).\n"}); }), HasSubstr("UnknownClause"));
}

}  // namespace
}  // namespace ndnf
