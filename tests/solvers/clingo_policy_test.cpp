#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/raw_solver_text.h"
#include "syntax/random_programs.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ClingoPolicy, AnswersOnlyForTheObservationsAskedFor) {
  const ObservationTable table = RandomPrograms::all_observations();
  const PolicyTable rows =
      evaluate_with_clingo(raw_text("#show. action(left) :- cell(1)."), table, std::vector<ObsId>{1, 2});
  EXPECT_EQ(rows.row(1)[0], 1);
  EXPECT_EQ(rows.row(2)[0], 0);
  EXPECT_EQ(rows.row(6)[0], 0);
  EXPECT_EQ(rows.size(), table.size());
}

TEST(ClingoPolicy, ProgramsWithoutExactlyOneAnswerSetAreRefused) {
  const ObservationTable table = RandomPrograms::all_observations();
  const auto says = [&](const std::string& rules) {
    return testing::error_of([&] { evaluate_with_clingo(raw_text(rules), table, std::vector<ObsId>{0, 1}); });
  };
  EXPECT_THAT(says("action(left) :- not action(right). action(right) :- not action(left)."),
              HasSubstr("4 answer sets"));
  EXPECT_THAT(says("action(up)."), HasSubstr("action(up), which is not an action of the task"));
  EXPECT_THAT(says("action(left :- x."), HasSubstr("syntax error"));
}

}  // namespace
}  // namespace ndnf
