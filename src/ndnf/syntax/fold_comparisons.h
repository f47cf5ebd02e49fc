#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// Replaces what rules say about quantities, `velocity(V), V > 18`, by comparison atoms
/// (syntax/comparison_atom.h), so that nothing is ever grounded over the range of a quantity. Variables of
/// quantities may be compared in sums with whole factors, and be named (`D = V - W`). The other variables of
/// a comparison, `V > T` with `limit(T)`, stay in its atom until clingo has grounded them. Rules that are
/// ground then are no longer open. Adds a mistake for a quantity without a grid, one in a head, an
/// aggregate or another atom, a product of quantities, and numbers that do not fit into 32 bits.
void fold_comparisons(ParsedProgram& parsed, const Vocabulary& vocabulary, Mistakes& mistakes);

/// The quantity whose value an atom such as velocity(V) names.
std::optional<std::uint32_t> quantity_named(const Term& atom, const Vocabulary& vocabulary);
std::optional<std::uint32_t> quantity_named(std::string_view atom, const Vocabulary& vocabulary);

}  // namespace ndnf
