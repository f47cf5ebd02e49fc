#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ndnf/solvers/solver_process.h"

namespace ndnf {

/// Questions to the real Z3, an SMT solver, in SMT-LIB: whether some whole numbers satisfy a condition. All
/// names in the text are ours, so nothing of a user's file reaches Z3 but numbers.
class Z3Questions {
 public:
  struct Answer {
    enum class Status : std::uint8_t { kYes, kNo, kUnknown };
    Status status = Status::kUnknown;
    std::vector<std::int64_t> values;  ///< One per variable; empty unless the answer is yes.
  };

  /// A variable with this range; returns its number N. In conditions it is `vN`.
  std::size_t add_variable(std::int64_t low, std::int64_t high);
  std::size_t variable_count() const { return variables_; }
  /// Declarations and definitions that all questions share.
  SolverText& shared() { return shared_; }
  /// Asks whether there are numbers that satisfy the condition; with `least`, for those that make these terms
  /// least, the first one first. Returns the number of the question.
  std::size_t ask(const SolverText& condition, const std::vector<SolverText>& least = {});
  std::size_t question_count() const { return questions_; }

  /// The answers in order; the questions are gone then. An answer is untrusted: check what follows from it.
  /// Throws Error if Z3 is missing or its output is malformed.
  std::vector<Answer> answers(const SolverLimits& limits = {});

 private:
  std::size_t variables_ = 0;
  std::size_t questions_ = 0;
  SolverText shared_;
  SolverText asked_;
};

/// A number as SMT-LIB writes it: (- 3).
SolverText smt_number(std::int64_t number);

}  // namespace ndnf
