#include "ndnf/logic/read_program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/base/file.h"
#include "ndnf/env/registry.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/real_solvers.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Environment& blackjack() {
  static const Environment environment = make_environment("blackjack");
  return environment;
}
const Vocabulary& vocabulary() { return blackjack().model.observations().vocabulary(); }

Program ground(std::string_view text) { return ground_program("b.lp", text, Syntax::kAsp, vocabulary()); }
std::string errors(std::string_view text) {
  return testing::error_of([&] { ground(text); });
}

TEST(Grounding, RulesWithVariablesBecomeTheirInstances) {
  const Program program = ground(
      "% Early\n"
      "action(hit) :- hand(X), X < 2.  % always\n"
      "#show action/1.\n"
      "% Late\n"
      "  action(stick) :- hand(30..31), not usable_ace.\n"
      "action(hit) :- usable_ace.\n");
  ASSERT_EQ(program.statements.size(), 6U);
  EXPECT_EQ(to_text(program),
            "% Early\n"
            "action(hit) :- hand(0).  % always\n"
            "action(hit) :- hand(1).\n"
            "#show action/1.\n"
            "% Late\n"
            "action(stick) :- not usable_ace, hand(30).\n"
            "action(stick) :- not usable_ace, hand(31).\n"
            "action(hit) :- usable_ace.\n");
  const Rule& late = std::get<Rule>(program.statements[4].content);
  EXPECT_EQ(late.place.line, 5U);
  EXPECT_EQ(late.place.column, 3U);
}

TEST(Grounding, HelpersArithmeticAndComparisonsAgreeWithRealClingo) {
  const std::string text =
      "% The sum seen by a person.\n"
      "near(X+1) :- hand(X), X > 15. strong(9..10). strong(1).\n"
      "weak :- dealer(D), not strong(D), 2*D != 14.\n"
      "action(stick) :- near(Y), Y >= 18 - 1. action(stick) :- weak, hand(12;13).\n"
      "action(hit) :- not action(stick).\n";
  const ObservationTable& table = blackjack().model.observations();
  const BoundProgram program(ground(text), table.shared_vocabulary());
  const PolicyTable ours = tabulate(program, table);
  const std::vector<ObsId> ids = reachable(blackjack().model).observations;
  const PolicyTable real = evaluate_with_clingo(text, table, ids);
  std::size_t sticks = 0;
  for (const ObsId obs : ids) {
    ASSERT_TRUE(ours.defined(obs)) << table.describe(obs);
    EXPECT_EQ(ours.argmax(obs), real.argmax(obs)) << table.describe(obs);
    sticks += ours.argmax(obs) == 0 ? 1 : 0;
  }
  EXPECT_GT(sticks, 50U);
  EXPECT_LT(sticks, 250U);
}

TEST(Grounding, ARuleWithoutInstancesLeavesAComment) {
  EXPECT_EQ(to_text(ground("% Never\naction(hit) :- hand(X),\n X > 99.\naction(stick).")),
            "% Never\n% no instance: action(hit) :- hand(X),  X > 99.\naction(stick).\n");
}

TEST(Grounding, UnsafeVariablesAreNamedWhereTheyStand) {
  EXPECT_EQ(
      errors("action(stick).\n\n  action(hit) :- hand(Y),\n    not dealer(X), Y < 3. action(hit) :- Z < 3."),
      "b.lp:4:16: clingo says: 'X' is unsafe\n"
      "b.lp:4:42: clingo says: 'Z' is unsafe");
}

TEST(Grounding, UnknownAtomsAreReportedInsteadOfVanishing) {
  EXPECT_THAT(errors("action(hit) :- hnd(X), X < 3."),
              HasSubstr("b.lp:1:16: hnd(X) is neither observed nor the head of a rule; did you mean hand("));
  EXPECT_THAT(errors("action(hit) :- hand(X), dealer(11), X < 3."), HasSubstr("dealer(11) is neither"));
  EXPECT_THAT(errors("action(hit) :- hand(X), usable, X < 3."), HasSubstr("usable is neither"));
  EXPECT_EQ(errors("#defined extra/1. action(hit) :- hand(X), not extra(X)."), "");
  EXPECT_EQ(errors("ok :- usable_ace. action(hit) :- hand(X), ok, X = 3."), "");
}

TEST(Grounding, RefusesWhatMakesNoNormalRule) {
  EXPECT_THAT(errors("action(X) : hand(X)."), HasSubstr("b.lp:1:11: found :, expected `:-` or a dot"));
  EXPECT_THAT(errors("a :- #count {X : hand(X)} > 3."), HasSubstr("found #count, expected an atom"));
  EXPECT_THAT(errors("a(X) :- X = @f(1)."), HasSubstr("found @, expected"));
  EXPECT_THAT(errors("a(X) :- hand(X."), HasSubstr("for the bracket at 1:13 is not closed"));
  EXPECT_THAT(errors("a(X) ; b(X) :- hand(X)."), HasSubstr("found ;, expected `:-` or a dot"));
  EXPECT_THAT(errors("a :- hand(X), X."), HasSubstr("expected a comparison"));
}

TEST(Grounding, GroundProgramsNeedNoClingo) {
  ::setenv("NDNF_CLINGO", "/nowhere/clingo", 1);
  EXPECT_EQ(errors("action(hit) :- hand(3)."), "");
  EXPECT_THAT(errors("action(hit) :- hand(X)."), HasSubstr("install clingo"));
  ::unsetenv("NDNF_CLINGO");
}

class ProgramFile : public ::testing::Test {
 protected:
  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(ProgramFile, ItsNameTellsTheLanguage) {
  write_file(folder_ / "a.lp", "action(hit) :- not usable_ace.");
  write_file(folder_ / "a.pl", "0.5::action(hit) :- \\+ usable_ace.");
  write_file(folder_ / "a.txt", "");
  EXPECT_EQ(read_program(folder_ / "a.lp", vocabulary()).syntax, Syntax::kAsp);
  EXPECT_EQ(read_program(folder_ / "a.pl", vocabulary()).syntax, Syntax::kProbLog);
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "a.txt", vocabulary()); }),
              HasSubstr("ASP programs end in .lp"));
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "b.lp", vocabulary()); }),
              HasSubstr("cannot be read"));
}

TEST_F(ProgramFile, IsRefusedByItsSizeBeforeItIsRead) {
  std::ofstream(folder_ / "big.lp").put('a');
  std::filesystem::resize_file(folder_ / "big.lp", 100u << 20);  // takes no room on the disk
  EXPECT_THAT(testing::error_of([&] { read_program(folder_ / "big.lp", vocabulary()); }),
              HasSubstr("the program has 104857600 bytes; at most 16 MB are read"));
}

}  // namespace
}  // namespace ndnf
