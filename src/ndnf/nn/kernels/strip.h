#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "ndnf/base/elementary.h"

// The building blocks of kernels: contiguous numbers kept in registers. How many of them share a register
// depends on the instruction set, but no result does, because no kernel sums across the lanes of a register.
// Everything is inlined, for the reason given in elementary.h.

namespace ndnf {

/// Bytes per register. Not 64 with AVX-512: six rows of two registers keep more additions in flight.
#ifdef __AVX2__
inline constexpr std::size_t kRegister = 32;
#else
inline constexpr std::size_t kRegister = 16;
#endif

/// N numbers in one register, and their layout in memory.
template <class S, std::size_t N>
struct Lanes {
  using Type [[gnu::vector_size(N * sizeof(S))]] = S;
  using InMemory [[gnu::vector_size(N * sizeof(S)), gnu::aligned(alignof(S))]] = S;
};
template <class S>
struct Lanes<S, 1> {
  using Type = S;
  using InMemory = S;
};

#ifdef __FMA__
[[gnu::always_inline]] inline __m256 multiply_add(__m256 a, __m256 b, __m256 c) {
  return _mm256_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] inline __m256d multiply_add(__m256d a, __m256d b, __m256d c) {
  return _mm256_fmadd_pd(a, b, c);
}
[[gnu::always_inline]] inline __m128 multiply_add(__m128 a, __m128 b, __m128 c) {
  return _mm_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] inline __m128d multiply_add(__m128d a, __m128d b, __m128d c) {
  return _mm_fmadd_pd(a, b, c);
}
#else
/// Lane by lane.
template <class V>
[[gnu::always_inline]] inline V multiply_add(V a, V b, V c) {
  for (std::size_t lane = 0; lane < sizeof(V) / sizeof(a[0]); ++lane)
    c[lane] = multiply_add(a[lane], b[lane], c[lane]);
  return c;
}
#ifdef __SSE2__
/// multiply_add of two floats at once, given in double; see elementary.h for the method.
[[gnu::always_inline]] inline __m128 multiply_add_pair(__m128d a, __m128d b, __m128d c) {
  const __m128d product = a * b;
  const __m128d sum = product + c;
  const __m128d part = sum - product;
  const __m128d rest = (product - (sum - part)) + (c - part);
  const __m128d zero = _mm_setzero_pd();
  const __m128i inexact =
      _mm_srli_epi64(_mm_castpd_si128(_mm_or_pd(_mm_cmplt_pd(rest, zero), _mm_cmpgt_pd(rest, zero))), 63);
  const __m128i beyond = _mm_and_si128(inexact, _mm_srli_epi64(_mm_castpd_si128(_mm_xor_pd(rest, sum)), 63));
  const __m128i odd = _mm_or_si128(_mm_sub_epi64(_mm_castpd_si128(sum), beyond), inexact);
  return _mm_cvtpd_ps(_mm_castsi128_pd(odd));
}
[[gnu::always_inline]] inline __m128 multiply_add(__m128 a, __m128 b, __m128 c) {
  const __m128 low = multiply_add_pair(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c));
  const __m128 high = multiply_add_pair(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b)),
                                        _mm_cvtps_pd(_mm_movehl_ps(c, c)));
  return _mm_movelh_ps(low, high);
}
#endif
#endif

/// The larger or smaller of two numbers, lane by lane; y if one of them is NaN. Single instructions, which
/// the compiler does not use by itself because of NaN.
template <class V>
[[gnu::always_inline]] inline V larger(V x, V y) {
  return x > y ? x : y;
}
template <class V>
[[gnu::always_inline]] inline V smaller(V x, V y) {
  return x < y ? x : y;
}
#ifdef __SSE2__
[[gnu::always_inline]] inline __m128 larger(__m128 x, __m128 y) { return _mm_max_ps(x, y); }
[[gnu::always_inline]] inline __m128 smaller(__m128 x, __m128 y) { return _mm_min_ps(x, y); }
#endif
#ifdef __AVX2__
[[gnu::always_inline]] inline __m256 larger(__m256 x, __m256 y) { return _mm256_max_ps(x, y); }
[[gnu::always_inline]] inline __m256 smaller(__m256 x, __m256 y) { return _mm256_min_ps(x, y); }
#endif

/// √x, lane by lane, correctly rounded.
template <class V>
[[gnu::always_inline]] inline V square_root(V x) {
  if constexpr (std::is_floating_point_v<V>) {
    return std::sqrt(x);
  } else {
    for (std::size_t lane = 0; lane < sizeof(V) / sizeof(x[0]); ++lane) x[lane] = std::sqrt(x[lane]);
    return x;
  }
}
#ifdef __SSE2__
[[gnu::always_inline]] inline __m128 square_root(__m128 x) { return _mm_sqrt_ps(x); }
[[gnu::always_inline]] inline __m128d square_root(__m128d x) { return _mm_sqrt_pd(x); }
#endif
#ifdef __AVX2__
[[gnu::always_inline]] inline __m256 square_root(__m256 x) { return _mm256_sqrt_ps(x); }
[[gnu::always_inline]] inline __m256d square_root(__m256d x) { return _mm256_sqrt_pd(x); }
#endif

/// Width contiguous numbers.
template <class S, std::size_t Width>
struct Strip {
  static constexpr std::size_t kWidth = std::min(Width, kRegister / sizeof(S));
  static constexpr std::size_t kCount = Width / kWidth;
  using Part = typename Lanes<S, kWidth>::Type;
  using InMemory = typename Lanes<S, kWidth>::InMemory;

  Strip() = default;
  [[gnu::always_inline]] explicit Strip(S value) {
    for_parts([&](std::size_t v) { part[v] = value - Part{}; });  // not +: -0 would become 0
  }
  [[gnu::always_inline]] explicit Strip(const S* from) {
    for_parts([&](std::size_t v) { part[v] = *reinterpret_cast<const InMemory*>(from + v * kWidth); });
  }
  [[gnu::always_inline]] void write(S* to) const {
    for_parts([&](std::size_t v) { *reinterpret_cast<InMemory*>(to + v * kWidth) = part[v]; });
  }

  /// Calls body(v) for every part, without a loop: an array that is indexed in a loop may stay in memory.
  template <class Body>
  [[gnu::always_inline]] static void for_parts(const Body& body) {
    [&]<std::size_t... v>(std::index_sequence<v...>) { (body(v), ...); }
    (std::make_index_sequence<kCount>());
  }

  Part part[kCount];
};

/// Calls body(width, first) for consecutive strips of columns. width is a compile-time constant: Widest,
/// half of it, and so on down to Least, then 1 for the remaining columns.
template <std::size_t Widest = 16, std::size_t Least = 4, class Body>
[[gnu::always_inline]] inline void for_strips(std::size_t cols, const Body& body, std::size_t first = 0) {
  for (; first + Widest <= cols; first += Widest) body(std::integral_constant<std::size_t, Widest>{}, first);
  if constexpr (Widest > 1) {
    if (first < cols) for_strips<(Widest > Least ? Widest / 2 : 1), Least>(cols, body, first);
  }
}

/// y += a x
template <class S, std::size_t Width>
[[gnu::always_inline]] inline void add_scaled(S a, const Strip<S, Width>& x, Strip<S, Width>& y) {
  const Strip<S, Width> factor(a);
  for (std::size_t v = 0; v < Strip<S, Width>::kCount; ++v) {
    y.part[v] = multiply_add(factor.part[v], x.part[v], y.part[v]);
  }
}

/// y += a x, with y in memory.
template <class S, std::size_t Width>
[[gnu::always_inline]] inline void add_to(S* y, S a, const Strip<S, Width>& x) {
  Strip<S, Width> sum(y);
  add_scaled(a, x, sum);
  sum.write(y);
}

/// The polynomial with these coefficients, highest power first, after `sum`.
template <class V>
[[gnu::always_inline]] inline V polynomial(V, V sum) {
  return sum;
}
template <class V, class... Rest>
[[gnu::always_inline]] inline V polynomial(V x, V sum, float next, Rest... rest) {
  return polynomial(x, multiply_add(sum, x, next - V{}), rest...);
}

/// y = tanh y, as hyperbolic_tangent computes it.
template <std::size_t Width>
[[gnu::always_inline]] inline void to_tangents(Strip<float, Width>& y) {
  using Fit = elementary::TangentFit;
  using Vector = typename Strip<float, Width>::Part;
  for (Vector& x : y.part) {
    x = smaller(Fit::kLargest - Vector{}, larger(-Fit::kLargest - Vector{}, x));
    const Vector z = x * x;
    const Vector p =
        polynomial(z, Fit::kP[0] - Vector{}, Fit::kP[1], Fit::kP[2], Fit::kP[3], Fit::kP[4], Fit::kP[5]);
    const Vector q = polynomial(z, Fit::kQ[0] - Vector{}, Fit::kQ[1], Fit::kQ[2], Fit::kQ[3]);
    x = x * p / q;
  }
}
template <std::size_t Width>
[[gnu::always_inline]] inline void to_tangents(Strip<double, Width>& y) {
  double numbers[Width];
  y.write(numbers);
  for (double& x : numbers) x = hyperbolic_tangent(x);
  y = Strip<double, Width>(numbers);
}

/// The sums of Width columns of m (rows, cols), from `first` on.
template <std::size_t Width, class S>
[[gnu::always_inline]] inline Strip<S, Width> column_sum(std::size_t rows, std::size_t cols, const S* m,
                                                         std::size_t first) {
  Strip<S, Width> sum(S(0));
  for (std::size_t r = 0; r < rows; ++r) {
    const Strip<S, Width> row(m + r * cols + first);
    for (std::size_t v = 0; v < Strip<S, Width>::kCount; ++v) sum.part[v] += row.part[v];
  }
  return sum;
}

}  // namespace ndnf
