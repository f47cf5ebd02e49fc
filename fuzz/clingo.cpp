// Programs with and without variables through the real clingo: clingo accepts every program that we accept,
// and our evaluator takes the same actions.

#include <algorithm>
#include <numeric>

#include "ndnf/logic/read_program.h"
#include "ndnf/solvers/real_solvers.h"
#include "program_target.h"

void ndnf::fuzz::try_input(std::string_view input) {
  const Program program = ground_program("p", input, Syntax::kAsp, *small_vocabulary());
  const BoundProgram bound(program, small_vocabulary());
  ObservationTable table(small_vocabulary());
  for (std::uint32_t i = 0; i < 6; ++i) table.intern(std::vector<std::uint32_t>{i / 2, i % 2});
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), ObsId{0});
  const PolicyTable ours = tabulate(bound, table);
  const PolicyTable real = evaluate_with_clingo(program, table, ids);
  for (const ObsId obs : ids) {
    require(std::ranges::equal(ours.row(obs), real.row(obs)), "clingo takes other actions");
  }
}
