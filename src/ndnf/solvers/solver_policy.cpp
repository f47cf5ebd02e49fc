#include <algorithm>

#include "ndnf/solvers/real_solvers.h"

namespace ndnf {

void SolverPolicy::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                                 std::span<double> rows) const {
  constexpr double kRounding = 1e-6;
  const bool asp = rules_.syntax() == Syntax::kAsp;
  const PolicyTable answers =
      asp ? evaluate_indexed_with_clingo(rules_, table, ids, limits_)
          : evaluate_with_problog(rules_, table, ids, kProblogTimeLimit, limits_).policy;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::span<double> row = rows.subspan(i * actions_, actions_);
    std::copy(answers.row(ids[i]).begin(), answers.row(ids[i]).end(), row.begin());
    if (answers.exactly_one(ids[i]) < 1 - kRounding) std::fill(row.begin(), row.end(), 0.0);
  }
}

}  // namespace ndnf
