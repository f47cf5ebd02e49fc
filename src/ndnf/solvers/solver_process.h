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

/// The limits of a solver call.
struct SolverLimits {
  std::chrono::milliseconds time = std::chrono::minutes(10);
  std::size_t output = std::size_t{256} << 20;    ///< Bytes.
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< Bytes of each process.
};

/// The solvers that a front end brings along, such as those installed beside a Python package. Empty fields
/// leave the search to us.
struct SolverPrograms {
  std::vector<std::string> clingo{};  ///< A command and its first arguments: an interpreter and what it runs.
  std::string problog_python{};       ///< The Python interpreter that has ProbLog.
  std::string z3{};
};

/// Uses these programs from now on, unless $NDNF_CLINGO, $NDNF_PROBLOG_PYTHON or $NDNF_Z3 names another.
void use_solvers(SolverPrograms programs);
SolverPrograms solvers_in_use();

/// Runs clingo with the text on standard input, confined to pure computation and without its embedded Python:
/// PYTHONHOME is set to /dev/null. If clingo is a script, it gets the confinement of its interpreter. clingo
/// is $NDNF_CLINGO, the front end's own (use_solvers), or `clingo` in PATH; throws Error with installation
/// advice if there is none.
ProcessResult call_clingo(const SolverText& program, const std::vector<std::string>& options,
                          const SolverLimits& limits = {});

/// Runs z3 on SMT-LIB text in the same way: $NDNF_Z3, the front end's own, or `z3` in PATH.
ProcessResult call_z3(const SolverText& text, const SolverLimits& limits = {});

/// Runs one of our scripts in an interpreter, which may start processes and write into its directory.
ProcessResult call_python(const std::string& interpreter, OwnText library, OwnText script,
                          const std::string& input, const SolverLimits& limits);

/// Throws Error for a call without an answer: a limit, else the first line of the solver's messages that
/// names an error, else how the process ended.
[[noreturn]] void throw_no_answer(std::string_view solver, const ProcessResult& result,
                                  const SolverLimits& limits);

/// Throws Error for an invalid answer: "clingo: gave an invalid answer (…)".
[[noreturn]] void throw_nonsense(std::string_view solver, std::string_view why);

}  // namespace ndnf
