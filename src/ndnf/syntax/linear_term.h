#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/term.h"

namespace ndnf {

/// A sum of quantities with whole factors, a number, and perhaps terms whose values only clingo knows.
struct LinearTerm {
  std::map<std::uint32_t, std::int64_t> factors{};  ///< Per quantity; may be 0.
  std::int64_t constant = 0;
  /// Variables that are not quantities, with whole factors.
  std::vector<std::pair<Term, std::int64_t>> others{};
  std::int64_t reach = 0;  ///< An upper bound on the absolute value of all that occurs in computing the rest.

  bool is_constant() const { return factors.empty() && others.empty(); }
};

/// What the variables of quantities stand for, by name.
using QuantityTerms = std::map<std::string, LinearTerm, std::less<>>;

/// The value of a quantity.
LinearTerm value_of(std::uint32_t quantity, const Vocabulary& vocabulary);

/// The term as a sum. Throws Wrong if it is not linear in the quantities, or numbers reach kComparisonLimit.
LinearTerm linear(const Term& term, const QuantityTerms& variables);

/// left + right, and factor · sum. Throw Wrong, too.
LinearTerm plus(LinearTerm left, const LinearTerm& right);
LinearTerm times(LinearTerm sum, std::int64_t factor, Place place);
/// left − right.
LinearTerm difference(LinearTerm left, const LinearTerm& right);

}  // namespace ndnf
