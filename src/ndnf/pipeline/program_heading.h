#pragma once

#include <string>
#include <vector>

#include "ndnf/extract/extraction.h"

namespace ndnf {

/// "class E: exactly-one programs over the environment's atoms": what a claim of minimality is about.
std::string class_text(ProgramClass of, Over over);

/// "10 rules for actions; 10 rules and 35 literals in all".
std::string size_text(Syntax as, const ProgramSize& size);

/// "proved minimal", "best found, at least 7" or "best found".
std::string proof_text(const Attempt& attempt);

/// What the program is faithful to, and where it is not.
std::string faithfulness_text(const Attempt& attempt, Ties ties);

/// "-8 (network -8)": exact returns.
std::string return_text(double program, double network);

/// The comments at the top of an extracted program: what a reader should know first, one `key: value` per
/// line. `environment:` lets other commands find it. `network` is the fingerprint of its checkpoint,
/// `size` that of the program as it is written. program_claims.h reads them again.
std::vector<std::string> program_heading(const std::string& env, const std::string& network,
                                         const Extraction& extraction, const ProgramSize& size);

}  // namespace ndnf
