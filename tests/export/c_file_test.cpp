#include "ndnf/export/c_file.h"

#include <gtest/gtest.h>

namespace ndnf {
namespace {

TEST(CFile, ACommentCannotBeEndedFromWithin) { EXPECT_EQ(comment_text("a*/b /*c\n*//"), "a* /b / *c * //"); }

TEST(CFile, NamesAreAlwaysIdentifiers) {
  const Vocabulary vocabulary({AtomGroup::single("x")}, {"go"});
  EXPECT_EQ(CFile("dc-t (2)", vocabulary).action(0), "dc_t_2_action_go");
  EXPECT_EQ(CFile("7up", vocabulary).atom(0), "policy_7up_atom_x");
  EXPECT_EQ(CFile("…", vocabulary).name(), "policy");
}

}  // namespace
}  // namespace ndnf
