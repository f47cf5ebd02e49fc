#include "ndnf/boxes/exact_rules.h"

#include <bit>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/brute_force.h"
#include "boxes/scopes.h"
#include "ndnf/base/error.h"
#include "ndnf/boxes/fooling_set.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/backward_induction.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::ElementsAre;
using testing::lettered_scope;
using testing::random_actions;
using testing::random_scope;

/// The input of an extraction: a scope and the actions allowed in it.
struct RuleTask {
  Scope scope;
  std::vector<std::uint64_t> allowed;
};

/// The optimal actions of an environment whose observations show the state, ties included.
RuleTask optimal_actions(const std::string& spec) {
  const Task environment = make_task(spec);
  const FiniteModel& model = environment.model();
  const BackwardInduction optimum = induct_backward(model);
  const Reach reach = reachable(model);
  std::vector<std::uint64_t> of_observation(model.observations().size());
  for (const StateId s : reach.states) of_observation[model.observation(s)] = optimum.actions[s];
  RuleTask task{{model.shared_observations(), reach.observations}, {}};
  for (const ObsId obs : reach.observations) task.allowed.push_back(of_observation[obs]);
  return task;
}

/// The one action that the best memoryless policy prefers.
RuleTask best_policy(const std::string& spec) {
  const Task environment = make_task(spec);
  const PolicyTable policy = find_optimum(environment.model()).policy;
  RuleTask task{{environment.model().shared_observations(), reachable(environment.model()).observations}, {}};
  for (const ObsId obs : task.scope.observations())
    task.allowed.push_back(std::uint64_t{1} << policy.argmax(obs));
  return task;
}

/// Describes what is wrong with the program; "" if nothing.
std::string defect(const RuleTask& task, const ExactProgram& program) {
  std::vector<std::uint64_t> does(task.scope.size());
  std::vector<std::pair<ActionId, std::ptrdiff_t>> order;
  for (const ActionRule& rule : program.rules) {
    const std::vector<std::uint32_t> held = members(rule.body, task.scope).values();
    for (const std::uint32_t i : held) does[i] |= std::uint64_t{1} << rule.action;
    order.emplace_back(rule.action, -std::ssize(held));
  }
  if (!std::is_sorted(order.begin(), order.end())) return "rules in a wrong order";
  for (std::size_t i = 0; i < does.size(); ++i) {
    if (std::popcount(does[i]) != 1) return "not exactly one action";
    if ((does[i] & task.allowed[i]) == 0) return "an action that is not allowed";
  }
  for (ActionId a = 0; a < program.witnesses.size(); ++a) {
    if (!is_fooling_set(task.scope, task.allowed, a, program.witnesses[a])) return "false witnesses";
  }
  if (program.lower_bound > program.rules.size()) return "a bound above the size";
  return program.proved_minimal == (program.lower_bound == program.rules.size()) ? "" : "a false proof";
}

std::vector<std::size_t> witness_counts(const ExactProgram& program) {
  std::vector<std::size_t> counts;
  for (const std::vector<std::size_t>& witnesses : program.witnesses) counts.push_back(witnesses.size());
  return counts;
}

TEST(ExactRules, OfOptimalBlackjackAreTenProvedByWitnesses) {
  const RuleTask task = optimal_actions("blackjack");
  ASSERT_EQ(task.scope.size(), 280U);
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  EXPECT_EQ(defect(task, program), "");
  EXPECT_EQ(program.rules.size(), 10U);
  EXPECT_TRUE(program.proved_minimal);
  EXPECT_EQ(program.proof, "fooling set");
  EXPECT_THAT(witness_counts(program), ElementsAre(5, 5));
}

TEST(ExactRules, OfOptimalFactoredTaxiAreThirtyFourProvedByWitnesses) {
  const RuleTask task = optimal_actions("taxi:factored");
  EXPECT_EQ(
      std::count_if(task.allowed.begin(), task.allowed.end(), [](auto a) { return std::popcount(a) > 1; }),
      160);
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  EXPECT_EQ(defect(task, program), "");
  EXPECT_EQ(program.rules.size(), 34U);
  EXPECT_TRUE(program.proved_minimal);
  EXPECT_EQ(program.proof, "fooling set");
  EXPECT_THAT(witness_counts(program), ElementsAre(8, 8, 4, 6, 4, 4));
}

TEST(ExactRules, OfOneOneHotGroupAreOnePerAction) {
  const RuleTask taxi = optimal_actions("taxi");
  const ExactProgram program = extract_exactly(taxi.scope, taxi.allowed);
  EXPECT_EQ(defect(taxi, program), "");
  EXPECT_EQ(program.rules.size(), 6U);
  EXPECT_TRUE(program.proved_minimal);
  for (const char* spec : {"small-corridor", "long-corridor-5", "long-corridor-11"}) {
    const RuleTask corridor = optimal_actions(spec);
    const ExactProgram rules = extract_exactly(corridor.scope, corridor.allowed);
    EXPECT_EQ(defect(corridor, rules), "") << spec;
    EXPECT_EQ(rules.rules.size(), 2U) << spec;
    EXPECT_TRUE(rules.proved_minimal) << spec;
  }
}

TEST(ExactRules, OfTheDoorCorridorsAreProvedMinimal) {
  for (const char* spec : {"door-corridor", "door-corridor-t", "door-corridor-ot"}) {
    const RuleTask task = best_policy(spec);
    const ExactProgram program = extract_exactly(task.scope, task.allowed);
    EXPECT_EQ(defect(task, program), "") << spec;
    EXPECT_TRUE(program.proved_minimal) << spec;
    EXPECT_TRUE(program.all_boxes) << spec;
  }
}

ExactOptions without_search() {
  ExactOptions options;
  options.search_limit = 0;
  return options;
}

TEST(ExactRules, WithoutASearchAreNearlyAsFew) {
  const std::vector<std::pair<std::string, std::size_t>> most = {
      {"blackjack", 11}, {"taxi:factored", 40}, {"taxi", 6}, {"taxi:factored,rows=10,cols=10", 24}};
  for (const auto& [spec, rules] : most) {
    const RuleTask task = optimal_actions(spec);
    const ExactProgram program = extract_exactly(task.scope, task.allowed, without_search());
    EXPECT_EQ(defect(task, program), "") << spec;
    EXPECT_LE(program.rules.size(), rules) << spec;
    EXPECT_FALSE(program.searched) << spec;
  }
}

// Comparing all pairs of 40,000 observations would take hours.
TEST(ExactRules, OfALargeMapAreFewAndNothingMoreIsClaimed) {
  const RuleTask task = optimal_actions("taxi:factored,rows=50,cols=50");
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  EXPECT_EQ(defect(task, program), "");
  EXPECT_LE(program.rules.size(), 24U);
  EXPECT_FALSE(program.searched);
  EXPECT_FALSE(program.proved_minimal);
  EXPECT_THAT(witness_counts(program), ElementsAre(1, 1, 1, 1, 1, 1));
}

RC_GTEST_PROP(ExactRules, WithoutASearchAreCorrect, (bool ties)) {
  const Scope scope = random_scope(40, 3);
  const RuleTask task{scope, random_actions(scope, ties)};
  const ExactProgram program = extract_exactly(task.scope, task.allowed, without_search());
  RC_ASSERT(defect(task, program) == "");
  RC_ASSERT(program.rules.size() >= extract_exactly(task.scope, task.allowed).lower_bound);
}

/// The size of the smallest exactly-one program.
std::size_t smallest_program(const RuleTask& task) {
  return testing::smallest(task.scope, task.allowed, [](const std::vector<std::size_t>& covers) {
    return std::accumulate(covers.begin(), covers.end(), std::size_t{0});
  });
}

void compare_with_brute_force(const Scope& scope, bool ties) {
  const RuleTask task{scope, random_actions(scope, ties)};
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  RC_ASSERT(defect(task, program) == "");
  RC_ASSERT(program.proved_minimal);
  RC_ASSERT(program.rules.size() == smallest_program(task));
}

RC_GTEST_PROP(ExactRules, AreAsFewAsBruteForceFinds, ()) {
  compare_with_brute_force(random_scope(12, 3), false);
}
RC_GTEST_PROP(ExactRules, WithTiesAreAsFewAsBruteForceFinds, ()) {
  compare_with_brute_force(random_scope(12, 2), true);
}

RC_GTEST_PROP(ExactRules, AreRightAlsoWhenOnlySomeBoxesAreTried, ()) {
  const Scope scope = random_scope(12, 3);
  const RuleTask task{scope, random_actions(scope, any_below(2) == 0)};
  ExactOptions options;
  options.max_boxes = 1;
  const ExactProgram program = extract_exactly(task.scope, task.allowed, options);
  RC_ASSERT(defect(task, program) == "");
  RC_ASSERT(program.lower_bound <= smallest_program(task));
}

TEST(ExactRules, SayWhenOnlySomeBoxesAreTried) {
  const Scope square = lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  ExactOptions options;
  options.max_boxes = 1;
  for (const std::uint64_t corner : {1, 3}) {  // alone or tied
    const std::vector<std::uint64_t> allowed{corner, 2, 2, 1};
    EXPECT_FALSE(extract_exactly(square, allowed, options).all_boxes);
    EXPECT_TRUE(extract_exactly(square, allowed).all_boxes);
  }
}

RC_GTEST_PROP(ExactRules, ClaimNoMoreWhenClingoMayDoNoWork, ()) {
  const Scope scope = random_scope(12, 3);
  const RuleTask task{scope, random_actions(scope, any_below(2) == 0)};
  ExactOptions options;
  options.solve_limit = 1;
  const ExactProgram program = extract_exactly(task.scope, task.allowed, options);
  RC_ASSERT(defect(task, program) == "");
  const std::size_t least = smallest_program(task);
  RC_ASSERT(program.lower_bound <= least);
  RC_ASSERT(least <= program.rules.size());
}

TEST(ExactRules, WithTiesAreNotProvedMinimalWhereClingoGivesUp) {
  // Off the diagonal of a 6×6 grid 4 boxes are needed, but no 4 observations there form a fooling set.
  std::vector<std::vector<std::uint32_t>> grid;
  std::vector<std::uint64_t> allowed;
  for (std::uint32_t x = 0; x < 6; ++x) {
    for (std::uint32_t y = 0; y < 6; ++y) {
      grid.push_back({x, y});
      allowed.push_back(x == 0 && y == 0 ? 3 : x == y ? 1 : 2);
    }
  }
  const Scope scope = lettered_scope({6, 6}, grid);
  ExactOptions options;
  options.solve_limit = 1;
  const ExactProgram guessed = extract_exactly(scope, allowed, options);
  const ExactProgram proved = extract_exactly(scope, allowed);
  EXPECT_TRUE(proved.proved_minimal);
  EXPECT_FALSE(guessed.proved_minimal);
  EXPECT_LE(guessed.lower_bound, proved.rules.size());
}

TEST(ExactRules, NameWhatHoldsInTheFewestLiterals) {
  // b alone decides; a and c are noise that a box need not mention.
  const RuleTask task{lettered_scope({3, 1, 1}, {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {2, 1, 0}}), {1, 2, 1, 2}};
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  ASSERT_EQ(program.rules.size(), 2U);
  EXPECT_THAT(program.rules[0].body, ElementsAre(AtomLiteral{3, false}));
  EXPECT_THAT(program.rules[1].body, ElementsAre(AtomLiteral{3, true}));
}

TEST(ExactRules, LetOneActionHaveAllThatTie) {
  const RuleTask task{lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}), {3, 3, 3, 3}};
  const ExactProgram program = extract_exactly(task.scope, task.allowed);
  EXPECT_EQ(defect(task, program), "");
  EXPECT_EQ(program.rules.size(), 1U);
  EXPECT_TRUE(program.proved_minimal);
}

TEST(ExactRules, KnowTheFewestBoxesOfEachActionWhereNothingTies) {
  const RuleTask blackjack = optimal_actions("blackjack");
  EXPECT_THAT(extract_exactly(blackjack.scope, blackjack.allowed).covers, ElementsAre(5, 5));
  const RuleTask taxi = optimal_actions("taxi:factored");
  EXPECT_THAT(extract_exactly(taxi.scope, taxi.allowed).covers, ::testing::IsEmpty());
}

TEST(ExactRules, OfTensOfThousandsOfGroupsAreFoundInLittleMemory) {
  constexpr std::size_t kGroups = 20'000;
  constexpr std::size_t kObservations = 60;
  std::vector<AtomGroup> groups;
  for (std::size_t g = 0; g < kGroups; ++g) groups.push_back(AtomGroup::single(fmt::format("f{}", g)));
  const auto vocabulary = std::make_shared<Vocabulary>(std::move(groups), std::vector<std::string>{"a", "b"});
  const auto table = std::make_shared<ObservationTable>(vocabulary);
  std::vector<ObsId> all;
  std::vector<std::uint64_t> allowed;
  for (std::size_t i = 0; i < kObservations; ++i) {
    std::vector<std::uint32_t> row(kGroups, 0);
    row[7 * i] = 1;
    all.push_back(table->intern(row));
    allowed.push_back(i == 5 || i == 6 ? 2 : 1);
  }
  const ExactProgram program = extract_exactly(Scope(table, all), allowed);
  EXPECT_EQ(program.rules_for(0), 1u);
  EXPECT_EQ(program.rules_for(1), 1u);  // none of the other flags
  EXPECT_TRUE(program.proved_minimal);
}

TEST(ExactRules, CannotTellApartWhatLooksAlike) {
  auto table = std::make_shared<ObservationTable>(testing::lettered_vocabulary({2}), 1);
  table->intern(std::vector<std::uint32_t>{0}, std::vector<float>{0});
  table->intern(std::vector<std::uint32_t>{0}, std::vector<float>{1});
  const Scope scope(table, {0, 1});
  EXPECT_THROW(extract_exactly(scope, std::vector<std::uint64_t>{1, 2}), Error);
  EXPECT_EQ(extract_exactly(scope, std::vector<std::uint64_t>{1, 3}).rules.size(), 1U);
}

}  // namespace
}  // namespace ndnf
