#include <numeric>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "logic/random_programs.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/real_solvers.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<ObsId> all_ids(const ObservationTable& table) {
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

TEST(ClingoPolicy, TenToTheFiveRandomProgramsAndInputsAgreeWithOurs) {
  const ObservationTable table = RandomPrograms::all_observations();
  const std::vector<ObsId> ids = all_ids(table);
  RandomPrograms programs(5);
  std::size_t compared = 0;
  std::size_t ones = 0;
  while (compared < 100000) {
    const Program program = programs.asp();
    const PolicyTable ours = tabulate(BoundProgram(program, table.shared_vocabulary()), table);
    const PolicyTable real = evaluate_with_clingo(program, table, ids);
    for (const ObsId obs : ids) {
      ASSERT_TRUE(std::ranges::equal(ours.row(obs), real.row(obs))) << table.describe(obs) << "\n"
                                                                    << to_text(program);
      ones += ours.defined(obs) ? 1 : 0;
    }
    compared += ids.size();
  }
  EXPECT_GT(ones, compared / 10);
  EXPECT_LT(ones, compared * 9 / 10);
}

TEST(ClingoPolicy, AnswersOnlyForTheObservationsAskedFor) {
  const ObservationTable table = RandomPrograms::all_observations();
  const PolicyTable rows =
      evaluate_with_clingo("#show. action(left) :- cell(1).", table, std::vector<ObsId>{1, 2});
  EXPECT_EQ(rows.row(1)[0], 1);
  EXPECT_EQ(rows.row(2)[0], 0);
  EXPECT_EQ(rows.row(6)[0], 0);
  EXPECT_EQ(rows.size(), table.size());
}

TEST(ClingoPolicy, ProgramsWithoutExactlyOneAnswerSetAreRefused) {
  const ObservationTable table = RandomPrograms::all_observations();
  const auto says = [&](std::string_view rules) {
    return testing::error_of([&] { evaluate_with_clingo(rules, table, std::vector<ObsId>{0, 1}); });
  };
  EXPECT_THAT(says("action(left) :- not action(right). action(right) :- not action(left)."),
              HasSubstr("4 answer sets"));
  EXPECT_THAT(says("action(up)."), HasSubstr("action(up), which is no action of the task"));
  EXPECT_THAT(says("action(left :- x."), HasSubstr("syntax error"));
}

}  // namespace
}  // namespace ndnf
