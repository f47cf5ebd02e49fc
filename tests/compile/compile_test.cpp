#include "ndnf/compile/compile.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "boxes/scopes.h"
#include "distributions/distributions.h"
#include "env/json_files.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/tasks/registry.h"
#include "syntax/parsed.h"
#include "syntax/random_programs.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using testing::asp;
using ::testing::Each;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lettered_scope;
using ::testing::Not;
using testing::problog;

std::vector<ObsId> all_of(const ObservationTable& table) {
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), ObsId{0});
  return ids;
}

/// Raw outputs in every observation of the table.
Matrix<double> raw_outputs(const NeuralDnf<double>& dnf, const ObservationTable& table) {
  AtomBatch atoms;
  gather_atoms(table, all_of(table), -1, atoms);
  DnfActivations<double> activations;
  return forward(dnf, atoms, activations);
}

/// Whether outputs are as specified for compile_asp: at least 6 for an action that holds, −6 for one that
/// does not.
bool tells_what_holds(const Matrix<double>& raw, const PolicyTable& program) {
  for (ObsId obs = 0; obs < program.size(); ++obs) {
    for (ActionId a = 0; a < program.action_count(); ++a) {
      if (program.row(obs)[a] == 1 ? raw(obs, a) < 6 : raw(obs, a) != -6) return false;
    }
  }
  return true;
}

bool agree_everywhere(const Program& program, const ObservationTable& table) {
  const NeuralDnf<double> network = compile_asp(program, table.shared_vocabulary());
  return tells_what_holds(raw_outputs(network, table),
                          tabulate(BoundProgram(program, table.shared_vocabulary()), table));
}

/// The largest difference of a probability after the network went through float32.
double difference_as_float(const NeuralDnf<double>& dnf, const Program& program, const Scope& scope) {
  ActorCritic<double> network;
  network.actor = dnf;
  const Matrix<double> q = testing::distributions_of(converted<double>(converted<float>(network)), scope);
  const PolicyTable p = tabulate(BoundProgram(program, scope.table().shared_vocabulary()), scope.table());
  double largest = 0;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    for (ActionId a = 0; a < p.action_count(); ++a) {
      largest = std::max(largest, std::abs(q(i, a) - p.row(scope.observations()[i])[a]));
    }
  }
  return largest;
}

TEST(CompileAsp, TenThousandRandomProgramsAgreeInEveryObservation) {
  RandomPrograms random(1);
  const ObservationTable table = RandomPrograms::all_observations();
  for (int i = 0; i < 10'000; ++i) {
    const Program program = random.asp();
    ASSERT_TRUE(agree_everywhere(program, table)) << "program " << i << ":\n" << to_text(program);
  }
}

TEST(CompileAsp, WeightsAreSixes) {
  const ObservationTable table = RandomPrograms::all_observations();
  const NeuralDnf<double> network =
      compile_asp(asp("h :- x_0. h :- x_1, cell(2). action(left) :- h, not x_3. action(right) :- not h."),
                  table.shared_vocabulary());
  EXPECT_EQ(network.activation, Activation::kStep);
  for (const Matrix<double>* m : {&network.conjunctions, &network.disjunctions}) {
    EXPECT_THAT(m->values(), Each(::testing::AnyOf(-6, 0, 6)));
  }
}

TEST(CompileAsp, ActionsShareConjunctions) {
  const ObservationTable table = RandomPrograms::all_observations();
  const NeuralDnf<double> network =
      compile_asp(asp("h :- x_0, x_1. action(left) :- h. action(wait) :- x_1, x_0. action(right) :- x_2."),
                  table.shared_vocabulary());
  EXPECT_EQ(network.conjunctions.cols(), 2u);
}

TEST(CompileAsp, RulesWithoutBodyAndActionsWithoutRulesAreTrueAndFalse) {
  const ObservationTable table = RandomPrograms::all_observations();
  EXPECT_TRUE(agree_everywhere(asp("action(left)."), table));
  EXPECT_TRUE(agree_everywhere(asp("action(left) :- x_0, not x_0."), table));
  EXPECT_EQ(
      compile_asp(asp("action(left). action(left) :- x_0."), table.shared_vocabulary()).conjunctions.cols(),
      1u);
}

TEST(CompileAsp, RefusesWhatCannotBeBound) {
  const auto vocabulary = RandomPrograms::vocabulary();
  EXPECT_THAT(error_of([&] { compile_asp(asp("h :- k.\nk :- h.\naction(left) :- h."), vocabulary); }),
              AllOf(HasSubstr("p.lp:1:1"), HasSubstr("recursion")));
  EXPECT_THAT(error_of([&] { compile_asp(asp("action(left) :- x_9."), vocabulary); }),
              HasSubstr("p.lp:1:17"));
}

/// A program of exclusive bodies that cover everything: a decision list over random helpers, and random
/// definitions of these.
Program random_decision_list(RandomPrograms& random) {
  Program program = random.problog();
  std::erase_if(program.statements, [](const Statement& statement) {
    return std::get<Rule>(statement.content).heads.front().atom.starts_with("action(");
  });
  std::set<std::string> helpers;
  for (const Statement& statement : program.statements) {
    helpers.insert(std::get<Rule>(statement.content).heads.front().atom);
  }
  std::vector<BodyLiteral> body;
  const auto add_rule = [&] {
    const double p = static_cast<double>(random.below(1001)) / 1000;
    const double q = (1 - p) * static_cast<double>(random.below(1001)) / 1000;
    program.statements.push_back({{},
                                  Rule{{{"action(left)", p, true, {}},
                                        {"action(right)", q, true, {}},
                                        {"action(wait)", std::max(0.0, 1 - p - q), true, {}}},
                                       body,
                                       {}},
                                  ""});
  };
  for (const std::string& helper : helpers) {
    body.push_back({helper, true, {}});
    add_rule();
    body.back().positive = false;
  }
  add_rule();
  return program;
}

/// Some observations of the random programs' task.
Scope random_observations(RandomPrograms& random, std::size_t count) {
  const auto table = std::make_shared<const ObservationTable>(RandomPrograms::all_observations());
  std::set<ObsId> some;
  while (some.size() < count) some.insert(static_cast<ObsId>(random.below(table->size())));
  return Scope(table, {some.begin(), some.end()});
}

TEST(CompileProblog, TenThousandRandomProgramsHaveTheSameDistribution) {
  RandomPrograms random(2);
  const Scope scope = random_observations(random, 40);
  for (int i = 0; i < 10'000; ++i) {
    const Program program = random_decision_list(random);
    ASSERT_LE(difference_as_float(compile_problog(program, scope), program, scope), kCompiledPrecision)
        << "program " << i << ":\n"
        << to_text(program);
  }
}

TEST(CompileProblog, FloatsAreEnoughForManyClasses) {
  std::vector<std::vector<std::uint32_t>> rows;
  std::string text;
  for (std::uint32_t i = 0; i < 400; ++i) {
    rows.push_back({i});
    text += fmt::format("{0}::action(do0) ; {1}::action(do1) :- a{2}.\n", 0.9995 - i * 0.0025 + 0.00025,
                        1 - (0.9995 - i * 0.0025 + 0.00025), i);
  }
  const Scope scope = lettered_scope({400}, rows);
  const Program program = problog(text);
  EXPECT_LE(difference_as_float(compile_problog(program, scope), program, scope), 1e-7);
}

TEST(CompileProblog, KnowsProbabilitiesOfZeroAndOne) {
  const Scope scope = lettered_scope({3}, {{0}, {1}, {2}});
  const Program program = problog(
      "action(do0) :- a0. 0::action(do0) ; 1::action(do1) :- a1. 0.5::action(do0) ; 0.5::action(do1) :- a2.");
  EXPECT_LE(difference_as_float(compile_problog(program, scope), program, scope), 1e-7);
}

TEST(CompileProblog, NamesBothRulesWhoseBodiesOverlapAndWhere) {
  const Scope scope = lettered_scope({2, 1}, {{0, 0}, {1, 1}, {0, 1}});
  const std::string complaint = error_of([&] {
    compile_problog(
        problog("0.3::action(do0) ; 0.7::action(do1) :- a0.\n0.6::action(do0) ; 0.4::action(do1) :- b."),
        scope);
  });
  EXPECT_EQ(
      complaint,
      "p.pl:2:1: its body and that of the rule at 1:1 both hold in a0, b, expected bodies that exclude each "
      "other");
}

TEST(CompileProblog, RulesForOneCertainActionMayOverlap) {
  const Scope scope = lettered_scope({2, 1}, {{0, 0}, {1, 1}, {0, 1}});
  const Program program = problog("action(do1) :- a0. action(do1) :- b.");
  EXPECT_LE(difference_as_float(compile_problog(program, scope), program, scope), 1e-7);
}

TEST(CompileProblog, NamesEveryRuleThatLeavesSomethingToChanceAndWhatIsNotCovered) {
  const Scope scope = lettered_scope({3}, {{0}, {1}, {2}});
  const std::string complaint =
      error_of([&] { compile_problog(problog("0.3::action(do0) :- a0.\n0.5::action(do1) :- a1."), scope); });
  EXPECT_EQ(complaint,
            "p.pl:1:1: its probabilities sum to 0.3, expected 1 because it holds in a0\n"
            "p.pl:2:1: its probabilities sum to 0.5, expected 1 because it holds in a1\n"
            "p.pl: no rule holds in a2, expected one in every reachable observation");
}

TEST(CompileProblog, OverlapsThatAreNeverSeenDoNoHarm) {
  const Scope scope = lettered_scope({1, 1}, {{0, 1}, {1, 0}});
  const Program program =
      problog("0.3::action(do0) ; 0.7::action(do1) :- a. 0.6::action(do0) ; 0.4::action(do1) :- b.");
  EXPECT_LE(difference_as_float(compile_problog(program, scope), program, scope), 1e-7);
}

TEST(CompileAsp, ConstraintsLeaveNoAction) {
  const ObservationTable table = RandomPrograms::all_observations();
  EXPECT_TRUE(agree_everywhere(asp("action(left) :- x_0. action(right) :- not action(left).\n"
                                   ":- action(left), cell(3), not x_1. :- x_2, x_3, action(right)."),
                               table));
}

TEST(CompileProblog, HelpersWithProbabilitiesComeFromTheTable) {
  const auto table = std::make_shared<ObservationTable>(RandomPrograms::all_observations());
  const Scope scope(table, all_of(*table));
  const Program program =
      problog("0.3::coin :- x_0. lucky :- coin, x_1. action(left) :- lucky.\naction(right) :- \\+ lucky.");
  EXPECT_LT(difference_as_float(compile_problog(program, scope), program, scope), kCompiledPrecision);
  EXPECT_THAT(error_of([&] { compile_problog(problog("0.3::coin. action(left) :- coin."), scope); }),
              HasSubstr("expected a distribution in every reachable observation"));
}

}  // namespace
}  // namespace ndnf
