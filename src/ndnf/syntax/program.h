#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ndnf/base/error.h"

namespace ndnf {

/// A ground atom under an even or odd number of negations: `hand(18)`, `not hand(18)`, `\+ hand(18)`.
struct BodyLiteral {
  std::string atom;  ///< Without spaces: "hand(18)".
  bool positive = true;
  Place place{};
};

/// The head of a rule; for an integrity constraint `ndnf_constraint` (term.h). ASP rules and definitions in
/// ProbLog have one head with probability 1 and no annotation.
struct HeadAtom {
  std::string atom;
  double probability = 1;
  bool annotated = false;  ///< Written `p::atom`.
  Place place{};
};

struct Rule {
  std::vector<HeadAtom> heads;    ///< One, or the alternatives of an annotated disjunction.
  std::vector<BodyLiteral> body;  ///< Empty for a fact.
  Place place{};
  std::string written{};  ///< The rule that it represents, if its own text does not show it (an aggregate).
};

/// A statement other than a rule, kept as written without the final dot: `#show action/1`,
/// `query(action(_))`.
struct Directive {
  std::string text;
  Place place{};
};

/// A rule or directive with the comments that belong to it, each without its `%`.
struct Statement {
  std::vector<std::string> comments;  ///< On lines of their own before it; "" is an empty line.
  std::variant<Rule, Directive> content;
  std::string remark;  ///< At the end of its line.
};

enum class Syntax : std::uint8_t { kAsp, kProbLog };

/// A ground logic program as written: order and comments are kept.
struct Program {
  Syntax syntax = Syntax::kAsp;
  std::string source;  ///< The file's name, for messages; may be empty.
  std::vector<Statement> statements;
  std::vector<std::string> closing_comments;
};

/// The program as text. Parsing it gives the same program (except places), with bit-identical probabilities;
/// no annotated disjunction sums to more than 1 when its decimal texts are read as exact numbers.
std::string to_text(const Program& program);
/// Without the final dot. An integrity constraint begins with `:-`.
std::string to_text(const Rule& rule, Syntax syntax);
/// The rule as its author would recognise it, with the final dot.
std::string shown_text(const Rule& rule, Syntax syntax);

/// Parses a ground program. Throws Error with one line per mistake, each "where:line:column: …, expected …".
Program parse_program(std::string_view where, std::string_view text, Syntax syntax);

}  // namespace ndnf
