#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ndnf {

// Arithmetic that gives bit-identical results with every compiler, processor and C library (library
// functions select code by processor). Everything is inlined: these headers are also compiled for
// instruction sets that not every processor supports, and the linker must not pick such a copy for use
// elsewhere.

namespace elementary {

/// The unevaluated sum high + low: exactly a sum or product of two numbers, with high its rounded value.
struct Pair {
  double high;
  double low;
};

[[gnu::always_inline]] inline Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// REQUIRES: |a| and |b| are below 2^996, and a b is 0 or above 2^-960 (Dekker, 1971).
[[gnu::always_inline]] inline Pair exact_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1 leaves 26 bits in the high half
  const double a_high = kSplit * a - (kSplit * a - a);
  const double b_high = kSplit * b - (kSplit * b - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

/// The product of two sums high + low, in about twice the precision of double.
[[gnu::always_inline]] inline Pair product(const Pair& a, const Pair& b) {
  const Pair high = exact_product(a.high, b.high);
  const double rest = high.low + (a.high * b.low + a.low * b.high);
  const double sum = high.high + rest;
  return {sum, rest - (sum - high.high)};
}

/// a + b rounded to odd: to the neighbour whose last bit is 1 unless the sum is exact. Rounding that to fewer
/// digits gives what rounding the exact sum would have given (Boldo and Melquiond, 2008).
[[gnu::always_inline]] inline double sum_rounded_to_odd(double a, double b) {
  const Pair sum = exact_sum(a, b);
  const auto bits = std::bit_cast<std::uint64_t>(sum.high);
  const std::uint64_t inexact = (sum.low < 0 ? 1u : 0u) | (sum.low > 0 ? 1u : 0u);
  const std::uint64_t beyond = inexact & (std::bit_cast<std::uint64_t>(sum.low) ^ bits) >> 63;
  return std::bit_cast<double>((bits - beyond) | inexact);
}

}  // namespace elementary

/// a b + c with one rounding: a single instruction where the target has one, otherwise plain arithmetic
/// (Boldo and Melquiond, 2008). For float, a b is exact in double. For double, extreme values fall back to
/// the C library's fma, which rounds the same way but is much slower.
[[gnu::always_inline]] inline float multiply_add(float a, float b, float c) {
#if defined(__FMA__) || defined(__FP_FAST_FMAF)
  return __builtin_fmaf(a, b, c);
#else
  const double product = static_cast<double>(a) * static_cast<double>(b);
  return static_cast<float>(elementary::sum_rounded_to_odd(product, static_cast<double>(c)));
#endif
}
[[gnu::always_inline]] inline double multiply_add(double a, double b, double c) {
#if defined(__FMA__) || defined(__FP_FAST_FMA)
  return __builtin_fma(a, b, c);
#else
  const double size = std::abs(a * b);
  const bool plain = std::abs(a) < 0x1p500 && std::abs(b) < 0x1p500 && std::abs(c) < 0x1p1000 &&
                     (size > 0x1p-900 || a == 0 || b == 0);
  if (!plain) return __builtin_fma(a, b, c);
  const elementary::Pair product = elementary::exact_product(a, b);
  const elementary::Pair lower = elementary::exact_sum(c, product.low);
  const elementary::Pair upper = elementary::exact_sum(product.high, lower.high);
  return upper.high + elementary::sum_rounded_to_odd(lower.low, upper.low);
#endif
}

/// The polynomial in x with these coefficients, highest power first.
template <class S>
[[gnu::always_inline]] inline S horner(S, S sum) {
  return sum;
}
template <class S, class... Rest>
[[gnu::always_inline]] inline S horner(S x, S sum, S next, Rest... rest) {
  return horner(x, multiply_add(sum, x, next), rest...);
}

/// Our own exp, log and tanh: branch-free arithmetic, so that loops over them vectorise. NaN gives NaN.
/// Maximum errors for float and double: exponential 9e-8 and 3e-16 (relative), logarithm 2e-7 and 4e-16
/// (relative), hyperbolic_tangent 4e-7 and 4e-16.
namespace elementary {

template <class S>
struct Constants;

template <>
struct Constants<float> {
  using Integer = std::int32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr float kLargest = 87.0f;
  static constexpr float kLog2E = 1.44269504088896341f;
  static constexpr float kLn2High = 0.693359375f;  // few bits, so that n · kLn2High is exact
  static constexpr float kLn2Low = -2.12194440e-4f;
  static constexpr float kRound = 12582912.0f;  // 1.5 · 2^23: adding it leaves an integer in the lowest bits
  /// (exp(r) − 1 − r) / r² for |r| ≤ ln 2 / 2.
  [[gnu::always_inline]] static float series(float r) {
    return horner(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f,
                  5.0000001201e-1f);
  }
  /// (atanh(s) − s) / s³ in z = s², for |s| ≤ 0.172.
  [[gnu::always_inline]] static float atanh_series(float z) {
    return horner(z, 1.0f / 9, 1.0f / 7, 1.0f / 5, 1.0f / 3);
  }
};

template <>
struct Constants<double> {
  using Integer = std::int64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr double kLargest = 708.0;
  static constexpr double kLog2E = 1.4426950408889634074;
  static constexpr double kLn2High = 6.93147180369123816490e-01;
  static constexpr double kLn2Low = 1.90821492927058770002e-10;
  static constexpr double kRound = 6755399441055744.0;
  [[gnu::always_inline]] static double series(double r) {
    // Taylor: 1/13!, …, 1/2!
    return horner(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                  1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5);
  }
  [[gnu::always_inline]] static double atanh_series(double z) {
    return horner(z, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5,
                  1.0 / 3);
  }
};

}  // namespace elementary

/// e^x; arguments are clamped to ±87 (float) or ±708 (double), so the result is always a normal number.
template <class S>
[[gnu::always_inline]] inline S exponential(S x) {
  using C = elementary::Constants<S>;
  x = std::min(std::max(x, -C::kLargest), C::kLargest);  // this order propagates NaN
  const S shifted = multiply_add(x, C::kLog2E, C::kRound);
  const S n = shifted - C::kRound;  // x = n ln 2 + r
  const S r = multiply_add(-n, C::kLn2Low, multiply_add(-n, C::kLn2High, x));
  const S e = multiply_add(C::series(r) * r, r, r) + S(1);
  using Integer = typename C::Integer;
  return std::bit_cast<S>(std::bit_cast<Integer>(e) + (std::bit_cast<Integer>(shifted) << C::kMantissaBits));
}

/// ln x. REQUIRES: x is a positive normal number, or NaN.
template <class S>
[[gnu::always_inline]] inline S logarithm(S x) {
  using C = elementary::Constants<S>;
  using Bits = std::make_unsigned_t<typename C::Integer>;
  constexpr Bits one = std::bit_cast<Bits>(S(1));
  constexpr Bits root = std::bit_cast<Bits>(S(0.70710678118654752));
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits exponent = (bits + (one - root)) >> C::kMantissaBits;  // still biased
  const S n =
      std::bit_cast<S>(std::bit_cast<Bits>(C::kRound) + exponent) - (C::kRound + S(one >> C::kMantissaBits));
  const S m = std::bit_cast<S>(bits - (exponent << C::kMantissaBits) + one);  // x = 2^n m, √½ ≤ m < √2
  const S s = (m - 1) / (m + 1);                                              // ln m = 2 atanh(s)
  const S twice = s + s;
  const S tail = twice * (s * s) * C::atanh_series(s * s);
  return n * C::kLn2High + (twice + (tail + n * C::kLn2Low)) + (x - x);  // x − x propagates NaN
}

/// tanh x.
[[gnu::always_inline]] inline double hyperbolic_tangent(double x) { return 1 - 2 / (exponential(2 * x) + 1); }

namespace elementary {

/// tanh x ≈ x P(x²) / Q(x²), which costs half as much as an exponential. Fitted on |x| ≤ 8, with an
/// approximation error of 1.7e-8 before rounding. Coefficients with the highest power first.
struct TangentFit {
  static constexpr float kLargest = 8;  // tanh 8 = 1 − 2.3e-7
  static constexpr float kP[] = {2.30266917e-11f, -1.45172701e-08f, 9.81560243e-06f,
                                 2.97881826e-03f, 1.29725859e-01f,  9.99999940e-01f};
  static constexpr float kQ[] = {2.36239022e-04f, 2.39988584e-02f, 4.63058829e-01f, 1.0f};
};

}  // namespace elementary

[[gnu::always_inline]] inline float hyperbolic_tangent(float x) {
  using Fit = elementary::TangentFit;
  x = std::min(std::max(x, -Fit::kLargest), Fit::kLargest);
  const float z = x * x;
  const float p = horner(z, Fit::kP[0], Fit::kP[1], Fit::kP[2], Fit::kP[3], Fit::kP[4], Fit::kP[5]);
  const float q = horner(z, Fit::kQ[0], Fit::kQ[1], Fit::kQ[2], Fit::kQ[3]);
  return x * p / q;
}

namespace elementary {

/// x = number · π / 2 + rest, with |rest| ≤ π / 4.
struct Quarter {
  int number;
  double rest;
};

[[gnu::always_inline]] inline Quarter quarter_of(double x) {
  constexpr double kHalfPiHigh = 0x1.921fb544p+0;  // 33 bits: number · kHalfPiHigh is exact
  constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
  const int number = static_cast<int>(x * 0.63661977236758134308 + (x < 0 ? -0.5 : 0.5));
  const auto quarters = static_cast<double>(number);
  return {number, (x - quarters * kHalfPiHigh) - quarters * kHalfPiLow};
}

/// The same as `horner` with two roundings a step. What it is used for is a small part of a result, so this
/// does not matter there, and without an instruction that fuses it takes a tenth of the time.
template <class... Rest>
[[gnu::always_inline]] inline double rounded_horner(double x, double sum, Rest... rest) {
  ((sum = sum * x + rest), ...);
  return sum;
}

[[gnu::always_inline]] inline double small_cosine(double r) {
  const double z = r * r;
  const double tail = rounded_horner(z, 1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0,
                                     -1.0 / 3628800.0, 1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0);
  return 1 - (z / 2 - z * z * tail);
}

[[gnu::always_inline]] inline double small_sine(double r) {
  const double z = r * r;
  const double tail =
      rounded_horner(z, 1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0,
                     -1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0);
  return r + r * z * tail;
}

}  // namespace elementary

/// cos x for |x| ≤ 10⁵, with an error below 3e-16.
[[gnu::always_inline]] inline double cosine(double x) {
  const auto [number, rest] = elementary::quarter_of(x);
  const double value = number % 2 == 0 ? elementary::small_cosine(rest) : elementary::small_sine(rest);
  return (number & 3) == 1 || (number & 3) == 2 ? -value : value;
}

/// sin x, likewise.
[[gnu::always_inline]] inline double sine(double x) {
  const auto [number, rest] = elementary::quarter_of(x);
  const double value = number % 2 == 0 ? elementary::small_sine(rest) : elementary::small_cosine(rest);
  return (number & 3) >= 2 ? -value : value;
}

/// base^exponent, correctly rounded except in about one case in 2^40.
inline double power(double base, std::uint64_t exponent) {
  elementary::Pair result{1, 0};
  for (auto bit = static_cast<int>(std::bit_width(exponent)); bit-- > 0;) {
    result = elementary::product(result, result);
    if ((exponent >> bit & 1) != 0) result = elementary::product(result, {base, 0});
  }
  return result.high;
}

}  // namespace ndnf
