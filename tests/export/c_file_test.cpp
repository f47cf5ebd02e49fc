#include "ndnf/export/c_file.h"

#include <gmock/gmock.h>

namespace ndnf {
namespace {

using ::testing::HasSubstr;

TEST(CFile, ACommentCannotBeEndedFromWithin) { EXPECT_EQ(comment_text("a*/b /*c\n*//"), "a* /b / *c * //"); }

TEST(CFile, NamesAreAlwaysIdentifiers) {
  const Vocabulary vocabulary({AtomGroup::single("x")}, {"go"});
  EXPECT_EQ(CFile("dc-t (2)", vocabulary).action(0), "dc_t_2_action_go");
  EXPECT_EQ(CFile("7up", vocabulary).atom(0), "policy_7up_atom_x");
  EXPECT_EQ(CFile("…", vocabulary).name(), "policy");
}

TEST(CFile, CallsDenseRowsNumbersWhereThereAreNoAtoms) {
  const Vocabulary atoms({AtomGroup::single("x")}, {"go"});
  const Vocabulary none({}, {"go"});
  EXPECT_EQ(CFile("p", atoms).observation(), "atoms");
  EXPECT_EQ(CFile("p", none).observation(), "atoms");
  EXPECT_EQ(CFile("p", atoms, 4).observation(), "image");
  EXPECT_EQ(CFile("p", none, 4).observation(), "numbers");
  const std::string text = CFile("p", none, 4).text({"about"}, {});
  EXPECT_THAT(text, HasSubstr("int p_action(const float *numbers);"));
  EXPECT_THAT(text, HasSubstr("p_numbers_size = 4,"));
}

}  // namespace
}  // namespace ndnf
