#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/logic/program.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The policy of an ASP program as the real clingo gives it: the rules as they are, the observations as a
/// choice of one, all answer sets in one call. `rules` may have variables; they reach clingo as they are, so
/// those of a file are to come from solver_text. Rows of observations not in `ids` name no action. Throws
/// Error when clingo is missing or rejects the rules.
PolicyTable evaluate_with_clingo(std::string_view rules, const ObservationTable& table,
                                 std::span<const ObsId> ids);
PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids);

/// A question that ran out of time.
struct ProblogTimeout {
  ObsId obs = 0;
  std::optional<ActionId> action;  ///< Nothing: whether exactly one action holds.
};

struct ProblogEvaluation {
  PolicyTable policy;  ///< 0 where time ran out.
  std::vector<ProblogTimeout> timeouts;
};

inline constexpr std::chrono::seconds kProblogTimeLimit{30};

/// The policy of a ProbLog program as the real ProbLog gives it; `rules` as above. Throws Error when ProbLog
/// is missing or rejects the program.
ProblogEvaluation evaluate_with_problog(std::string_view rules, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit);
ProblogEvaluation evaluate_with_problog(const Program& program, const ObservationTable& table,
                                        std::span<const ObsId> ids,
                                        std::chrono::seconds limit = kProblogTimeLimit);

/// Throws Error, with what to install, if there is no ProbLog.
void require_problog();

/// What is true in one evaluation of one of several programs.
struct ProblogQuestion {
  std::size_t program = 0;
  std::vector<std::string> facts;  ///< Of the vocabulary's atoms; the others are false.
};

/// One row per question: the probabilities of the vocabulary's actions and, with `exactly_one`, the
/// probability that exactly one of them holds; nothing where a query took longer than `limit`. ProbLog runs
/// in the Python that $NDNF_PROBLOG_PYTHON names, or in `python3` if that has it, or in that of the program
/// `problog`.
std::vector<std::vector<std::optional<double>>> ask_problog(const std::vector<std::string>& programs,
                                                            const std::vector<ProblogQuestion>& questions,
                                                            const Vocabulary& vocabulary, bool exactly_one,
                                                            std::chrono::seconds limit = kProblogTimeLimit);

/// What ProbLog says to the queries that a program contains, and how long it takes from the text to the
/// answer, the start of Python apart.
struct ProblogAnswer {
  double seconds = 0;
  std::map<std::string, double> probabilities;  ///< By query.
};

/// One answer per program, up to the first that takes longer than `limit`: that is nothing, and the rest is
/// not asked. Throws Error as ask_problog does.
std::vector<std::optional<ProblogAnswer>> time_problog(const std::vector<std::string>& programs,
                                                       std::chrono::seconds limit = kProblogTimeLimit);

}  // namespace ndnf
