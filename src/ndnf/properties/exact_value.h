#pragma once

#include <cstddef>
#include <optional>

#include "ndnf/properties/until.h"

namespace ndnf {

/// How the exact value lies to a bound.
struct ExactComparison {
  int sign = 0;      ///< Of value − bound.
  double value = 0;  ///< Within a rounding or two.
};

/// The same sums as with doubles, without any rounding: the probabilities and rewards of the model and of the
/// policy are taken as the binary fractions that their doubles are, and so are all sums and products of them.
/// Nothing when that would take more than `words` products of 64-bit words.
std::optional<ExactComparison> compare_exactly(const EpisodeChain& chain, const Until& until,
                                               Property::Measure measure, double bound, std::size_t words);

}  // namespace ndnf
