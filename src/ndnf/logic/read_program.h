#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/parser.h"
#include "ndnf/syntax/program.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Larger programs are rejected before they are read.
inline constexpr std::uintmax_t kMaxProgramBytes = 16u << 20;

/// Reads a program that may have rules with variables, comparisons, intervals and arithmetic (ASP only). The
/// real clingo grounds these against the vocabulary: each is replaced by its instances, which keep its place;
/// the first one keeps its comments. A rule without instances is replaced by a comment that says so, and its
/// head is false. Ground programs need no clingo. Throws Error with one line per mistake, "where:line:column:
/// …".
Program ground_program(std::string_view where, std::string_view text, Syntax syntax,
                       const Vocabulary& vocabulary);

/// The two steps of ground_program: what needs no vocabulary, and the rest.
ParsedProgram parse_program_text(std::string_view where, std::string_view text, Syntax syntax);
Program ground_program(const ParsedProgram& parsed, const Vocabulary& vocabulary);

/// ASP for `.lp`, ProbLog for `.pl`; Error for anything else.
Syntax syntax_of(const std::filesystem::path& path);

/// The text of a program. Throws Error if it is larger than kMaxProgramBytes or cannot be read.
std::string read_program_text(const Input& input);

/// Combines the two functions above and ground_program.
Program read_program(const Input& input, const Vocabulary& vocabulary);

}  // namespace ndnf
