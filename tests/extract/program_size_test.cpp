#include "ndnf/extract/program_size.h"

#include <gtest/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

/// One group of six values, a0 to a5, and a single atom b, in all ways.
Scope six_by_two() {
  std::vector<std::vector<std::uint32_t>> rows;
  for (std::uint32_t value = 0; value < 6; ++value) {
    for (const std::uint32_t single : {0u, 1u}) rows.push_back({value, single});
  }
  return testing::lettered_scope({6, 1}, rows);
}

ProgramSize size_of_text(const std::string& text, Syntax syntax) {
  return size_of(parse_program("test", text, syntax), six_by_two());
}

TEST(ProgramSize, CountsAnAspProgram) {
  const ProgramSize size = size_of_text(
      "action(do0) :- a1.\n"                 // a range of one value: 2 splits
      "action(do0) :- not a4, not a5, b.\n"  // values up to 3, and b: 2
      "action(do1) :- strong.\n"             // 1
      "action(do1) :- strong, not a4, not a5, b.\n"
      "strong :- a5, not b.\n"  // 2
      "#show action/1.\n",
      Syntax::kAsp);
  EXPECT_EQ(size.rules, 5u);
  EXPECT_EQ(size.action_rules, 4u);
  EXPECT_EQ(size.conjunctions, 3u);  // one of them twice
  EXPECT_EQ(size.literals, 11u);
  EXPECT_EQ(size.annotated_disjunctions, 0u);
  EXPECT_EQ(size.splits, 10u);
}

TEST(ProgramSize, CountsAProbLogProgram) {
  const ProgramSize size = size_of_text(
      "0.5::action(do0) ; 0.5::action(do1) :- class_0.\n"
      "action(do1) :- \\+ b.\n"
      "class_0 :- b, a0.\n"
      "query(action(_)).\n",
      Syntax::kProbLog);
  EXPECT_EQ(size.rules, 3u);
  EXPECT_EQ(size.action_rules, 2u);
  EXPECT_EQ(size.annotated_disjunctions, 1u);
  EXPECT_EQ(size.conjunctions, 2u);
  EXPECT_EQ(size.literals, 4u);
  EXPECT_EQ(size.splits, 4u);
}

TEST(ProgramSize, OfAFactHasNoConjunction) {
  const ProgramSize size = size_of_text("action(do0).\n", Syntax::kAsp);
  EXPECT_EQ(size.rules, 1u);
  EXPECT_EQ(size.conjunctions, 0u);
  EXPECT_EQ(size.splits, 0u);
}

}  // namespace
}  // namespace ndnf
