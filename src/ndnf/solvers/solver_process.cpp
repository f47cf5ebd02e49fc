#include "ndnf/solvers/solver_process.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Whether a program is a script for some interpreter.
bool is_script(const std::string& program) {
  std::istringstream folders(program.find('/') == std::string::npos ? variable("PATH") : "/");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::ifstream file(std::filesystem::path(folder) / program, std::ios::binary);
    char start[2] = {};
    if (file.read(start, sizeof start)) return start[0] == '#' && start[1] == '!';
  }
  return false;
}

/// The environment that an interpreter needs to find itself and its packages.
std::vector<std::string> interpreters_environment() {
  std::vector<std::string> environment{"LANG=C.UTF-8"};
  for (const char* name : {"PATH", "HOME"}) environment.push_back(fmt::format("{}={}", name, variable(name)));
  return environment;
}

ProcessResult run_solver(std::vector<std::string> arguments, const std::string& input,
                         const SolverLimits& limits, std::vector<std::string> environment,
                         bool computes_only) {
  const auto processor_time = std::chrono::ceil<std::chrono::seconds>(limits.time) + std::chrono::seconds(1);
  return run_process({std::move(arguments),
                      input,
                      {},
                      limits.time,
                      limits.output,
                      Confinement{std::move(environment), limits.memory, processor_time, computes_only}});
}

/// The first line that names an error, or else the first line; for a Python traceback the last line, which
/// names the error.
std::string complaint(const std::string& errors) {
  constexpr std::size_t kMost = 500;
  std::istringstream lines(errors);
  std::string found;
  bool traced = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    const bool names = line.find("error: ") != std::string::npos || line.find("ERROR: ") != std::string::npos;
    traced = traced || line.starts_with("Traceback ");
    if (found.empty() || names || traced) found = line;
    if (names && !traced) break;
  }
  return found.substr(0, kMost);
}

struct SharedPrograms {
  std::mutex mutex;
  SolverPrograms programs;
};

SharedPrograms& shared_programs() {
  static SharedPrograms shared;
  return shared;
}

/// The command that runs clingo, without its options.
std::vector<std::string> clingo_command() {
  const std::string named = variable("NDNF_CLINGO");
  if (!named.empty()) return {named};
  std::vector<std::string> brought = solvers_in_use().clingo;
  return brought.empty() ? std::vector<std::string>{"clingo"} : brought;
}

}  // namespace

void use_solvers(SolverPrograms programs) {
  const std::lock_guard lock(shared_programs().mutex);
  shared_programs().programs = std::move(programs);
}

SolverPrograms solvers_in_use() {
  const std::lock_guard lock(shared_programs().mutex);
  return shared_programs().programs;
}

ProcessResult call_clingo(const SolverText& program, const std::vector<std::string>& options,
                          const SolverLimits& limits) {
  std::vector<std::string> arguments = clingo_command();
  const bool script = arguments.size() > 1 || is_script(arguments[0]);
  const auto environment =
      script ? interpreters_environment() : std::vector<std::string>{"PYTHONHOME=/dev/null"};
  arguments.emplace_back("-");
  arguments.insert(arguments.end(), options.begin(), options.end());
  try {
    return run_solver(std::move(arguments), program.sent(), limits, environment, !script);
  } catch (const Error& error) {
    throw Error("", error.what(),
                "install clingo (the Debian package gringo, or clingo from PyPI) or name it in NDNF_CLINGO");
  }
}

ProcessResult call_z3(const SolverText& text, const SolverLimits& limits) {
  std::string program = variable("NDNF_Z3");
  if (program.empty()) program = solvers_in_use().z3;
  if (program.empty()) program = "z3";
  const bool script = is_script(program);
  const auto environment = script ? interpreters_environment() : std::vector<std::string>{};
  try {
    return run_solver({program, "-smt2", "-in"}, text.sent(), limits, environment, !script);
  } catch (const Error& error) {
    throw Error("", error.what(),
                "install Z3 (the Debian package z3, or z3-solver from PyPI) or name it in NDNF_Z3");
  }
}

ProcessResult call_python(const std::string& interpreter, OwnText library, OwnText script,
                          const std::string& input, const SolverLimits& limits) {
  return run_solver({interpreter, "-B", "-c", std::string(library.text()) + script.text()}, input, limits,
                    interpreters_environment(), false);
}

void throw_no_answer(std::string_view solver, const ProcessResult& result, const SolverLimits& limits) {
  const std::string name(solver);
  if (result.timed_out || result.signal == SIGXCPU) {
    throw Error(name, fmt::format("did not answer within {} s",
                                  std::chrono::ceil<std::chrono::seconds>(limits.time).count()));
  }
  if (result.output_cut) throw Error(name, fmt::format("wrote more than {} MB", limits.output >> 20));
  const std::string said = complaint(result.errors);
  if (!said.empty()) throw Error(name, said);
  throw Error(name, fmt::format("ended without an answer or a message ({})", how_it_ended(result)));
}

void throw_nonsense(std::string_view solver, std::string_view why) {
  throw Error(std::string(solver), fmt::format("gave an invalid answer ({})", why));
}

}  // namespace ndnf
