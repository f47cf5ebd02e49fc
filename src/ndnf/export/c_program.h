#pragma once

#include "ndnf/export/c_file.h"
#include "ndnf/logic/bound_program.h"

namespace ndnf {

/// A program in C, rule by rule, each with the rule as a comment. Definitions that no action needs and rules
/// that can never fire are left out. REQUIRES: `bound` is the program, over the vocabulary of
/// `file`, and decides by rules.
CBody program_in_c(const Program& program, const BoundProgram& bound, const Vocabulary& vocabulary,
                   const CFile& file);

}  // namespace ndnf
