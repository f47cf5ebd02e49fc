#pragma once

#include <string_view>
#include <vector>

#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/program.h"
#include "ndnf/syntax/term.h"

namespace ndnf {

struct ParsedProgram {
  Program program;
  std::vector<OpenRule> open;  ///< ASP only.
};

/// Reads a program that may have open rules, adding what is wrong to `mistakes`. Names that solvers or we
/// ourselves use are refused (docs/programs.md).
ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes);

/// Reads the rules that clingo wrote for us: ground, and with names of our own.
/// Throws Error if they are not such.
std::vector<Rule> parse_instances(std::string_view text);

}  // namespace ndnf
