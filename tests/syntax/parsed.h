#pragma once

#include <string>

#include "ndnf/syntax/program.h"

namespace ndnf::testing {

inline Program asp(const std::string& text) { return parse_program("p.lp", text, Syntax::kAsp); }
inline Program problog(const std::string& text) { return parse_program("p.pl", text, Syntax::kProbLog); }

}  // namespace ndnf::testing
