#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ndnf {

/// a b + c, fused where the target has the instruction: the same everywhere for the same build flags.
template <class S>
inline S multiply_add(S a, S b, S c) {
#ifdef __FMA__
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// The polynomial in x with these coefficients, the highest power's first.
template <class S>
inline S horner(S, S sum) {
  return sum;
}
template <class S, class... Rest>
inline S horner(S x, S sum, S next, Rest... rest) {
  return horner(x, multiply_add(sum, x, next), rest...);
}

/// Our own exp, log and tanh: plain arithmetic without branches, so that loops over them become vector code
/// and give the same bytes on every processor (the C library's adapt to it). NaN gives NaN. Largest errors,
/// float and double: exponential 9e-8 and 3e-16 (relative), logarithm 2e-7 and 4e-16 (relative),
/// hyperbolic_tangent 4e-7 and 4e-16.
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
  static float series(float r) {
    return horner(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f,
                  5.0000001201e-1f);
  }
  /// (atanh(s) − s) / s³ in z = s², for |s| ≤ 0.172.
  static float atanh_series(float z) { return horner(z, 1.0f / 9, 1.0f / 7, 1.0f / 5, 1.0f / 3); }
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
  static double series(double r) {
    // Taylor: 1/13!, …, 1/2!
    return horner(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                  1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5);
  }
  static double atanh_series(double z) {
    return horner(z, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5,
                  1.0 / 3);
  }
};

}  // namespace elementary

/// e^x; arguments are clamped to ±87 (float) or ±708 (double), where the result is still a normal number.
template <class S>
inline S exponential(S x) {
  using C = elementary::Constants<S>;
  x = std::min(std::max(x, -C::kLargest), C::kLargest);  // in this order NaN stays NaN
  const S shifted = multiply_add(x, C::kLog2E, C::kRound);
  const S n = shifted - C::kRound;  // x = n ln 2 + r
  const S r = multiply_add(-n, C::kLn2Low, multiply_add(-n, C::kLn2High, x));
  const S e = multiply_add(C::series(r) * r, r, r) + S(1);
  using Integer = typename C::Integer;
  return std::bit_cast<S>(std::bit_cast<Integer>(e) + (std::bit_cast<Integer>(shifted) << C::kMantissaBits));
}

/// ln x. REQUIRES: x is a positive normal number, or NaN.
template <class S>
inline S logarithm(S x) {
  using C = elementary::Constants<S>;
  using Bits = std::make_unsigned_t<typename C::Integer>;
  constexpr Bits one = std::bit_cast<Bits>(S(1));
  constexpr Bits root = std::bit_cast<Bits>(S(0.70710678118654752));
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits exponent = (bits + (one - root)) >> C::kMantissaBits;  // with the format's offset
  const S n =
      std::bit_cast<S>(std::bit_cast<Bits>(C::kRound) + exponent) - (C::kRound + S(one >> C::kMantissaBits));
  const S m = std::bit_cast<S>(bits - (exponent << C::kMantissaBits) + one);  // x = 2^n m, √½ ≤ m < √2
  const S s = (m - 1) / (m + 1);                                              // ln m = 2 atanh(s)
  const S twice = s + s;
  const S tail = twice * (s * s) * C::atanh_series(s * s);
  return n * C::kLn2High + (twice + (tail + n * C::kLn2Low)) + (x - x);  // x − x: NaN stays NaN
}

/// tanh x.
inline double hyperbolic_tangent(double x) { return 1 - 2 / (exponential(2 * x) + 1); }

/// Half the arithmetic of an exponential: x P(x²) / Q(x²), fitted to |x| ≤ 8 with an error of 1.7e-8 before
/// rounding.
inline float hyperbolic_tangent(float x) {
  constexpr float kLargest = 8;  // tanh 8 = 1 − 2.3e-7
  x = std::min(std::max(x, -kLargest), kLargest);
  const float z = x * x;
  const float p = horner(z, 2.30266917e-11f, -1.45172701e-08f, 9.81560243e-06f, 2.97881826e-03f,
                         1.29725859e-01f, 9.99999940e-01f);
  const float q = horner(z, 2.36239022e-04f, 2.39988584e-02f, 4.63058829e-01f, 1.0f);
  return x * p / q;
}

}  // namespace ndnf
