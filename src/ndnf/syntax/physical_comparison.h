#pragma once

#include <string>
#include <string_view>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/syntax/lexer.h"

namespace ndnf {

/// "there is no quantity velociti; did you mean velocity?"
std::string unknown_quantity(std::string_view name, const Vocabulary& vocabulary);

/// Whether a comparison in units may begin at this token: a quantity's name that is not a predicate, a
/// number, or a minus. Copies the lexer.
bool at_physical_comparison(const Token& now, const Lexer& lexer, const Vocabulary& vocabulary);

/// Reads a comparison in the units of the task, `velocity > 0.018` or `angle + 0.36*spin <= -0.0169`, from
/// `now` to the first token that does not belong to it. A comparison of one quantity must be on its grid, and
/// be `>`, `<=` or `=` (which names the value that rules see for that number); otherwise the mistake names
/// the nearest ones that rules can make. One of several quantities is about their values on the grid. Throws
/// Wrong.
NumericLiteral read_physical_comparison(Token& now, Lexer& lexer, const Vocabulary& vocabulary);

/// The body of a rule in which comparisons in units are replaced by those of rules: `velocity > 0.018, windy`
/// becomes `velocity(V), V > 18, windy`. Other parts are left as they are. Throws Error with the place in it.
std::string in_places(std::string_view where, std::string_view body, Syntax syntax,
                      const Vocabulary& vocabulary);

}  // namespace ndnf
