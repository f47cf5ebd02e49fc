#include "ndnf/logic/read_program.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/solvers/grounder.h"
#include "ndnf/syntax/parser.h"
#include "ndnf/system/file.h"

namespace ndnf {

Program ground_program(std::string_view where, std::string_view text, Syntax syntax,
                       const Vocabulary& vocabulary) {
  Mistakes mistakes(where);
  ParsedProgram parsed = parse_open_program(where, text, syntax, mistakes);
  mistakes.throw_if_any();
  Program program = ground(std::move(parsed), vocabulary, mistakes);
  mistakes.throw_if_any();
  return program;
}

Syntax syntax_of(const std::filesystem::path& path) {
  if (path.extension() == ".lp") return Syntax::kAsp;
  if (path.extension() == ".pl") return Syntax::kProbLog;
  throw Error(path.string(), "has an unknown extension", "ASP programs end in .lp, ProbLog programs in .pl");
}

std::string read_program_text(const std::filesystem::path& path) {
  std::error_code unreadable;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unreadable);
  if (!unreadable && bytes > kMaxProgramBytes) {
    throw Error(path.string(), fmt::format("the program has {} bytes", bytes),
                fmt::format("the limit is {} MB", kMaxProgramBytes >> 20));
  }
  return read_file(path, kMaxProgramBytes);
}

Program read_program(const std::filesystem::path& path, const Vocabulary& vocabulary) {
  const Syntax syntax = syntax_of(path);
  return ground_program(path.string(), read_program_text(path), syntax, vocabulary);
}

SolverText read_for_solver(const std::filesystem::path& path) {
  Mistakes mistakes(path.string());
  const ParsedProgram parsed =
      parse_open_program(path.string(), read_program_text(path), syntax_of(path), mistakes);
  mistakes.throw_if_any();
  return solver_text(parsed);
}

}  // namespace ndnf
