#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/solvers/solver_process.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The policy of an ASP program as the real clingo gives it: the rules as they are, variables and all, the
/// observations as a choice of one, all answer sets in one call. Rows of observations not in `ids` name no
/// action. Throws Error when clingo is missing, rejects the rules or takes too long.
PolicyTable evaluate_with_clingo(const SolverText& rules, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits = {});
PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits = {});

/// A question that ran out of time.
struct ProblogTimeout {
  ObsId obs = 0;
  std::optional<ActionId> action;  ///< Nothing: whether exactly one action holds.
};

struct ProblogEvaluation {
  PolicyTable policy;  ///< 0 where time ran out.
  std::vector<ProblogTimeout> timeouts;
};

/// What a single question may take. A call may take as long as its SolverLimits say.
inline constexpr std::chrono::seconds kProblogTimeLimit{30};

/// The policy of a ProbLog program as the real ProbLog gives it. Throws Error when ProbLog is missing,
/// rejects the program or takes too long for all of it.
ProblogEvaluation evaluate_with_problog(const SolverText& rules, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit,
                                        const SolverLimits& limits = {});
ProblogEvaluation evaluate_with_problog(const Program& program, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit,
                                        const SolverLimits& limits = {});

/// Throws Error, with what to install, if there is no ProbLog.
void require_problog();

/// What is true in one evaluation of one of several programs.
struct ProblogQuestion {
  std::size_t program = 0;
  std::vector<AtomId> facts;  ///< Of the vocabulary's atoms; the others are false.
};

/// One row per question: the probabilities of the vocabulary's actions and, with `exactly_one`, the
/// probability that exactly one of them holds; nothing where a query took longer than `limit`. ProbLog runs
/// in the Python that $NDNF_PROBLOG_PYTHON names, or in `python3` if that has it, or in that of the program
/// `problog`.
std::vector<std::vector<std::optional<double>>> ask_problog(const std::vector<SolverText>& programs,
                                                            const std::vector<ProblogQuestion>& questions,
                                                            const Vocabulary& vocabulary, bool exactly_one,
                                                            std::chrono::seconds limit = kProblogTimeLimit,
                                                            const SolverLimits& limits = {});

/// What ProbLog says to the queries that a program contains, and how long it takes from the text to the
/// answer, the start of Python apart.
struct ProblogAnswer {
  double seconds = 0;
  std::map<std::string, double> probabilities;  ///< By query.
};

/// One answer per program, up to the first that takes longer than `limit`: that is nothing, and the rest is
/// not asked. Throws Error as ask_problog does.
std::vector<std::optional<ProblogAnswer>> time_problog(const std::vector<SolverText>& programs,
                                                       std::chrono::seconds limit = kProblogTimeLimit);

}  // namespace ndnf
