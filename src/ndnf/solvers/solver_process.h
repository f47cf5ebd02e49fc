#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/solvers/solver_text.h"
#include "ndnf/system/process.h"

namespace ndnf {

/// What a call of a solver may take.
struct SolverLimits {
  std::chrono::milliseconds time = std::chrono::minutes(10);
  std::size_t output = std::size_t{256} << 20;    ///< Bytes.
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< Bytes of each process.
};

/// clingo, with the text on its standard input, as a program that only computes, and without the Python that
/// it may have inside: we name a home of Python that there is not. Where clingo is a script for some
/// interpreter it is confined as that needs it. clingo is $NDNF_CLINGO, or `clingo` in PATH; Error, with what
/// to install, when there is none.
ProcessResult call_clingo(const SolverText& program, const std::vector<std::string>& options,
                          const SolverLimits& limits = {});

/// A script of ours in an interpreter, which may start processes and write into its directory.
ProcessResult call_python(const std::string& interpreter, OwnText library, OwnText script,
                          const std::string& input, const SolverLimits& limits);

/// Error for a call that brought no answer: a limit, else the first line of what the solver says that names a
/// mistake, else how it ended.
[[noreturn]] void throw_no_answer(std::string_view solver, const ProcessResult& result,
                                  const SolverLimits& limits);

/// Error for an answer that cannot be one: "clingo: gave an answer that makes no sense (…)".
[[noreturn]] void throw_nonsense(std::string_view solver, std::string_view why);

}  // namespace ndnf
