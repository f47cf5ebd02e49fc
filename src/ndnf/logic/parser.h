#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/logic/mistakes.h"
#include "ndnf/logic/program.h"

namespace ndnf {

/// An atom of a rule that is not ground: `hand(X+1)`.
struct OpenAtom {
  std::string name;
  std::size_t arity = 0;
  std::string text;  ///< Without spaces.
  bool ground = true;
  Place place{};
};

/// A rule with variables, comparisons, intervals or arithmetic: clingo has to ground it.
struct OpenRule {
  std::size_t statement = 0;  ///< Its index in the program, where an empty Rule keeps its place.
  std::string_view text;      ///< As written, comments included, without the final dot.
  Place place{};
  Place reason{};    ///< What makes it open.
  bool fact = true;  ///< It has no body.
  OpenAtom head;
  std::vector<OpenAtom> body;  ///< Its atoms, negated or not; no comparisons.
};

struct ParsedProgram {
  Program program;
  std::vector<OpenRule> open;  ///< ASP only.
};

/// Reads a program that may have open rules, adding what is wrong to `mistakes`. `text` must outlive the
/// result.
ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes);

}  // namespace ndnf
