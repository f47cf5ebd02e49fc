#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ndnf/properties/episode_chain.h"
#include "ndnf/properties/property.h"
#include "ndnf/properties/trace.h"

namespace ndnf {

enum class Verdict : std::uint8_t { kHolds, kFails, kUndecided };

/// The maximum cost of an exact recomputation, in products of 64-bit words (docs/properties.md): about ten
/// seconds.
inline constexpr std::size_t kExactWords = 1'000'000'000;

struct PropertyResult {
  /// The probability, or the expected return or length: the nearest double, or its neighbour if the nearest
  /// one would lie on the wrong side of the bound.
  double value = 0;
  double error = 0;  ///< The exact value is within this of `value`, if that did not matter for the verdict.
  Verdict verdict = Verdict::kHolds;
  /// If it fails: a run that shows it. For a probability that is too high, a shortest run that satisfies the
  /// path formula; for one that is too low, the most probable run that does not (see find_run). For rewards
  /// the most probable run.
  std::optional<Trace> trace{};

  bool holds() const { return verdict == Verdict::kHolds; }
};

/// Whether the property has a value even if an episode may never end: an unbounded length has none then, and
/// an unbounded return only with a discount.
bool has_value(const FiniteModel& model, const Property& property);

/// The value over all episodes, computed step by step with a bound on the rounding error. The verdict is
/// about the exact value: if the rounding error leaves it open, the value is recomputed exactly, and the
/// verdict is undecided if that takes more than `exact_words`. Whether a probability is 0 or 1 is decided by
/// the graph alone. REQUIRES: has_value(chain.model(), property), or every episode ends with probability 1.
PropertyResult check_property(const EpisodeChain& chain, const Property& property,
                              std::size_t exact_words = kExactWords);

/// The value with enough digits to see on which side of the property's bound it lies, and for a probability
/// whether it is 0 or 1.
std::string value_text(double value, const Property& property);
/// The bound with its sign: ">= 0.9".
std::string bound_text(const Property& property);

}  // namespace ndnf
