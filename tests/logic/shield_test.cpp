#include "ndnf/logic/shield.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Blackjack, and the actions that a shield allows in it.
class Shield : public ::testing::Test {
 protected:
  ActionMask mask(const std::string& rules) const { return read_shield("rules.lp", rules, table()); }
  std::string complaint(const std::string& rules) const {
    return error_of([&] { mask(rules); });
  }
  const ObservationTable& table() const { return blackjack_.model().observations(); }
  bool holds(ObsId obs, const std::string& atom) const {
    return table().holds(obs, *table().vocabulary().find_atom(atom));
  }

  const ActionId stick_ = 0;
  const ActionId hit_ = 1;

 private:
  const Task blackjack_ = make_task("blackjack");
};

TEST_F(Shield, ForbidsWhatItsRulesConclude) {
  const ActionMask allowed =
      mask("forbidden(hit) :- hand(20).  forbidden(stick) :- hand(4), not usable_ace.");
  ASSERT_EQ(allowed.size(), table().size());
  for (ObsId obs = 0; obs < allowed.size(); ++obs) {
    EXPECT_EQ(allowed.allows(obs, hit_), !holds(obs, "hand(20)"));
    EXPECT_EQ(allowed.allows(obs, stick_), !(holds(obs, "hand(4)") && !holds(obs, "usable_ace")));
  }
}

TEST_F(Shield, MayHaveHelperAtomsFactsAndVariables) {
  const ActionMask plain =
      mask("forbidden(hit) :- hand(19). forbidden(hit) :- hand(20). forbidden(hit) :- hand(21).");
  const ActionMask helped = mask(
      "low :- hand(18). high :- hand(19). high :- hand(20). high :- hand(21).\n"
      "forbidden(hit) :- high, not low.");
  const ActionMask open = mask("forbidden(hit) :- hand(X), 19 <= X, X <= 21.");
  const ActionMask always = mask("forbidden(hit).");
  for (ObsId obs = 0; obs < table().size(); ++obs) {
    EXPECT_EQ(plain.bits(obs), helped.bits(obs));
    EXPECT_EQ(plain.bits(obs), open.bits(obs));
    EXPECT_EQ(always.bits(obs), 1u << stick_);
  }
}

TEST_F(Shield, MayBuildOnWhatItForbids) {
  const ActionMask allowed = mask("forbidden(hit) :- hand(20). forbidden(stick) :- not forbidden(hit).");
  for (ObsId obs = 0; obs < table().size(); ++obs) {
    EXPECT_EQ(allowed.bits(obs), 1u << (holds(obs, "hand(20)") ? stick_ : hit_));
  }
}

TEST_F(Shield, NamesLineAndColumnOfEveryMistake) {
  EXPECT_EQ(complaint("\nforbidden(hti) :- hand(20)."),
            "rules.lp:2:1: the task has no action hti; did you mean hit?");
  EXPECT_THAT(complaint("forbidden(hit) :- hands(20)."),
              StartsWith("rules.lp:1:19: hands(20) is neither observed nor the head of a rule"));
  EXPECT_THAT(complaint("forbidden(hit) :- a. a :- b. b :- a."),
              HasSubstr("recursion is not supported: a → b → a"));
  EXPECT_THAT(complaint("forbidden(hit) :- not forbidden(hit)."),
              HasSubstr("recursion is not supported: forbidden(hit) → forbidden(hit)"));
  EXPECT_EQ(complaint("action(hit) :- hand(20)."),
            "rules.lp:1:1: action(hit) is not allowed in a shield, expected forbidden(ACTION)");
  EXPECT_EQ(complaint("forbidden(hit) :- not action(stick)."),
            "rules.lp:1:19: action(stick) is not allowed in a shield, expected forbidden(ACTION)");
  EXPECT_EQ(complaint("forbidden(hit, stick)."),
            "rules.lp:1:1: forbidden(hit,stick) is not a forbidden action, expected forbidden(ACTION)");
  EXPECT_THAT(complaint("0.5::forbidden(hit)."), StartsWith("rules.lp:1:"));
  EXPECT_THAT(complaint("forbidden(hit) :- hand(20)"), StartsWith("rules.lp:1:"));
  EXPECT_EQ(complaint("forbidden(hti).\nforbidden(stik)."),
            "rules.lp:1:1: the task has no action hti; did you mean hit?\n"
            "rules.lp:2:1: the task has no action stik; did you mean stick?");
}

TEST_F(Shield, MustForbidSomethingButNotEverything) {
  for (const char* nothing : {"", "% none\n", "high :- hand(20)."}) {
    EXPECT_EQ(complaint(nothing),
              "rules.lp: forbids nothing; a shield has rules such as forbidden(ACTION) :- ATOM.");
  }
  EXPECT_EQ(complaint("forbidden(hit) :- hand(20).\nforbidden(stick) :- hand(20), dealer(7), usable_ace."),
            "rules.lp:2:1: every action is forbidden in hand(20), dealer(7), usable_ace, "
            "expected one to be allowed");
}

}  // namespace
}  // namespace ndnf
