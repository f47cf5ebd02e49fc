#include "ndnf/export/c_program.h"

#include <memory>

#include <gmock/gmock.h>

#include "ndnf/logic/read_program.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The statements of a program over the atoms x, y(1), y_1 and the actions go, stop.
std::string in_c(const std::string& text, Syntax syntax = Syntax::kAsp) {
  const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector{AtomGroup::single("x"), AtomGroup::single("y(1)"), AtomGroup::single("y_1")},
      std::vector<std::string>{"go", "stop"});
  const Program program = parse_program("p", text, syntax);
  return program_in_c(program, BoundProgram(program, vocabulary), *vocabulary, CFile("p", *vocabulary))
      .statements;
}

TEST(CProgram, PutsEachRuleAboveItsLine) {
  EXPECT_EQ(in_c("action(go) :- near, not y(1).  near :- x.  near :- not y_1."),
            R"(  int is_near = 0;
  for (int a = 0; a < p_actions; ++a) p[a] = 0;

  /* near :- x. */
  if (atoms[p_atom_x]) is_near = 1;

  /* near :- not y_1. */
  if (!atoms[p_atom_y_1_2]) is_near = 1;

  /* action(go) :- near, not y(1). */
  if (is_near && !atoms[p_atom_y_1]) p[p_action_go] = 1;
)");
}

TEST(CProgram, ChoicesAreIndependentAndOneActionsAlternativesAddUp) {
  EXPECT_THAT(in_c("0.25::action(go) ; 0.5::action(stop) ; 0.25::action(go) :- x.", Syntax::kProbLog),
              HasSubstr("  if (atoms[p_atom_x]) {\n"
                        "    p[p_action_go] += 0.5 * (1 - p[p_action_go]);\n"
                        "    p[p_action_stop] += 0.5 * (1 - p[p_action_stop]);\n"
                        "  }\n"));
}

TEST(CProgram, LeavesOutWhatNoActionNeedsAndWhatNeverFires) {
  const std::string code = in_c("action(go). idle :- x. never :- x, not x. action(stop) :- never, x.");
  EXPECT_THAT(code, HasSubstr("  p[p_action_go] = 1;\n"));
  EXPECT_THAT(code, HasSubstr("  int is_never = 0;\n"));
  EXPECT_THAT(code, Not(HasSubstr("idle")));
  EXPECT_THAT(code, Not(HasSubstr("/* never :-")));
  EXPECT_THAT(code, Not(HasSubstr("(void)atoms")));
  EXPECT_THAT(in_c("action(go)."), HasSubstr("  (void)atoms;\n"));
}

TEST(CProgram, ComparesPlacesOfQuantitiesBesideAtoms) {
  const auto vocabulary = std::make_shared<const Vocabulary>(
      std::vector{AtomGroup::single("windy")}, std::vector<std::string>{"go", "stop"},
      std::vector{quantity("speed", "m/s", -1, 1, 0.01), quantity("turn", "", -1, 1, 0.5)});
  const Program program = ground_program(
      "p", "action(go) :- speed(S), turn(T), 3*S - T > 7, windy. action(stop) :- not action(go).",
      Syntax::kAsp, *vocabulary);
  const CFile file("p", *vocabulary);
  const CBody body = program_in_c(program, BoundProgram(program, vocabulary), *vocabulary, file);
  EXPECT_EQ(body.statements,
            R"(  const long k_speed = p_place(numbers[p_number_speed], 0.01, -100, 100); /* in 0.01 m/s */
  const long k_turn = p_place(numbers[p_number_turn], 0.5, -2, 2); /* in 0.5 */
  for (int a = 0; a < p_actions; ++a) p[a] = 0;

  /* action(go) :- speed(S), turn(T), 3*S-T > 7, windy.  % about speed - 0.00666667*turn > 0.0233333 */
  if (3 * k_speed - k_turn > 7 && atoms[p_atom_windy]) p[p_action_go] = 1;

  /* action(stop) :- not action(go). */
  if (p[p_action_go] == 0) p[p_action_stop] = 1;
)");
  EXPECT_THAT(file.text({"about"}, body),
              HasSubstr("int p_action(const unsigned char *atoms, const float *numbers);"));
}

TEST(CProgram, BodiesMayAskForActions) {
  const std::string code = in_c("action(stop) :- not action(go). action(go) :- x, y_1.");
  EXPECT_THAT(code, HasSubstr("  if (p[p_action_go] == 0) p[p_action_stop] = 1;\n"));
  EXPECT_LT(code.find("p[p_action_go] = 1"), code.find("p[p_action_stop] = 1"));
}

}  // namespace
}  // namespace ndnf
