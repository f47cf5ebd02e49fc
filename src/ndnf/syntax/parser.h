#pragma once

#include <string_view>
#include <vector>

#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/program.h"
#include "ndnf/syntax/term.h"

namespace ndnf {

struct ParsedProgram {
  Program program;
  std::vector<OpenRule> open;
};

/// Parses a program that may have open rules, adding errors to `mistakes`. Names reserved by solvers or by us
/// are rejected (docs/programs.md).
ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes);

/// Parses rules written by clingo for us: ground, possibly with our reserved names. Those with aggregates and
/// conditional literals are open. Throws Error for mistakes.
ParsedProgram parse_instances(std::string_view text);

}  // namespace ndnf
