#include "ndnf/nodes/layered_rules.h"

#include <gtest/gtest.h>

#include "boxes/literals.h"
#include "boxes/scopes.h"

namespace ndnf {
namespace {

using testing::no;
using testing::yes;

/// The program over single atoms a, b, c and actions do0, do1.
std::string text(const LayeredRules& rules) {
  return to_text(to_program(rules, *testing::lettered_vocabulary({1, 1, 1})));
}

TEST(LayeredRules, WriteANodeWhereItStandsForItself) {
  LayeredRules rules;
  rules.nodes = {{{yes(0), no(1)}}, {{yes(2)}}};
  rules.actions = {{{yes(0)}}, {{yes(0), yes(1)}}};
  EXPECT_EQ(text(rules), "action(do0) :- a, not b.\naction(do1) :- a, not b, c.\n");
}

TEST(LayeredRules, WriteANodeOfSeveralRulesOutIfItIsTheWholeBody) {
  LayeredRules rules;
  rules.nodes = {{{yes(0)}, {no(1), yes(2)}}};
  rules.actions = {{{yes(0)}}, {}};
  EXPECT_EQ(text(rules), "action(do0) :- a.\naction(do0) :- not b, c.\n");
}

TEST(LayeredRules, NegateASingleLiteralInPlace) {
  LayeredRules rules;
  rules.nodes = {{{no(0)}}, {{yes(1)}}};
  rules.actions = {{{no(0)}}, {{no(1), yes(0)}}};
  EXPECT_EQ(text(rules), "action(do0) :- a.\naction(do1) :- not b, not a.\n");
}

TEST(LayeredRules, NameANodeThatIsNegatedOrHasSeveralRulesInALongerBody) {
  LayeredRules rules;
  rules.nodes = {{{yes(0), yes(1)}}, {{yes(1)}, {yes(2)}}, {{yes(2)}}};
  rules.actions = {{{no(0)}}, {{yes(1), yes(2)}, {no(0), no(2)}}};
  EXPECT_EQ(text(rules),
            "action(do0) :- not conj_0.\n"
            "action(do1) :- conj_1, c.\n"
            "action(do1) :- not conj_0, not c.\n"
            "conj_0 :- a, b.\n"
            "conj_1 :- b.\n"
            "conj_1 :- c.\n");
}

TEST(LayeredRules, WithAnEmptyBodyAreFacts) {
  LayeredRules rules;
  rules.nodes = {{{}}};
  rules.actions = {{{}}, {{yes(0)}}};
  EXPECT_EQ(text(rules), "action(do0).\naction(do1).\n");
}

TEST(LayeredRules, WithChoicesAreProbLog) {
  LayeredRules rules;
  rules.node_name = "class_";
  rules.nodes = {{{yes(0)}, {yes(1)}}, {{no(0), no(1)}}};
  rules.choices = {{{yes(0)}, {0.25, 0.75}}, {{yes(1)}, {1, 0}}};
  EXPECT_EQ(text(rules),
            "0.25::action(do0) ; 0.75::action(do1) :- class_0.\n"
            "action(do0) :- \\+ a, \\+ b.\n"
            "class_0 :- a.\n"
            "class_0 :- b.\n");
}

TEST(Define, GivesOneRulePerConjunction) {
  const auto vocabulary = testing::lettered_vocabulary({1, 1, 1});
  const Program program{Syntax::kAsp, "", define("a_3", {{yes(0)}, {no(1), yes(2)}}, *vocabulary), {}};
  EXPECT_EQ(to_text(program), "a_3 :- a.\na_3 :- not b, c.\n");
  EXPECT_TRUE(define("never", {}, *vocabulary).empty());
}

}  // namespace
}  // namespace ndnf
