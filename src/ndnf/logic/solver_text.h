#pragma once

#include <string>

#include "ndnf/logic/parser.h"

namespace ndnf {

/// The rules for a real solver to evaluate: printed from what was read, without comments and directives, and
/// with every quoted text numbered. So nothing of a file reaches a solver but names, numbers and rules.
std::string solver_text(const ParsedProgram& parsed);
std::string solver_text(const Program& program);

}  // namespace ndnf
