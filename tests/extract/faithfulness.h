#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "ndnf/mdp/policy.h"
#include "ndnf/solvers/real_solvers.h"
#include "solvers/raw_solver_text.h"

// Independent checks of what an extraction claims.

namespace ndnf::testing {

/// How the rows of a program differ from those of a network.
struct Difference {
  std::size_t undefined = 0;
  std::size_t actions = 0;  ///< Observations in which argmax picks another action.
  double probability = 0;   ///< The largest of all.
};

inline Difference difference(const PolicyTable& network, const PolicyTable& program,
                             std::span<const ObsId> where) {
  Difference result;
  for (const ObsId obs : where) {
    const auto wanted = network.row(obs);
    if (!program.defined(obs)) {
      ++result.undefined;
    } else if (program.argmax(obs) != network.argmax(obs)) {
      ++result.actions;
    }
    for (ActionId a = 0; a < wanted.size(); ++a) {
      result.probability = std::max(result.probability, std::abs(wanted[a] - program.row(obs)[a]));
    }
  }
  return result;
}

/// Expects the real clingo or ProbLog to compute the same rows from a program's text as we do.
inline void expect_the_real_solver_agrees(const std::string& text, Syntax syntax, const PolicyTable& ours,
                                          const ObservationTable& table, std::span<const ObsId> where) {
  ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1);
  const SolverText rules = raw_text(text, syntax);
  const auto by_problog = [&] {
    ProblogEvaluation answer = evaluate_with_problog(rules, table, where);
    EXPECT_TRUE(answer.timeouts.empty());
    return std::move(answer.policy);
  };
  const PolicyTable real = syntax == Syntax::kAsp ? evaluate_with_clingo(rules, table, where) : by_problog();
  for (const ObsId obs : where) {
    for (ActionId a = 0; a < ours.action_count(); ++a) {
      ASSERT_NEAR(real.row(obs)[a], ours.row(obs)[a], 1e-9) << table.describe(obs);
    }
  }
}

}  // namespace ndnf::testing
