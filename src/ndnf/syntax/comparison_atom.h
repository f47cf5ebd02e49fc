#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The bound of a comparison with variables (see comparison_atom).
inline constexpr std::string_view kSumOfOthers = "ndnf_sum";

/// In a ground program a comparison of quantities is an atom with a reserved name and the numbers as its
/// arguments: `100*A + 36*S > -1690` is ndnf_above(-1690,angle,100,spin,36), and `=` is ndnf_equal. The
/// printer writes it as `angle(A), spin(S), 100*A + 36*S > -1690`, which the reader turns into the same atom;
/// so all that works with ground atoms works with comparisons.
/// Before clingo has grounded it, the bound may be a sum with variables:
/// ndnf_sum(constant,factor,variable,…).
std::string comparison_atom(const LinearComparison& comparison, const Vocabulary& vocabulary);
BodyLiteral comparison_literal(const NumericLiteral& literal, const Vocabulary& vocabulary, Place place = {});

bool is_comparison(std::string_view atom);

/// The comparison of such an atom, whose numbers may be anything; nothing for other atoms. Throws Error if
/// the vocabulary has no such quantity, it has no grid, or the numbers reach kComparisonLimit.
std::optional<LinearComparison> comparison_of(std::string_view atom, const Vocabulary& vocabulary);

/// "the numbers of this comparison may reach 2400000000, expected less than 2^31, …"
std::string too_large(std::int64_t reach);

/// Writes comparisons with one variable per quantity: its initials (V, SU), or its name with a capital letter
/// (Spin_upper) if another quantity has the same initials.
class QuantityVariables {
 public:
  /// Collects the quantities in a rule's body.
  void add(const Rule& rule);
  /// `angle(A), spin(S), 100*A + 36*S <= -1690`: what is needed to say a literal, except for the quantities
  /// in `bound`, to which its own are added. REQUIRES: is_comparison(literal.atom), and its rule was added.
  std::string text(const BodyLiteral& literal, Syntax syntax, std::vector<std::string_view>& bound);

 private:
  const std::string& name(std::string_view quantity);

  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, int> initials_;  ///< How many quantities have them.
};

}  // namespace ndnf
