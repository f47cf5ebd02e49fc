#include "ndnf/nodes/simplify.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

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

/// Atoms a and b, in all ways but both true.
Scope not_both() { return lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}}); }

TEST(Irredundant, LeavesOutWhatTheOthersCover) {
  const Dnf dnf = {{yes(0), no(1)}, {no(1)}, {yes(1)}, {yes(0), yes(1)}};
  EXPECT_EQ(irredundant(dnf, not_both()), (Dnf{{no(1)}, {yes(1)}}));
}

TEST(Irredundant, KeepsOneOfTwoThatCoverTheSame) {
  EXPECT_EQ(irredundant({{yes(0)}, {yes(0), no(1)}}, not_both()).size(), 1u);
}

RC_GTEST_PROP(Irredundant, KeepsTheTruthValuesAndNeedsEveryConjunction, ()) {
  const Scope scope = testing::random_scope(12);
  Dnf dnf(any_below<std::size_t>(7));
  for (auto& conjunction : dnf) {
    for (AtomId atom = 0; atom < scope.vocabulary().atom_count(); ++atom) {
      if (any_below(3) == 0) conjunction.push_back({atom, any_below(2) == 0});
    }
  }
  const Dnf kept = irredundant(dnf, scope);
  RC_ASSERT(members(kept, scope) == members(dnf, scope));
  for (std::size_t c = 0; c < kept.size(); ++c) {
    Dnf without = kept;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(c));
    RC_ASSERT(members(without, scope) != members(dnf, scope));
  }
}

/// Nodes over not_both(): 0 is a, 1 is b, 2 is a again in other words, 3 is always true, 4 never.
LayeredRules five_nodes() {
  LayeredRules rules;
  rules.nodes = {{{yes(0)}}, {{yes(1)}}, {{yes(0), no(1)}}, {{no(0)}, {no(1)}}, {{yes(0), yes(1)}}};
  return rules;
}

TEST(Simplify, UsesTheFirstOfEqualNodes) {
  LayeredRules rules = five_nodes();
  rules.actions = {{{yes(2), no(1)}}};
  simplify(rules, not_both());
  EXPECT_THAT(rules.actions[0], ElementsAre(ElementsAre(yes(0), no(1))));
}

TEST(Simplify, LeavesOutNodesThatAlwaysHoldOrNeverDo) {
  LayeredRules rules = five_nodes();
  rules.actions = {{{yes(0), yes(3)}, {no(4), no(1)}}, {{yes(3)}}};
  simplify(rules, not_both());
  EXPECT_THAT(rules.actions[0], ElementsAre(ElementsAre(yes(0)), ElementsAre(no(1))));
  EXPECT_THAT(rules.actions[1], ElementsAre(IsEmpty()));  // a fact
}

TEST(Simplify, DropsBodiesThatCannotHoldOrAreThereTwice) {
  LayeredRules rules = five_nodes();
  rules.actions = {{{yes(4)}, {no(3)}, {yes(0), no(2)}, {yes(1)}, {yes(1), yes(3)}}};
  rules.choices = {{{yes(0), no(2)}, {1, 0}}, {{yes(2), no(4)}, {0.25, 0.75}}};
  simplify(rules, not_both());
  EXPECT_THAT(rules.actions[0], ElementsAre(ElementsAre(yes(1))));
  ASSERT_EQ(rules.choices.size(), 1u);
  EXPECT_THAT(rules.choices[0].body, ElementsAre(yes(0)));
  EXPECT_THAT(rules.choices[0].p, ElementsAre(0.25, 0.75));
}

}  // namespace
}  // namespace ndnf
