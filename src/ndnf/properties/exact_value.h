#pragma once

#include <cstddef>
#include <optional>

#include "ndnf/properties/until.h"

namespace ndnf {

/// Comparison of the exact value with a bound.
struct ExactComparison {
  int sign = 0;      ///< Of value − bound.
  double value = 0;  ///< Within one or two roundings.
};

/// The same sums as with doubles, but without rounding: every double is a binary fraction, and binary
/// fractions are closed under addition and multiplication. Nothing if this takes more than `words` products
/// of 64-bit words. Without a bound on the steps there are divisions, too: then fractions are used.
std::optional<ExactComparison> compare_exactly(const EpisodeChain& chain, const Until& until,
                                               Property::Measure measure, double bound, std::size_t words);

}  // namespace ndnf
