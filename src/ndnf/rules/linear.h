#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/rules/rule_list.h"
#include "ndnf/rules/state_sample.h"

// Sums of numbers in physical units, such as `vy + 0.36*y`, as sums of whole numbers: `100*VY + 36*Y`. The
// first factor is 1, the others have two significant digits, so that people can read them.

namespace ndnf {

constexpr std::size_t kMostTerms = 3;  ///< Of a sum.

/// A number times a real factor.
struct PhysicalTerm {
  std::uint32_t feature = 0;
  double factor = 1;
};

/// The nearest number with two significant digits.
double two_digits(double factor);

/// The sum with whole factors that has the same ratios: exactly, if the quanta are round decimal numbers.
/// Nothing if they become so large that sums would not fit into 32 bits. REQUIRES: all are numbers with a
/// grid.
std::optional<std::vector<SumTerm>> whole_terms(std::span<const PhysicalTerm> terms,
                                                const Features& features);

/// The factors of a sum in physical units, the first one 1.
std::vector<PhysicalTerm> physical_terms(std::span<const SumTerm> terms, const Features& features);

/// A random sum of `terms` numbers, each of which contributes within a factor of 4 of what the first one
/// does. `numbers` are the features to choose from, no fewer than `terms`; spreads are those of all features.
std::optional<std::vector<SumTerm>> drawn_sum(std::size_t terms, std::span<const std::uint32_t> numbers,
                                              std::span<const Spread> spreads, const Features& features,
                                              RandomSequence& random);

/// The sum with one factor changed, or with another number in the place of one of its own.
/// REQUIRES: two terms or more.
std::optional<std::vector<SumTerm>> changed_sum(std::span<const SumTerm> terms,
                                                std::span<const std::uint32_t> numbers,
                                                std::span<const Spread> spreads, const Features& features,
                                                RandomSequence& random);

/// How a sum varies: about as independent terms do.
Spread spread_of_sum(std::span<const SumTerm> terms, std::span<const Spread> spreads);

/// A random factor for a term: it contributes within a factor of 4 of what the first one does.
double drawn_factor(std::uint32_t feature, std::uint32_t first, std::span<const Spread> spreads,
                    const Features& features, RandomSequence& random);

}  // namespace ndnf
