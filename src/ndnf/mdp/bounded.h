#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ndnf {

/// A number with a bound on its rounding error: the exact number is within `error` of `value`. Each operation
/// adds its own rounding error, which for sums and products of doubles is itself a double (Knuth, Dekker).
/// The error of exact results is 0. After an overflow the error is infinite or NaN.
struct Bounded {
  double value = 0;
  double error = 0;

  Bounded() = default;
  explicit Bounded(double exact) : value(exact) {}
  Bounded(double approximate, double off) : value(approximate), error(off) {}

  /// Whether comparing `value` with `bound` certainly gives the same result as comparing the exact number.
  bool decides(double bound) const { return error == 0 || std::abs(value - bound) > error * kSlack; }

  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    const double sum = a.value + b.value;
    const double part = sum - a.value;
    const double rounding = (a.value - (sum - part)) + (b.value - part);
    return {sum, widened(a.error + b.error + std::abs(rounding))};
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return a + Bounded(-b.value, b.error); }
  friend Bounded operator*(const Bounded& a, const Bounded& b) {
    const double product = a.value * b.value;
    double off = std::abs(std::fma(a.value, b.value, -product)) + std::abs(a.value) * b.error +
                 std::abs(b.value) * a.error + a.error * b.error;
    // Near underflow a rounding error may not be a double, but it is below the smallest normal double.
    const bool tiny = std::abs(product) < kNearUnderflow && a.value != 0 && b.value != 0;
    if (tiny || a.error != 0 || b.error != 0) off += kTiny;
    return {product, widened(off)};
  }
  /// The remainder of a division of doubles is a double, too.
  friend Bounded operator/(const Bounded& a, const Bounded& b) {
    const double quotient = a.value / b.value;
    const double remainder = std::abs(std::fma(-quotient, b.value, a.value));
    if (remainder == 0 && a.error == 0 && b.error == 0) return Bounded(quotient);
    const double least = (std::abs(b.value) - b.error) * (2 - kSlack);
    if (!(least > 0)) return {quotient, kInfinity};
    return {quotient, widened((remainder + a.error + std::abs(quotient) * b.error + kTiny) * kSlack / least)};
  }
  Bounded& operator+=(const Bounded& other) { return *this = *this + other; }

  friend Bounded least(const Bounded& a, const Bounded& b) {
    return between(std::min(a.low(), b.low()), std::min(a.high(), b.high()));
  }
  friend Bounded most(const Bounded& a, const Bounded& b) {
    return between(std::max(a.low(), b.low()), std::max(a.high(), b.high()));
  }

 private:
  static constexpr double kSlack = 1 + 16 * std::numeric_limits<double>::epsilon();
  static constexpr double kTiny = std::numeric_limits<double>::min();
  static constexpr double kNearUnderflow = 1e-280;

  // After an overflow nothing is known.
  double low() const {
    const double sum = value - error;
    return error == 0 ? value : std::isnan(sum) ? -kInfinity : std::nextafter(sum, -kInfinity);
  }
  double high() const {
    const double sum = value + error;
    return error == 0 ? value : std::isnan(sum) ? kInfinity : std::nextafter(sum, kInfinity);
  }
  static Bounded between(double low, double high) {
    const double middle = low + (high - low) / 2;
    return {middle, low == high ? 0 : widened(std::max(high - middle, middle - low))};
  }
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  /// Covers the rounding of the error itself.
  static double widened(double off) { return off * kSlack; }
};

}  // namespace ndnf
