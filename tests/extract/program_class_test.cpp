#include "ndnf/extract/program_class.h"

#include <gtest/gtest.h>

#include "boxes/scopes.h"

namespace ndnf {
namespace {

const Scope kSquare = testing::lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});  // a, b; do0, do1

bool in_e(const std::string& text) {
  return is_in_class_e(parse_program("p.lp", text, Syntax::kAsp), kSquare.vocabulary());
}
bool in_d(const std::string& text) {
  return is_in_class_d(parse_program("p.lp", text, Syntax::kAsp), kSquare.vocabulary());
}
bool in_p(const std::string& text) {
  return is_in_class_p(parse_program("p.pl", text, Syntax::kProbLog), kSquare.table(),
                       kSquare.observations());
}

TEST(ProgramClass, EHasBoxesOverTheAtomsAlone) {
  EXPECT_TRUE(in_e("action(do0) :- a, not b. action(do1) :- not a. action(do1) :- b."));
  EXPECT_TRUE(in_e("action(do0)."));
  EXPECT_FALSE(in_e("action(do0) :- h. action(do1) :- not h. h :- a."));
  EXPECT_FALSE(in_e("action(do0) :- a. action(do1) :- not action(do0)."));
  EXPECT_FALSE(in_e("action(do0) :- a. action(do1) :- not a. h :- a."));
  EXPECT_TRUE(in_e("action(do0) :- a. action(do1) :- not a. #show action/1."));
  EXPECT_TRUE(in_e("action(do0) :- a. action(do1) :- not a. a :- c."));  // a is a predicate, defined by c
}

TEST(ProgramClass, DHasOneDefaultBesideThem) {
  EXPECT_TRUE(in_d("action(do0) :- a, not b. action(do1) :- not action(do0)."));
  EXPECT_TRUE(in_d("action(do0)."));
  EXPECT_FALSE(in_d("action(do0) :- a. action(do1) :- not a."));
  EXPECT_FALSE(in_d("action(do0) :- a. action(do1) :- not action(do0). action(do1) :- b."));
  EXPECT_FALSE(in_d("action(do0) :- a. action(do1) :- not action(do0), b."));
  EXPECT_FALSE(in_d("action(do0) :- h. h :- a. action(do1) :- not action(do0)."));
}

TEST(ProgramClass, PHasOneActionInEveryPossibleWorld) {
  EXPECT_TRUE(in_p("0.3::action(do0) ; 0.7::action(do1) :- a. action(do1) :- \\+ a."));
  EXPECT_TRUE(in_p("0.3::action(do0) ; 0.7::action(do1) :- h. h :- a. h :- b. action(do1) :- \\+ h."));
  EXPECT_TRUE(in_p("action(do0) :- a. action(do0) :- b. action(do1) :- \\+ a, \\+ b."));
  EXPECT_FALSE(in_p("0.3::action(do0) ; 0.7::action(do1) :- a."));                  // nothing without a
  EXPECT_FALSE(in_p("0.3::action(do0). 0.7::action(do1)."));                        // two coins
  EXPECT_FALSE(in_p("0.3::action(do0) ; 0.6::action(do1)."));                       // no sum of 1
  EXPECT_FALSE(in_p("0.3::action(do0) ; 0.7::action(do1). action(do0) :- a."));     // two at once
  EXPECT_FALSE(in_p("action(do0) :- a. action(do1) :- b. action(do1) :- \\+ a."));  // two at once
}

}  // namespace
}  // namespace ndnf
