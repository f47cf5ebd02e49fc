#include "ndnf/compile/unfold.h"

#include <gmock/gmock.h>

#include "boxes/free_atoms.h"
#include "boxes/literals.h"
#include "boxes/scopes.h"
#include "env/json_files.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lettered_scope;
using testing::lettered_vocabulary;
using testing::no;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using testing::yes;

/// Group a with a0, a1, a2 (atoms 0 to 2), then the single atoms b, c and d (3 to 5).
const std::vector<std::size_t> kGroups = {3, 1, 1, 1};

/// The last statement's body, unfolded for all observations.
Dnf last_body(const std::string& text) {
  const Scope scope = every_value(lettered_vocabulary(kGroups));
  const Program program = parse_program("p.lp", text, Syntax::kAsp);
  return unfold(program, scope, Care::kAll).back();
}

TEST(Unfold, ReplacesHelpersByAllTheirRules) {
  EXPECT_THAT(last_body("h :- b. h :- c, not d. action(do0) :- a1, h."),
              UnorderedElementsAre(Conjunction{yes(1), yes(3)}, Conjunction{yes(1), yes(4), no(5)}));
}

TEST(Unfold, AnActionInABodyIsAHelper) {
  EXPECT_THAT(last_body("action(do0) :- b, c. action(do1) :- not action(do0)."),
              UnorderedElementsAre(Conjunction{no(3)}, Conjunction{no(4)}));
}

TEST(Unfold, ComplementsDisjunctionsByDistribution) {
  EXPECT_THAT(last_body("h :- b. h :- c, d. action(do0) :- not h."),
              UnorderedElementsAre(Conjunction{no(3), no(4)}, Conjunction{no(3), no(5)}));
}

TEST(Unfold, AComplementKeepsWhatIsApartFromADisjunct) {
  EXPECT_THAT(last_body("h :- a1, b. h :- a1, c, not b. action(do0) :- not h."),
              UnorderedElementsAre(Conjunction{no(1)}, Conjunction{no(3), no(4)}));
}

TEST(Unfold, AGroupHasOneTrueAtom) {
  EXPECT_THAT(last_body("action(do0) :- a0, a1."), IsEmpty());
  EXPECT_THAT(last_body("action(do0) :- not a0, not a1."), ElementsAre(Conjunction{yes(2)}));
  EXPECT_THAT(last_body("h :- a0. h :- a1. h :- a2. action(do0) :- not h."), IsEmpty());
}

TEST(Unfold, DropsContradictionsAndWhatOthersImply) {
  EXPECT_THAT(last_body("h :- b. k :- c, not b. action(do0) :- h, k."), IsEmpty());
  EXPECT_THAT(last_body("h :- b. h :- b, c. action(do0) :- h."), ElementsAre(Conjunction{yes(3)}));
}

TEST(Unfold, AFactIsTrueAndWhatIsOnlyDeclaredIsFalse) {
  EXPECT_THAT(last_body("h. action(do0) :- h."), ElementsAre(IsEmpty()));
  EXPECT_THAT(last_body("h. action(do0) :- not h."), IsEmpty());
  EXPECT_THAT(last_body("#defined h/0. action(do0) :- b, h."), IsEmpty());
  EXPECT_THAT(last_body("#defined h/0. action(do0) :- b, not h."), ElementsAre(Conjunction{yes(3)}));
}

TEST(Unfold, NestingMayBeAsDeepAsOneLikes) {
  std::string text = "h_0 :- b, c.";
  for (int i = 1; i <= 20'000; ++i)
    text += "h_" + std::to_string(i) + " :- not h_" + std::to_string(i - 1) + ".\n";
  EXPECT_THAT(last_body(text + "action(do0) :- h_20000."), ElementsAre(Conjunction{yes(3), yes(4)}));
}

TEST(Unfold, ForAScopeDropsWhatNoneOfItsObservationsShows) {
  const Scope scope = lettered_scope({3, 1}, {{0, 0}, {1, 1}});
  const Program program =
      parse_program("p.lp", "action(do0) :- a2. action(do0) :- a0, b. action(do1) :- b.", Syntax::kAsp);
  const std::vector<Dnf> bodies = unfold(program, scope, Care::kScope);
  EXPECT_THAT(bodies[0], IsEmpty());
  EXPECT_THAT(bodies[1], IsEmpty());
  ASSERT_THAT(bodies[2], SizeIs(1));
  EXPECT_THAT(members(bodies[2][0], scope).values(), ElementsAre(1));
}

/// `act_0` if one atom of each pair is true: 2^pairs conjunctions, none within another.
Program one_of_each_pair(int pairs) {
  std::string text;
  for (int i = 0; i < pairs; ++i)
    text += fmt::format("h_{0} :- a_{1}. h_{0} :- a_{2}. ", i, 2 * i, 2 * i + 1);
  text += "\naction(act_0) :- h_0";
  for (int i = 1; i < pairs; ++i) text += fmt::format(", h_{}", i);
  return parse_program("p.lp", text + ".", Syntax::kAsp);
}

TEST(Unfold, RefusesOnlyWhatIsTooLargeAndNamesTheRule) {
  const Scope scope = every_value(testing::free_atoms(40, 1));
  EXPECT_THAT(unfold(one_of_each_pair(10), scope, Care::kAll).back(), SizeIs(1024));
  EXPECT_THAT(testing::error_of([&] { unfold(one_of_each_pair(20), scope, Care::kAll); }),
              AllOf(HasSubstr("p.lp:2:1: "), HasSubstr("more than 20000 conjunctions")));
}

TEST(Absorbed, KeepsTheLargestFirst) {
  const Scope scope = every_value(lettered_vocabulary(kGroups));
  const Conjunction b{yes(3)};
  const Conjunction bc{yes(3), yes(4)};
  const Conjunction cd{yes(4), yes(5)};
  EXPECT_THAT(absorbed({bc, cd, b, b}, scope), ElementsAre(b, cd));
}

TEST(Absorbed, GoesOnAfterAConjunctionThatIsLeftOut) {
  const Scope scope = every_value(lettered_vocabulary({4, 4, 4}));
  const Conjunction first{no(0)};
  const Conjunction second{no(4), no(8)};
  EXPECT_THAT(absorbed({first, {no(0), no(1)}, second, {no(4), no(5), no(8)}}, scope),
              UnorderedElementsAre(first, second));
}

}  // namespace
}  // namespace ndnf
