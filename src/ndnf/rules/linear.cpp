#include "ndnf/rules/linear.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ndnf/base/elementary.h"

namespace ndnf {
namespace {

/// digits · 10^exponent.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

/// The exponent of the leading digit.
int magnitude(double x) {
  int exponent = 0;
  x = std::abs(x);
  while (x >= 10) x /= 10, ++exponent;
  while (x < 1) x *= 10, --exponent;
  return exponent;
}

/// The number with this many significant digits.
Decimal decimal(double x, int digits) {
  const int exponent = magnitude(x) - digits + 1;
  const double scaled = exponent < 0 ? x * power_of_ten(-exponent) : x / power_of_ten(exponent);
  Decimal result{std::llround(scaled), exponent};
  while (result.digits != 0 && result.digits % 10 == 0) result.digits /= 10, ++result.exponent;
  return result;
}

constexpr int kQuantumDigits = 4;

}  // namespace

double two_digits(double factor) {
  const Decimal rounded = decimal(factor, 2);
  const auto digits = static_cast<double>(rounded.digits);
  return rounded.exponent < 0 ? digits / power_of_ten(-rounded.exponent)
                              : digits * power_of_ten(rounded.exponent);
}

std::optional<std::vector<SumTerm>> whole_terms(std::span<const PhysicalTerm> terms,
                                                const Features& features) {
  std::vector<Decimal> factors;
  for (const PhysicalTerm& term : terms) {
    if (term.factor == 0) return std::nullopt;
    const Decimal quantum = decimal(features[term.feature].grid->quantum, kQuantumDigits);
    const Decimal factor = decimal(term.factor, 2);
    factors.push_back({quantum.digits * factor.digits, quantum.exponent + factor.exponent});
    Decimal& own = factors.back();
    while (own.digits % 10 == 0) own.digits /= 10, ++own.exponent;
  }
  int least = factors.front().exponent;
  for (const Decimal& factor : factors) least = std::min(least, factor.exponent);
  std::vector<SumTerm> whole;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double value = static_cast<double>(factors[i].digits) * power_of_ten(factors[i].exponent - least);
    if (std::abs(value) > 1e6) return std::nullopt;
    whole.push_back({terms[i].feature, static_cast<std::int32_t>(std::llround(value))});
  }
  if (!fits({whole, 0, true}, features)) return std::nullopt;
  return whole;
}

std::vector<PhysicalTerm> physical_terms(std::span<const SumTerm> terms, const Features& features) {
  // factor · place = factor / quantum · number
  const auto physical = [&](const SumTerm& term) {
    return term.factor / features[term.feature].grid->quantum;
  };
  std::vector<PhysicalTerm> result;
  for (const SumTerm& term : terms)
    result.push_back({term.feature, two_digits(physical(term) / physical(terms.front()))});
  return result;
}

double drawn_factor(std::uint32_t feature, std::uint32_t first, std::span<const Spread> spreads,
                    const Features& features, RandomSequence& random) {
  constexpr double kOctaves = 2;
  constexpr double kLogTwo = 0.69314718055994531;
  const auto size = [&](std::uint32_t f) {
    return (static_cast<double>(spreads[f].high) - spreads[f].low) * features[f].grid->quantum;
  };
  const double share = exponential((2 * random.uniform() - 1) * kOctaves * kLogTwo);
  const double sign = random.below(2) == 0 ? 1 : -1;
  return two_digits(sign * share * size(first) / size(feature));
}

std::optional<std::vector<SumTerm>> drawn_sum(std::size_t terms, std::span<const std::uint32_t> numbers,
                                              std::span<const Spread> spreads, const Features& features,
                                              RandomSequence& random) {
  std::vector<PhysicalTerm> sum;
  std::vector<std::uint32_t> drawn = drawn_without_repetition(terms, numbers.size(), random);
  std::sort(drawn.begin(), drawn.end());  // programs are printed in this order, too
  for (const std::uint32_t i : drawn) {
    const std::uint32_t f = numbers[i];
    sum.push_back({f, sum.empty() ? 1.0 : drawn_factor(f, sum.front().feature, spreads, features, random)});
  }
  return whole_terms(sum, features);
}

std::optional<std::vector<SumTerm>> changed_sum(std::span<const SumTerm> terms,
                                                std::span<const std::uint32_t> numbers,
                                                std::span<const Spread> spreads, const Features& features,
                                                RandomSequence& random) {
  constexpr double kSwapped = 0.25;
  constexpr double kTurned = 0.1;
  std::vector<PhysicalTerm> sum = physical_terms(terms, features);
  PhysicalTerm& own = sum[random.below(static_cast<std::uint32_t>(sum.size()))];
  if (numbers.size() > sum.size() && random.uniform() < kSwapped) {
    const std::uint32_t other = numbers[random.below(static_cast<std::uint32_t>(numbers.size()))];
    for (const PhysicalTerm& term : sum) {
      if (term.feature == other) return std::nullopt;
    }
    own.factor *= drawn_factor(other, own.feature, spreads, features, random);
    own.feature = other;
    std::sort(sum.begin(), sum.end(),
              [](const PhysicalTerm& a, const PhysicalTerm& b) { return a.feature < b.feature; });
  } else if (random.uniform() < kTurned) {
    own.factor = -own.factor;
  } else {
    own.factor *= exponential(random.normal() * 0.5);
  }
  const double first = sum.front().factor;
  for (PhysicalTerm& term : sum) term.factor = two_digits(term.factor / first);
  return whole_terms(sum, features);
}

Spread spread_of_sum(std::span<const SumTerm> terms, std::span<const Spread> spreads) {
  if (terms.size() == 1 && terms.front().factor == 1) return spreads[terms.front().feature];
  double square = 0;
  double centre = 0;
  for (const SumTerm& term : terms) {
    const Spread& own = spreads[term.feature];
    const double width = (static_cast<double>(own.high) - own.low) * term.factor;
    square += width * width;
    centre += (static_cast<double>(own.high) + own.low) / 2 * term.factor;
  }
  const double half = std::sqrt(square) / 2;
  const std::int32_t ends[] = {static_cast<std::int32_t>(centre - half),
                               static_cast<std::int32_t>(centre + half)};
  return spread_of(ends);
}

}  // namespace ndnf
