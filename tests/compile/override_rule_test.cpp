#include "ndnf/compile/override_rule.h"

#include <gmock/gmock.h>

namespace ndnf {
namespace {

TEST(OverrideRule, TakesANameThatNeitherTheProgramNorTheTaskHas) {
  const Vocabulary vocabulary(
      {AtomGroup::single("x"), AtomGroup::single("y"), AtomGroup::single("override_1")}, {"go", "stop"});
  const Program program = parse_program("p", "action(go) :- override_2. override_2 :- x.", Syntax::kAsp);
  const std::string text = to_text(with_override(program, {{"x", true}, {"y", false}}, "stop", vocabulary));
  EXPECT_EQ(text,
            "action(go) :- override_2, not override_3.\noverride_2 :- x.\n\n"
            "% an edit: takes precedence over all other rules\noverride_3 :- x, not y.\n"
            "action(stop) :- override_3.\n");
}

TEST(OverrideRule, ASingleConditionNeedsNoName) {
  const Vocabulary vocabulary({AtomGroup::single("x"), AtomGroup::single("y")}, {"go", "stop"});
  const Program program = parse_program("p", "action(go) :- x.  % fires in 2\nh :- y.  % kept", Syntax::kAsp);
  EXPECT_EQ(to_text(with_override(program, {{"y", false}}, "stop", vocabulary)),
            "action(go) :- x, y.\nh :- y.  % kept\n\n"
            "% an edit: takes precedence over all other rules\naction(stop) :- not y.\n");
}

}  // namespace
}  // namespace ndnf
