#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/solvers/solver_process.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The policy of an ASP program according to the real clingo: the rules unchanged, with variables, the
/// observations as a choice of one, all answer sets in one call. Rows of observations not in `ids` have no
/// action. Throws Error if clingo is missing, rejects the rules or takes too long.
PolicyTable evaluate_with_clingo(const SolverText& rules, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits = {});
PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits = {});

/// The same for rules in which atoms have the number of their observation (indexed_rules): one answer set for
/// all observations, which may have quantities.
PolicyTable evaluate_indexed_with_clingo(const SolverText& rules, const ObservationTable& table,
                                         std::span<const ObsId> ids, const SolverLimits& limits = {});

/// A question that ran out of time.
struct ProblogTimeout {
  ObsId obs = 0;
  std::optional<ActionId> action;  ///< Nothing for the question whether exactly one action holds.
};

struct ProblogEvaluation {
  PolicyTable policy;  ///< 0 for timeouts.
  std::vector<ProblogTimeout> timeouts;
};

/// A program as a policy for observations that are not enumerated, answered by a real solver batch by batch.
/// An observation in which ProbLog is not certain of exactly one action, or does not answer in time, has no
/// action.
class SolverPolicy final : public Policy {
 public:
  /// `rules` are those of indexed_rules for ASP, solver_text for ProbLog.
  SolverPolicy(SolverText rules, std::size_t actions, const SolverLimits& limits)
      : rules_(std::move(rules)), actions_(actions), limits_(limits) {}

  std::size_t action_count() const override { return actions_; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  SolverText rules_;
  std::size_t actions_;
  SolverLimits limits_;
};

/// The time limit of a single question. SolverLimits apply to the whole call.
inline constexpr std::chrono::seconds kProblogTimeLimit{30};

/// The policy of a ProbLog program according to the real ProbLog. Throws Error if ProbLog is missing, rejects
/// the program or takes too long in total.
ProblogEvaluation evaluate_with_problog(const SolverText& rules, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit,
                                        const SolverLimits& limits = {});
ProblogEvaluation evaluate_with_problog(const Program& program, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit,
                                        const SolverLimits& limits = {});

/// Throws Error with installation advice if there is no ProbLog.
void require_problog();

/// The facts of one evaluation of one of several programs.
struct ProblogQuestion {
  std::size_t program = 0;
  std::vector<AtomId> facts;           ///< Of the vocabulary's atoms; the others are false.
  std::vector<std::int32_t> places{};  ///< One per quantity of the vocabulary; none if there is no grid.
};

/// One row per question: the probabilities of the vocabulary's actions and, with `exactly_one`, the
/// probability that exactly one of them holds; nothing if a query took longer than `limit`. ProbLog runs in
/// the Python given by $NDNF_PROBLOG_PYTHON, or in `python3` if it has ProbLog, or in the Python of the
/// program `problog`.
std::vector<std::vector<std::optional<double>>> ask_problog(const std::vector<SolverText>& programs,
                                                            const std::vector<ProblogQuestion>& questions,
                                                            const Vocabulary& vocabulary, bool exactly_one,
                                                            std::chrono::seconds limit = kProblogTimeLimit,
                                                            const SolverLimits& limits = {});

/// ProbLog's answers to the queries in a program, and the time from text to answer, without the start of
/// Python.
struct ProblogAnswer {
  double seconds = 0;
  std::map<std::string, double> probabilities;  ///< By query.
};

/// One answer per program, up to the first that takes longer than `limit`: it is nothing, and the remaining
/// programs are not run. Throws Error as ask_problog does.
std::vector<std::optional<ProblogAnswer>> time_problog(const std::vector<SolverText>& programs,
                                                       std::chrono::seconds limit = kProblogTimeLimit);

}  // namespace ndnf
