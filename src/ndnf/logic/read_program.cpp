#include "ndnf/logic/read_program.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/solvers/grounder.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

ParsedProgram parse_program_text(std::string_view where, std::string_view text, Syntax syntax) {
  Mistakes mistakes(where);
  ParsedProgram parsed = parse_open_program(where, text, syntax, mistakes);
  mistakes.throw_if_any();
  return parsed;
}

Program ground_program(const ParsedProgram& parsed, const Vocabulary& vocabulary) {
  Mistakes mistakes(parsed.program.source);
  Program program = ground(parsed, vocabulary, mistakes);
  mistakes.throw_if_any();
  return program;
}

Program ground_program(std::string_view where, std::string_view text, Syntax syntax,
                       const Vocabulary& vocabulary) {
  return ground_program(parse_program_text(where, text, syntax), vocabulary);
}

Syntax syntax_of(const std::filesystem::path& path) {
  if (path.extension() == ".lp") return Syntax::kAsp;
  if (path.extension() == ".pl") return Syntax::kProbLog;
  throw Error(path.string(), "has an unknown extension", "ASP programs end in .lp, ProbLog programs in .pl");
}

std::string read_program_text(const Input& input) {
  std::error_code unreadable;
  const std::uintmax_t bytes =
      input.contents ? input.contents->size() : std::filesystem::file_size(input.name, unreadable);
  if (!unreadable && bytes > kMaxProgramBytes) {
    throw Error(input.name, fmt::format("the program has {} bytes", bytes),
                fmt::format("the limit is {} MB", kMaxProgramBytes >> 20));
  }
  return input.read(kMaxProgramBytes);
}

Program read_program(const Input& input, const Vocabulary& vocabulary) {
  const Syntax syntax = syntax_of(input.name);
  return ground_program(input.name, read_program_text(input), syntax, vocabulary);
}

}  // namespace ndnf
