#include "ndnf/compile/rule_conjunctions.h"

#include <gmock/gmock.h>

#include "boxes/scopes.h"
#include "compile/spare_actor.h"
#include "ndnf/compile/compile.h"
#include "ndnf/compile/unfold.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/tasks/registry.h"
#include "syntax/parsed.h"

namespace ndnf {
namespace {

using testing::asp;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::policy_of;
using testing::spare;

TEST(RuleConjunctions, AHelperIsReplacedByItsDefinition) {
  const Scope scope = every_value(testing::lettered_vocabulary({3, 1}));
  const RuleConjunctions rules =
      rule_conjunctions(asp("h :- a0. h :- b. action(do0) :- h. action(do1) :- not h."), scope);
  EXPECT_THAT(rules.of_statement, ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0u, 1u), ElementsAre(2u)));
  EXPECT_THAT(rules.actions, ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(1)));
}

TEST(RuleConjunctions, OfACompiledProgramAreThoseOfItsRules) {
  const auto vocabulary = testing::lettered_vocabulary({3, 1});
  const RuleConjunctions rules =
      rule_conjunctions(compile_asp(asp("action(do0) :- a1, not b. action(do1) :- b."), vocabulary));
  EXPECT_THAT(rules.conjunctions, ElementsAre(ElementsAre(AtomLiteral{1, true}, AtomLiteral{3, false}),
                                              ElementsAre(AtomLiteral{3, true})));
  EXPECT_THAT(rules.actions, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(rules.of_statement, ElementsAre(ElementsAre(0u), ElementsAre(1u)));
}

TEST(RuleConjunctions, WhatAlwaysHoldsIsAnAtomOrItsNegation) {
  const Scope scope = every_value(testing::lettered_vocabulary({1, 1}));
  const RuleConjunctions rules = rule_conjunctions(asp("action(do1)."), scope);
  EXPECT_THAT(rules.conjunctions,
              ElementsAre(ElementsAre(AtomLiteral{0, true}), ElementsAre(AtomLiteral{0, false})));
}

TEST(RuleConjunctions, RulesBeginAtTheirScaleAndLockedOnesAtSix) {
  const Scope scope = every_value(testing::lettered_vocabulary({1, 1, 1}));
  const RuleConjunctions rules = rule_conjunctions(asp("action(do0) :- a, not b. action(do1) :- c."), scope);
  const NeuralDnf<double> actor = with_rules(rules, {1}, 1.5, spare(3, 2, 1));
  const auto column = [&](std::size_t q) {
    return std::vector<double>{actor.conjunctions(0, q), actor.conjunctions(1, q), actor.conjunctions(2, q)};
  };
  EXPECT_THAT(column(0), ElementsAre(1.5, -1.5, 0));
  EXPECT_THAT(column(1), ElementsAre(0, 0, 6));
  EXPECT_THAT(column(2), ElementsAre(1e-3, 1e-3, 1e-3));
  EXPECT_THAT(actor.disjunctions.values(), ElementsAre(1.5, 0, 0, 1.5, 1e-3, 1e-3));
}

/// A program's best action stays the best where the program is defined.
TEST(RuleConjunctions, TheActorBeginsByDoingWhatTheProgramSays) {
  for (const auto& [file, spec] : {std::pair("corridors/sc.lp", "small-corridor"),
                                   {"corridors/lc-11.lp", "long-corridor-11"},
                                   {"door-corridor/dc.lp", "door-corridor"}}) {
    const Task environment = make_task(spec);
    const auto& vocabulary = environment.model().observations().shared_vocabulary();
    const Program program = read_program(std::string(NDNF_SOURCE_DIR "/examples/") + file, *vocabulary);
    const PolicyTable wanted =
        tabulate(BoundProgram(program, vocabulary), environment.model().observations());
    const NeuralDnf<double> fresh = spare(vocabulary->atom_count(), vocabulary->action_count());
    const NeuralDnf<double> compiled = compile_asp(program, vocabulary);
    for (const RuleConjunctions& rules :
         {rule_conjunctions(program, every_value(vocabulary)), rule_conjunctions(compiled)}) {
      const PolicyTable begun =
          policy_of(with_rules(rules, {}, 2, fresh), environment.model().observations());
      for (ObsId obs = 0; obs < wanted.size(); ++obs) {
        if (!wanted.defined(obs)) continue;
        EXPECT_EQ(begun.argmax(obs), wanted.argmax(obs)) << file;
      }
    }
  }
}

}  // namespace
}  // namespace ndnf
