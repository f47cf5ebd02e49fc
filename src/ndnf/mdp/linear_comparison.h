#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

/// A linear comparison of quantities by their places on their grids (mdp/quantity.h): Σ cᵢ·Kᵢ > bound, or
/// = bound. `<=` is the negation of `>`; since all numbers are whole, `>=` and `<` are `>` with another
/// bound.
struct LinearComparison {
  struct Term {
    std::uint32_t quantity = 0;
    std::int64_t coefficient = 0;
    bool operator==(const Term&) const = default;
  };

  std::vector<Term> terms;  ///< At least one; ascending quantities, coefficients that are not 0.
  std::int64_t bound = 0;
  bool equal = false;  ///< `=` instead of `>`.

  /// `places` has one number per quantity of the vocabulary.
  bool holds(std::span<const std::int32_t> places) const;
  bool operator==(const LinearComparison&) const = default;
};

/// A comparison or its negation.
struct NumericLiteral {
  LinearComparison comparison;
  bool positive = true;
};

/// The literal for Σ terms > bound (or = bound) whose first coefficient is above 0, and 1 if it is the only
/// one: `2*V > 5` is `V > 2`. REQUIRES: at least one term, in any order, each quantity once; all numbers are
/// below kComparisonLimit.
NumericLiteral canonical(std::vector<LinearComparison::Term> terms, std::int64_t bound, bool equal = false);

/// Below this a comparison means the same to clingo, which computes in 32 bits and wraps silently.
inline constexpr std::int64_t kComparisonLimit = std::int64_t{1} << 31;

/// The largest absolute value in the evaluation of a comparison, Σ|cᵢ|·max|Kᵢ| + |bound|.
/// REQUIRES: its quantities have grids.
std::int64_t reach(const LinearComparison& comparison, const Vocabulary& vocabulary);

/// Whether a comparison that comes from a file has terms as LinearComparison demands, of quantities with
/// grids, and stays below kComparisonLimit.
bool is_well_formed(const LinearComparison& comparison, const Vocabulary& vocabulary);

/// A quantity with a real factor, in the task's units.
struct RealTerm {
  std::uint32_t quantity = 0;
  double factor = 1;
};

/// The comparison Σ factor · (x − centre) > bound in whole numbers, so that people can read it and every
/// reader computes the same: relative to the first factor the others get two significant digits, and the
/// bound is rounded to the grid. Turning a little by this rounding, the plane keeps its distance from the
/// centre. Fewer digits, and then fewer terms, are kept if the numbers would reach kComparisonLimit.
/// `centre` has one number per quantity. REQUIRES: at least one factor is not 0; all quantities have grids.
NumericLiteral whole_literal(std::vector<RealTerm> terms, std::span<const double> centre, double bound,
                             const Vocabulary& vocabulary);

/// The literal in the units of the task: "velocity > 0.255 m/s", "angle + 0.36*spin <= -0.0169". Numbers
/// that had to be rounded make it "about …". REQUIRES: the comparison is canonical.
std::string reading(const NumericLiteral& literal, const Vocabulary& vocabulary);

/// The places of an observation's numbers. Throws Error if a quantity has no grid.
std::vector<std::int32_t> places_of(std::span<const float> numbers, const Vocabulary& vocabulary);

}  // namespace ndnf
