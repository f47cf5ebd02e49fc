#include "ndnf/mdp/vocabulary.h"

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using testing::cards;

TEST(Vocabulary, NumbersAtomsGroupByGroup) {
  const Vocabulary v = cards();
  EXPECT_EQ(v.atom_count(), 4u);
  EXPECT_EQ(v.atom_names(), (std::vector<std::string>{"hand(0)", "hand(1)", "hand(2)", "usable_ace"}));
  EXPECT_EQ(v.first_atom(1), 3u);
  EXPECT_EQ(v.group_of(2), 0u);
  EXPECT_EQ(v.group(0).value_count(), 3u);
  EXPECT_EQ(v.group(1).value_count(), 2u);
}

TEST(Vocabulary, FindsNamesAndOnlyThose) {
  const Vocabulary v = cards();
  EXPECT_EQ(v.find_atom("hand(2)"), 2u);
  EXPECT_EQ(v.atom_name(*v.find_atom("usable_ace")), "usable_ace");
  EXPECT_EQ(v.find_atom("hand(3)"), std::nullopt);
  EXPECT_EQ(v.find_action("hit"), 1u);
  EXPECT_EQ(v.find_action("fold"), std::nullopt);
}

TEST(Vocabulary, FingerprintChangesWithEveryNameGroupAndOrder) {
  const std::string original = cards().fingerprint();
  EXPECT_EQ(original.size(), 16u);
  EXPECT_EQ(original, cards().fingerprint());
  EXPECT_NE(original,
            Vocabulary({AtomGroup::numbered("hand", "hand(", 3, ")"), AtomGroup::single("usable_ace")},
                       {"hit", "stick"})
                .fingerprint());
  EXPECT_NE(original,
            Vocabulary({AtomGroup::single("usable_ace"), AtomGroup::numbered("hand", "hand(", 3, ")")},
                       {"stick", "hit"})
                .fingerprint());
  EXPECT_NE(original,
            Vocabulary({AtomGroup::numbered("hand", "hand(", 3, ")"), AtomGroup::single("usable_acf")},
                       {"stick", "hit"})
                .fingerprint());
  EXPECT_NE(Vocabulary({AtomGroup::single("a")}, {"x"}).fingerprint(),
            Vocabulary({AtomGroup{"a", true, {"a"}}}, {"x"}).fingerprint());
}

TEST(Vocabulary, BarsAtomsFromDefinitionsWithoutChangingItsFingerprint) {
  AtomGroup hand = AtomGroup::numbered("hand", "hand(", 3, ")");
  const Vocabulary plain({hand}, {"go"});
  hand.not_in_definitions = {"hand(1)"};
  const Vocabulary barred({hand}, {"go"});
  EXPECT_TRUE(plain.may_define(1));
  EXPECT_TRUE(barred.may_define(0));
  EXPECT_FALSE(barred.may_define(1));
  EXPECT_TRUE(barred.may_define(2));
  EXPECT_EQ(barred.fingerprint(), plain.fingerprint());
  hand.not_in_definitions = {"hand(3)"};
  EXPECT_THROW(Vocabulary({hand}, {"go"}), Error);
}

TEST(Vocabulary, RefusesWhatCannotBeAName) {
  const auto with_atom = [](const std::string& atom) {
    return Vocabulary({AtomGroup::single(atom)}, {"go"});
  };
  for (const char* bad : {"",
                          "Upper",
                          "1st",
                          "two words",
                          "hand(",
                          "hand()",
                          "hand(1",
                          "hand(,1)",
                          "not-a-term",
                          "a(b(c))",
                          "hand(X)",
                          "hand(_)",
                          "hand(01)",
                          "hand(1,,2)",
                          "hand(1))",
                          "hand(2147483648)",
                          "hand(-0)",
                          "hand(--1)",
                          "hand(-01)",
                          "hand(-2147483648)",
                          "not",
                          "p(not)",
                          "true",
                          "false",
                          "action(walk)",
                          "forbidden(walk)",
                          "ndnf_rule(1)",
                          "write(1)",
                          "mod"}) {
    EXPECT_THROW(with_atom(bad), Error) << bad;
  }
  for (const char* good :
       {"a", "in_s_1", "hand(18)", "at(1,2)", "p(x_1)", "class_0", "action", "action(1,2)", "true(1)"})
    EXPECT_NO_THROW(with_atom(good)) << good;
}

TEST(Vocabulary, RefusesDuplicatesEmptyGroupsAndNoActions) {
  EXPECT_THROW(Vocabulary({AtomGroup::single("a"), AtomGroup::single("a")}, {"go"}), Error);
  EXPECT_THROW(Vocabulary({AtomGroup{"g", true, {}}}, {"go"}), Error);
  EXPECT_THROW(Vocabulary({AtomGroup{"g", false, {"a", "b"}}}, {"go"}), Error);
  EXPECT_THROW(Vocabulary({AtomGroup::single("a")}, {}), Error);
  EXPECT_THROW(Vocabulary({AtomGroup::single("a")}, {"go", "go"}), Error);
  EXPECT_THROW(Vocabulary({AtomGroup::single("a")}, AtomGroup::numbered("x", "x", kMaxActions + 1).atoms),
               Error);
}

}  // namespace
}  // namespace ndnf
