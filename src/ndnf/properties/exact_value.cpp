#include "ndnf/properties/exact_value.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

#include "ndnf/properties/endless_tally.h"
#include "ndnf/properties/tally.h"

namespace ndnf {
namespace {

using boost::multiprecision::cpp_int;

/// A binary fraction: digits · 2^exponent. Every finite double is one.
class Dyadic {
 public:
  Dyadic() = default;
  explicit Dyadic(double number) {
    constexpr int kDigits = std::numeric_limits<double>::digits;
    int exponent = 0;
    auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(number, &exponent), kDigits));
    exponent -= kDigits;
    for (; digits != 0 && digits % 2 == 0; digits /= 2) ++exponent;
    digits_ = digits;
    exponent_ = exponent;
  }

  int sign() const { return digits_.sign(); }
  std::size_t words() const { return digits_.backend().size(); }
  double rounded() const {
    if (digits_ == 0) return 0;
    constexpr std::int64_t kKept = 64;
    const auto dropped = std::max<std::int64_t>(static_cast<std::int64_t>(msb(abs(digits_))) + 1 - kKept, 0);
    const auto leading = static_cast<cpp_int>(digits_ >> static_cast<std::size_t>(dropped));
    // Beyond these exponents the result is 0 or infinite anyway.
    const auto exponent = std::clamp<std::int64_t>(exponent_ + dropped, -100000, 100000);
    return std::ldexp(leading.convert_to<double>(), static_cast<int>(exponent));
  }

  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    Dyadic product;
    product.digits_ = a.digits_ * b.digits_;
    product.exponent_ = a.exponent_ + b.exponent_;
    return product;
  }
  friend Dyadic operator+(Dyadic a, Dyadic b) {
    if (a.digits_ == 0) return b;
    if (b.digits_ == 0) return a;
    align(a, b.exponent_);
    align(b, a.exponent_);
    a.digits_ += b.digits_;
    return a;
  }
  friend Dyadic operator-(Dyadic a, const Dyadic& b) { return std::move(a) + Dyadic(-1) * b; }
  Dyadic& operator+=(Dyadic other) { return *this = std::move(*this) + std::move(other); }

  friend Dyadic least(const Dyadic& a, const Dyadic& b) { return (a - b).sign() < 0 ? a : b; }
  friend Dyadic most(const Dyadic& a, const Dyadic& b) { return (a - b).sign() > 0 ? a : b; }

 private:
  /// Rewrites the number with at most this exponent.
  static void align(Dyadic& number, std::int64_t exponent) {
    if (number.exponent_ <= exponent) return;
    number.digits_ <<= static_cast<std::size_t>(number.exponent_ - exponent);
    number.exponent_ = exponent;
  }

  cpp_int digits_ = 0;
  std::int64_t exponent_ = 0;
};

/// Numerators and denominators grow with every elimination; their products have that many words, squared.
std::optional<ExactComparison> compare_endless(const EpisodeChain& chain, const Until& until,
                                               Property::Measure measure, double bound, std::size_t words) {
  using boost::multiprecision::cpp_rational;
  std::size_t spent = 0;
  const auto spend = [&](const cpp_rational& number, std::size_t products) {
    const std::size_t size = numerator(number).backend().size() + denominator(number).backend().size();
    return (spent += products * size * size) <= words;
  };
  const auto sum = EndlessTally<cpp_rational>(chain, until, measure).run(spend);
  if (!sum) return std::nullopt;
  const cpp_rational value = until.complement ? cpp_rational(1) - sum->total : sum->total;
  return ExactComparison{value.compare(cpp_rational(bound)), value.convert_to<double>()};
}

}  // namespace

// tally() with exact numbers instead of doubles. The digits of a probability grow with the number of factors,
// by up to 53 bits per factor, so the time is quadratic in the steps; `words` bounds it.
std::optional<ExactComparison> compare_exactly(const EpisodeChain& chain, const Until& until,
                                               Property::Measure measure, double bound, std::size_t words) {
  if (is_endless(until)) return compare_endless(chain, until, measure, bound, words);
  std::size_t spent = 0;
  const auto spend = [&](const Dyadic& mass, std::size_t moves) {
    spent += mass.words() * (1 + moves);
    return spent <= words;
  };
  const Dyadic total = tally<Dyadic>(chain, until, measure, spend).total;
  if (spent > words) return std::nullopt;
  const Dyadic value = until.complement ? Dyadic(1) - total : total;
  return ExactComparison{(value - Dyadic(bound)).sign(), value.rounded()};
}

}  // namespace ndnf
