#include "ndnf/extract/definitions.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "boxes/free_atoms.h"
#include "boxes/literals.h"
#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::lettered_scope;
using testing::no;
using testing::yes;

/// One conjunction per predicate.
using Definitions = std::vector<Conjunction>;

/// The literals a, not a, b, not b, … that a number's bits choose.
Conjunction chosen(std::uint32_t bits, std::size_t atoms) {
  Conjunction literals;
  for (AtomId atom = 0; atom < atoms; ++atom) {
    if ((bits >> (2 * atom) & 1) != 0) literals.push_back(no(atom));
    if ((bits >> (2 * atom + 1) & 1) != 0) literals.push_back(yes(atom));
  }
  return literals;
}

bool defines(const Conjunction& conjunction, const InventedPredicate& predicate, const Scope& scope) {
  for (std::size_t k = 0; k < scope.size(); ++k) {
    if (testing::satisfies(scope, k, conjunction) != predicate.truth[k]) return false;
  }
  return true;
}

/// Literals; whether two predicates use an atom with opposite signs; predicates that have a negation: in the
/// order of their weight.
using Cost = std::array<std::size_t, 3>;

bool has(const Conjunction& definition, const AtomLiteral& literal) {
  return std::find(definition.begin(), definition.end(), literal) != definition.end();
}

Cost cost_of(const Definitions& definitions) {
  Cost cost = {0, 0, 0};
  for (const auto& definition : definitions) {
    cost[0] += definition.size();
    cost[2] += std::any_of(definition.begin(), definition.end(),
                           [](const AtomLiteral& literal) { return !literal.positive; })
                   ? 1
                   : 0;
    for (const AtomLiteral& literal : definition) {
      for (const auto& other : definitions) {
        if (&other != &definition && has(other, {literal.atom, !literal.positive})) cost[1] = 1;
      }
    }
  }
  return cost;
}

/// By trying all pairs of conjunctions.
std::vector<Definitions> optima_by_trying(const std::array<InventedPredicate, 2>& predicates,
                                          const Scope& scope) {
  const std::size_t atoms = scope.vocabulary().atom_count();
  std::array<std::vector<std::uint32_t>, 2> candidates;
  for (std::uint32_t bits = 1; bits < (1u << 2 * atoms); ++bits) {
    for (std::size_t p = 0; p < 2; ++p) {
      if (defines(chosen(bits, atoms), predicates[p], scope)) candidates[p].push_back(bits);
    }
  }
  std::vector<Definitions> best;
  for (const std::uint32_t first : candidates[0]) {
    for (const std::uint32_t second : candidates[1]) {
      if ((first & second) != 0) continue;
      const Definitions pair = {chosen(first, atoms), chosen(second, atoms)};
      if (!best.empty() && cost_of(best[0]) < cost_of(pair)) continue;
      if (!best.empty() && cost_of(pair) < cost_of(best[0])) best.clear();
      best.push_back(pair);
    }
  }
  std::sort(best.begin(), best.end());
  return best;
}

TEST(Definitions, AreTheFewestLiteralsThatTellThePredicate) {
  const Scope scope = lettered_scope({1, 1, 1}, {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
  const std::vector<InventedPredicate> predicates = {{"both", {false, false, false, true}},
                                                     {"none", {true, false, false, false}}};
  const DefinitionSearch search = define_by_conjunctions(predicates, scope);
  EXPECT_THAT(search.optima, ElementsAre(Definitions{{yes(0), yes(1)}, {no(2)}}));
  EXPECT_TRUE(search.all);
}

TEST(Definitions, ComeAllWhenSeveralAreSmallest) {
  const Scope scope = lettered_scope({1, 1}, {{0, 0}, {1, 1}});  // a and b say the same
  const std::vector<InventedPredicate> one = {{"on", {false, true}}};
  EXPECT_THAT(define_by_conjunctions(one, scope).optima,
              ElementsAre(Definitions{{yes(0)}}, Definitions{{yes(1)}}));
  const DefinitionSearch first = define_by_conjunctions(one, scope, kSolveLimit, 1);
  EXPECT_EQ(first.optima.size(), 1u);
  EXPECT_FALSE(first.all);
}

// As in the authors' program: a predicate with two negations costs as much as one with a single negation.
TEST(Definitions, CountPredicatesWithANegationNotNegations) {
  // Two negations, or a negation and the atom that says the same as the other's.
  const Scope scope = lettered_scope({1, 1, 1}, {{0, 0, 1}, {0, 1, 0}, {1, 0, 1}, {1, 1, 0}});
  const std::vector<InventedPredicate> neither = {{"neither", {true, false, false, false}}};
  EXPECT_THAT(define_by_conjunctions(neither, scope).optima,
              ElementsAre(Definitions{{no(0), no(1)}}, Definitions{{no(0), yes(2)}}));
}

TEST(Definitions, DoNotExistForADisjunction) {
  const Scope scope = lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<InventedPredicate> any = {{"any", {false, true, true, true}}};
  const DefinitionSearch search = define_by_conjunctions(any, scope);
  EXPECT_THAT(search.optima, IsEmpty());
  EXPECT_TRUE(search.all);
}

TEST(Definitions, DoNotShareALiteral) {
  const Scope scope = lettered_scope({1}, {{0}, {1}});
  const InventedPredicate on{"on", {false, true}};
  EXPECT_THAT(define_by_conjunctions(std::vector{on, on}, scope).optima, IsEmpty());
}

/// Two atoms that say the same; the first has this name and is `barred` from definitions or not.
Scope twin_atoms(const std::string& name, bool barred) {
  AtomGroup first = AtomGroup::single(name);
  if (barred) first.not_in_definitions = {name};
  auto table = std::make_shared<ObservationTable>(std::make_shared<Vocabulary>(
      std::vector{first, AtomGroup::single("door")}, std::vector<std::string>{"go"}));
  for (const std::uint32_t on : {0u, 1u}) table->intern(std::vector{on, on});
  return Scope(table, {0, 1});
}

TEST(Definitions, NeverUseAtomsThatTheVocabularyBars) {
  const std::vector<InventedPredicate> predicates = {{"on", {false, true}}};
  EXPECT_THAT(define_by_conjunctions(predicates, twin_atoms("mark", true)).optima,
              ElementsAre(Definitions{{yes(1)}}));
}

TEST(Definitions, DoNotDependOnTheNamesOfAtoms) {
  const std::vector<InventedPredicate> predicates = {{"on", {false, true}}};
  EXPECT_THAT(define_by_conjunctions(predicates, twin_atoms("here_agent", false)).optima,
              ElementsAre(Definitions{{yes(0)}}, Definitions{{yes(1)}}));
}

// A policy that never leaves its first image sees predicates that are all alike: very many smallest sets.
TEST(Definitions, OfManyPredicatesThatLookAlikeAreFoundAndProved) {
  const std::size_t atoms = 40;
  const Scope scope = testing::scope_of({std::vector<std::uint32_t>(atoms, 1)}, 2);
  const std::vector<InventedPredicate> predicates(12, InventedPredicate{"on", {true}});
  const DefinitionSearch search = define_by_conjunctions(predicates, scope, kSolveLimit, 5);
  EXPECT_TRUE(search.proved);
  EXPECT_FALSE(search.all);
  ASSERT_EQ(search.optima.size(), 5u);
  for (const auto& definition : search.optima[0]) EXPECT_EQ(definition.size(), 1u);
}

TEST(Definitions, OfNothingAreEmpty) {
  EXPECT_THAT(define_by_conjunctions({}, lettered_scope({1}, {{0}})).optima, ElementsAre(IsEmpty()));
}

RC_GTEST_PROP(Definitions, AreExactlyTheOptimaThatTryingFinds, ()) {
  std::vector<std::vector<std::uint32_t>> rows(2 + any_below<std::size_t>(5));
  for (auto& row : rows) row = {any_below(2u), any_below(2u), any_below(2u)};
  const Scope scope = lettered_scope({1, 1, 1}, rows);
  std::array<InventedPredicate, 2> predicates;
  for (InventedPredicate& predicate : predicates) {
    for (std::size_t k = 0; k < scope.size(); ++k) predicate.truth.push_back(any_below(3) == 0);
  }
  const DefinitionSearch search = define_by_conjunctions(predicates, scope, kSolveLimit, 1000);
  RC_ASSERT(search.all);
  RC_ASSERT(search.optima == optima_by_trying(predicates, scope));
}

}  // namespace
}  // namespace ndnf
