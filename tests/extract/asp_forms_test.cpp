#include "ndnf/extract/asp_forms.h"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/scopes.h"
#include "ndnf/compile/compile.h"
#include "ndnf/extract/program_size.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/solvers/real_solvers.h"

namespace ndnf {
namespace {

using testing::lettered_scope;
using testing::random_actions;
using testing::random_scope;

Scope letters() {  // single atoms a, b, c and three actions
  std::vector<std::vector<std::uint32_t>> rows;
  for (std::uint32_t bits = 0; bits < 8; ++bits) rows.push_back({bits & 1, bits >> 1 & 1, bits >> 2});
  return lettered_scope({1, 1, 1}, rows, 3);
}

std::string written(const DecisionList& list, const Scope& scope) {
  return to_text(list_program(list, scope.vocabulary(), scope.vocabulary()));
}

TEST(AspForms, WriteAListWhoseActionsComeOnceWithoutHelpers) {
  const Scope scope = letters();
  const DecisionList list{{{1, {{0, true}}}, {1, {{1, true}, {2, true}}}, {0, {{2, false}}}}, 2};
  EXPECT_EQ(written(list, scope),
            "action(do1) :- a.\n"
            "action(do1) :- b, c.\n"
            "action(do0) :- not c, not action(do1).\n"
            "action(do2) :- not action(do1), not action(do0).\n");
  EXPECT_EQ(rule_count(list), 4u);
}

TEST(AspForms, NameABlockWhoseActionComesAgain) {
  const Scope scope = letters();
  const DecisionList list{{{0, {{0, true}}}, {1, {{1, true}}}, {0, {{2, true}}}}, 1};
  EXPECT_EQ(written(list, scope),
            "case_1 :- a.\n"
            "action(do0) :- case_1.\n"
            "case_2 :- b, not case_1.\n"
            "action(do1) :- case_2.\n"
            "action(do0) :- c, not case_1, not case_2.\n"
            "action(do1) :- not case_2, not action(do0).\n");
  EXPECT_EQ(rule_count(list), 6u);
}

TEST(AspForms, ChooseHelperNamesThatAreFree) {
  auto vocabulary = std::make_shared<Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::single("case_1"), AtomGroup::single("case_1_")},
      std::vector<std::string>{"do0", "do1"});
  auto table = std::make_shared<ObservationTable>(vocabulary);
  for (std::uint32_t bits = 0; bits < 4; ++bits)
    table->intern(std::vector<std::uint32_t>{bits & 1, bits >> 1});
  const Scope scope(table, {0, 1, 2, 3});
  EXPECT_THAT(written({{{0, {{0, true}}}, {1, {{1, true}}}}, 0}, scope),
              ::testing::StartsWith("case_1__ :- case_1.\n"));
}

/// What a program does in each observation, one bit per action.
std::vector<std::uint64_t> actions_of(const PolicyTable& rows) {
  std::vector<std::uint64_t> actions;
  for (ObsId obs = 0; obs < rows.size(); ++obs) {
    std::uint64_t& mask = actions.emplace_back();
    for (ActionId a = 0; a < rows.action_count(); ++a) mask |= std::uint64_t{rows.row(obs)[a] == 1} << a;
  }
  return actions;
}

/// One allowed action everywhere, as our evaluator, the real clingo and the compiled network see it.
void expect_right(const Program& program, const Scope& scope, const std::vector<std::uint64_t>& allowed,
                  bool ask_clingo) {
  const ObservationTable& table = scope.table();
  const PolicyTable rows = tabulate(BoundProgram(program, table.shared_vocabulary()), table);
  const std::vector<std::uint64_t> does = actions_of(rows);
  for (std::size_t i = 0; i < does.size(); ++i) {
    RC_ASSERT(std::has_single_bit(does[i]));
    RC_ASSERT((does[i] & allowed[i]) != 0);
  }
  const NeuralDnf<double> network = compile_asp(program, table.shared_vocabulary());
  RC_ASSERT(network.disjunctions.cols() == table.vocabulary().action_count());
  if (ask_clingo) {
    RC_ASSERT(actions_of(evaluate_with_clingo(program, table, scope.observations())) == does);
  }
}

RC_GTEST_PROP(AspForms, AllDoTheSame, ()) {
  const Scope scope = random_scope(14, 3);
  const std::vector<std::uint64_t> allowed = random_actions(scope, testing::any_below(2) == 0);
  const bool ask_clingo = testing::any_below(10) == 0;
  const ExactProgram exact = extract_exactly(scope, allowed);
  const DefaultProgram with_default = default_form(scope, allowed, exact);
  const DecisionList start{with_default.rules, with_default.otherwise};
  const DecisionList list = find_decision_list(scope, allowed, std::vector{start});
  const Program programs[] = {exactly_one_program(exact.rules, scope.vocabulary()),
                              default_program(with_default, scope.vocabulary()),
                              list_program(list, scope.vocabulary(), scope.vocabulary())};
  for (const Program& program : programs) expect_right(program, scope, allowed, ask_clingo);
  RC_ASSERT(size_of(programs[0], scope).rules == exact.rules.size());
  RC_ASSERT(size_of(programs[1], scope).rules == with_default.size());
  RC_ASSERT(size_of(programs[2], scope).rules == rule_count(list));
  RC_ASSERT(rule_count(list) <= with_default.size());
}

TEST(AspForms, AreShortestAsAListWhereOneRegionLiesUponAnother) {
  // do0 where both values are even, upon two halves for do1 and do2. Boxes must go around it.
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<std::uint64_t> allowed;
  for (std::uint32_t x = 0; x < 6; ++x) {
    for (std::uint32_t y = 0; y < 6; ++y) {
      rows.push_back({x, y});
      allowed.push_back((x + y) % 2 == 0 && x % 2 == 0 ? 1 : x < 3 ? 2 : 4);
    }
  }
  const Scope scope = lettered_scope({6, 6}, rows, 3);
  const ExactProgram exact = extract_exactly(scope, allowed);
  const DefaultProgram with_default = default_form(scope, allowed, exact);
  const DecisionList start{with_default.rules, with_default.otherwise};
  const DecisionList list = find_decision_list(scope, allowed, std::vector{start});
  EXPECT_LT(rule_count(list), with_default.size());
  EXPECT_LT(with_default.size(), exact.rules.size());
  EXPECT_EQ(rule_count(list), 3u);
}

}  // namespace
}  // namespace ndnf
