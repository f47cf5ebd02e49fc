#include "ndnf/boxes/dnf.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "boxes/literals.h"
#include "boxes/scopes.h"
#include "ndnf/boxes/box.h"

namespace ndnf {
namespace {

using testing::any_below;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::no;
using testing::yes;

Conjunction random_conjunction(std::size_t atoms) {
  Conjunction literals;
  for (AtomId atom = 0; atom < atoms; ++atom) {
    if (any_below(3) == 0) literals.push_back({atom, any_below(2) == 0});
  }
  return literals;
}

TEST(Dnf, HoldsWhereOneOfItsConjunctionsDoes) {
  const Scope scope = testing::lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}});  // not both
  EXPECT_THAT(members(Dnf{{yes(0)}, {no(1)}}, scope).values(), ElementsAre(0, 2));
  EXPECT_THAT(members(Dnf{{}}, scope).values(), ElementsAre(0, 1, 2));
  EXPECT_THAT(members(Dnf{}, scope).values(), IsEmpty());
}

RC_GTEST_PROP(Conjunction, HoldsWhereAllItsLiteralsDoAndSoDoesItsBox, ()) {
  const Scope scope = testing::random_scope(12);
  const Conjunction conjunction = random_conjunction(scope.vocabulary().atom_count());
  const PositionSet held = members(conjunction, scope);
  for (std::size_t i = 0; i < scope.size(); ++i) {
    RC_ASSERT(held.contains(i) ==
              std::all_of(conjunction.begin(), conjunction.end(), [&](const AtomLiteral& literal) {
                return scope.table().holds(scope.observations()[i], literal.atom) == literal.positive;
              }));
  }
  RC_ASSERT(members(box_of(conjunction, scope), scope) == held);
}

TEST(Conjunction, BecomesAColumnOfPlusAndMinusSix) {
  const std::vector<Conjunction> conjunctions{{yes(0), no(2)}, {}};
  const Matrix<double> W = conjunctive_weights(conjunctions, 3);
  ASSERT_EQ(W.rows(), 3U);
  ASSERT_EQ(W.cols(), 2U);
  EXPECT_EQ(W(0, 0), 6);
  EXPECT_EQ(W(1, 0), 0);
  EXPECT_EQ(W(2, 0), -6);
  EXPECT_EQ(W(0, 1), 0);
  EXPECT_EQ(literals_of_column(W, 0), conjunctions[0]);
  EXPECT_EQ(literals_of_column(W, 1), conjunctions[1]);
}

}  // namespace
}  // namespace ndnf
