#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/program.h"
#include "ndnf/syntax/term.h"

namespace ndnf {

/// Where a statement is in the text, in bytes.
struct StatementSpan {
  std::size_t begin = 0;
  std::size_t body = 0;  ///< After its `:-`; 0 if it has none.
  std::size_t last = 0;  ///< After its last token before the dot.
  std::size_t dot = 0;
};

struct ParsedProgram {
  Program program;
  std::vector<OpenRule> open;
  std::vector<StatementSpan> spans;  ///< One per statement.
};

/// Parses a program that may have open rules, adding errors to `mistakes`. Names reserved by solvers or by us
/// are rejected (docs/programs.md).
ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes);

/// Parses rules written by clingo for us: ground, possibly with our reserved names. Those with aggregates and
/// conditional literals are open. Throws Error for mistakes.
ParsedProgram parse_instances(std::string_view text);

}  // namespace ndnf
