#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ndnf/extract/extraction.h"

namespace ndnf {

/// The class in which a program is claimed to be minimal: "class E: exactly-one programs over the
/// environment's atoms".
std::string class_text(ProgramClass of, Over over);

/// "10 rules for actions; 10 rules and 35 literals in all".
std::string size_text(Syntax as, const ProgramSize& size);

/// "proved minimal", "best found, at least 7" or "best found".
std::string proof_text(const Attempt& attempt);

/// What a program was extracted from, in its header: `network: FINGERPRINT`, or `policy: optimal`, `uniform`
/// or the fingerprint of a file.
struct Original {
  std::string noun;  ///< "network" or "policy"
  std::string name;
};

/// What the program is faithful to, or in how many observations it differs. `noun` is that of the original,
/// `scope` is "reachable" or "sampled".
std::string faithfulness_text(const Attempt& attempt, Ties ties, std::string_view noun,
                              std::string_view scope = "reachable");

/// "-8 (network -8)"; sampled returns have their standard errors: "-9.01 ± 0.02 (network -9 ± 0.02)".
std::string return_text(const Expectation& program, std::string_view noun, const Expectation& original);

/// The header comments of an extracted program, one `key: value` per line. Other commands read the
/// environment from the line `environment:`. `size` is the size of the program as written. program_claims.h
/// parses and checks these lines. `discount` is that of the returns, if it is not the task's own.
std::vector<std::string> program_heading(const std::string& env, const Original& original,
                                         const Extraction& extraction, const ProgramSize& size,
                                         const std::optional<double>& discount = std::nullopt);

}  // namespace ndnf
