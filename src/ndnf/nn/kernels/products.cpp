#include "ndnf/nn/kernels/strip.h"
#include "ndnf/nn/kernels/variant.h"

namespace ndnf::kernel_sets::NDNF_KERNEL_SET {
namespace {

/// sum + Σ_k a[k · a_step] b[k · b_step], in order. If the a are contiguous, only the last n modulo 4
/// products (2 in double) are fused. This is no better than fusing all of them, but all networks trained so
/// far were computed in this way, and it keeps their training reproducible.
template <class S>
[[gnu::always_inline]] inline S add_products(std::size_t n, const S* a, std::size_t a_step, const S* b,
                                             std::size_t b_step, S sum) {
  const std::size_t rounded = a_step == 1 ? n - n % (16 / sizeof(S)) : 0;
  std::size_t k = 0;
  for (; k < rounded; ++k) sum += a[k * a_step] * b[k * b_step];
  for (; k < n; ++k) sum = multiply_add(a[k * a_step], b[k * b_step], sum);
  return sum;
}

/// C[r, 0 … Width) = start[r, 0 … Width) + Σ_k A(r, k) B[k, 0 … Width) for Rows rows; the tile of C stays in
/// registers. Without `start` sums start at 0. Rows of B are b_step apart, those of C c_step.
template <std::size_t Rows, std::size_t Width, class S>
[[gnu::always_inline]] inline void tile_product(std::size_t depth, View<S> a, const S* b, std::size_t b_step,
                                                const S* start, std::size_t start_step, S* c,
                                                std::size_t c_step) {
  if constexpr (Width == 1) {
    for (std::size_t r = 0; r < Rows; ++r)
      c[r * c_step] = add_products(depth, a.data + r * a.row_step, a.col_step, b, b_step,
                                   start == nullptr ? S(0) : start[r * start_step]);
    return;
  }
  Strip<S, Width> sums[Rows];
  for (std::size_t r = 0; r < Rows; ++r)
    sums[r] = start == nullptr ? Strip<S, Width>(S(0)) : Strip<S, Width>(start + r * start_step);
  for (std::size_t k = 0; k < depth; ++k) {
    const Strip<S, Width> factors(b + k * b_step);
    for (std::size_t r = 0; r < Rows; ++r)
      add_scaled(a.data[r * a.row_step + k * a.col_step], factors, sums[r]);
  }
  for (std::size_t r = 0; r < Rows; ++r) sums[r].write(c + r * c_step);
}

/// All rows of one strip of C, in tiles of this many rows: as many as remain of each, in this order.
template <std::size_t Width, std::size_t... Tiles, class S>
[[gnu::always_inline]] inline void strip_product(std::size_t rows, std::size_t depth, View<S> a, const S* b,
                                                 std::size_t b_step, const S* start, std::size_t start_step,
                                                 S* c, std::size_t c_step) {
  std::size_t r = 0;
  const auto run = [&](auto count) {
    for (; r + count <= rows; r += count) {
      const View<S> part{a.data + r * a.row_step, a.row_step, a.col_step};
      const S* const from = start == nullptr ? nullptr : start + r * start_step;
      tile_product<count, Width>(depth, part, b, b_step, from, start_step, c + r * c_step, c_step);
    }
  };
  (run(std::integral_constant<std::size_t, Tiles>{}), ...);
}

constexpr std::size_t kWide = 32;    // widest strip for few rows
constexpr std::size_t kMany = 48;    // rows from which copying B pays
constexpr std::size_t kDepth = 256;  // rows of B copied at a time

/// The same for many rows, in parts of the depth. The strip of B is copied first: its rows are far apart,
/// often by a power of two, and would displace each other in the cache.
template <std::size_t Width, class S>
void packed_strip_product(std::size_t rows, std::size_t depth, View<S> a, const S* b, std::size_t b_step,
                          const S* start, std::size_t start_step, S* c, std::size_t c_step) {
  alignas(64) S packed[kDepth * Width];
  for (std::size_t begin = 0; begin < depth; begin += kDepth) {
    const std::size_t part = std::min(kDepth, depth - begin);
    for (std::size_t k = 0; k < part; ++k)
      Strip<S, Width>(b + (begin + k) * b_step).write(packed + k * Width);
    const View<S> columns{a.data + begin * a.col_step, a.row_step, a.col_step};
    strip_product<Width, 6, 2, 1>(rows, part, columns, packed, Width, begin == 0 ? start : c,
                                  begin == 0 ? start_step : c_step, c, c_step);
  }
}

// Register tiling: C is computed in tiles of 6 (then 2, then 1) rows by one strip of columns; a C of few rows
// in wider strips, so that as many additions are in flight. A tile's sums stay in registers while k runs over
// the depth, so each loaded strip of B is used for several rows. Every element is summed over k in order,
// whatever the tile, so tiling does not change the result.
template <class S>
void product(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b, const S* start,
             std::size_t start_step, S* c) {
  const auto from = [=](std::size_t first) { return start == nullptr ? nullptr : start + first; };
  if (rows < 4) {
    return for_strips<kWide>(cols, [=](auto width, std::size_t first) {
      strip_product<width, 2, 1>(rows, depth, a, b + first, cols, from(first), start_step, c + first, cols);
    });
  }
  for_strips(cols, [=](auto width, std::size_t first) {  // 6 rows: 12 of 16 vector registers
    if constexpr (width == 16) {
      if (rows >= kMany && depth > 0)
        return packed_strip_product<width>(rows, depth, a, b + first, cols, from(first), start_step,
                                           c + first, cols);
    }
    strip_product<width, 6, 2, 1>(rows, depth, a, b + first, cols, from(first), start_step, c + first, cols);
  });
}

/// A dot product is accumulated in eight partial sums, one per residue modulo 8, added up in this order.
constexpr std::size_t kSums = 8;
inline float total(const float (&s)[kSums]) {
  return ((s[0] + s[4]) + (s[3] + s[7])) + ((s[1] + s[5]) + (s[2] + s[6]));
}
inline double total(const double (&s)[kSums]) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

using Four = Lanes<float, 4>::Type;

/// Exchanges rows and columns.
[[gnu::always_inline]] inline void transpose_square(Four (&m)[4]) {
  const Four low01 = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
  const Four low23 = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
  const Four high23 = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
  m[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  m[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  m[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  m[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

/// The totals of four rows at once: the four columns of the halves' sums, added up in the same order.
template <class Block>
[[gnu::always_inline]] inline Four folded(const Block& s) {
  if constexpr (Block::kCount == 1) {
    return __builtin_shufflevector(s.part[0], s.part[0], 0, 1, 2, 3) +
           __builtin_shufflevector(s.part[0], s.part[0], 4, 5, 6, 7);
  } else {
    return s.part[0] + s.part[1];
  }
}
[[gnu::always_inline]] inline void totals(const Strip<float, kSums> (&sums)[4], float* result) {
  Four s[4];
  for (std::size_t r = 0; r < 4; ++r) s[r] = folded(sums[r]);
  transpose_square(s);
  *reinterpret_cast<Lanes<float, 4>::InMemory*>(result) = (s[0] + s[3]) + (s[1] + s[2]);
}
template <std::size_t Rows, class S>
[[gnu::always_inline]] inline void totals(const Strip<S, kSums> (&sums)[Rows], S* result) {
  for (std::size_t r = 0; r < Rows; ++r) {
    S parts[kSums];
    sums[r].write(parts);
    result[r] = total(parts);
  }
}

template <std::size_t Rows, class S>
void dots_of_rows(std::size_t n, const S* x, const S* w, S bias, S* z, std::size_t z_step) {
  using Block = Strip<S, kSums>;
  Block sums[Rows];
  for (Block& sum : sums) sum = Block(S(0));
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    const Block factors(w + i);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Block row(x + r * n + i);
      for (std::size_t v = 0; v < Block::kCount; ++v)
        sums[r].part[v] = multiply_add(row.part[v], factors.part[v], sums[r].part[v]);
    }
  }
  S whole[Rows];
  totals(sums, whole);
  for (std::size_t r = 0; r < Rows; ++r)
    z[r * z_step] = add_products(n - i, x + r * n + i, 1, w + i, 1, bias + whole[r]);
}

template <class S>
void dots(std::size_t rows, std::size_t n, const S* x, const S* w, S bias, S* z, std::size_t z_step) {
  std::size_t b = 0;
  for (; b + 4 <= rows; b += 4) dots_of_rows<4>(n, x + b * n, w, bias, z + b * z_step, z_step);
  for (; b < rows; ++b) dots_of_rows<1>(n, x + b * n, w, bias, z + b * z_step, z_step);
}

constexpr std::size_t kSide = 4;
[[gnu::always_inline]] inline void transpose_block(const float* m, std::size_t m_step, float* t,
                                                   std::size_t t_step) {
  using InMemory = Lanes<float, 4>::InMemory;
  Four rows[kSide];
  for (std::size_t r = 0; r < kSide; ++r) rows[r] = *reinterpret_cast<const InMemory*>(m + r * m_step);
  transpose_square(rows);
  for (std::size_t c = 0; c < kSide; ++c) *reinterpret_cast<InMemory*>(t + c * t_step) = rows[c];
}
[[gnu::always_inline]] inline void transpose_block(const double* m, std::size_t m_step, double* t,
                                                   std::size_t t_step) {
  for (std::size_t c = 0; c < kSide; ++c) {
    for (std::size_t r = 0; r < kSide; ++r) t[c * t_step + r] = m[r * m_step + c];
  }
}

template <class S>
void transpose(std::size_t rows, std::size_t cols, const S* __restrict m, S* __restrict t) {
  if (cols == 2) {  // of two actions, the most frequent shape
    for (std::size_t r = 0; r < rows; ++r) {
      t[r] = m[2 * r];
      t[rows + r] = m[2 * r + 1];
    }
    return;
  }
  const std::size_t height = rows - rows % kSide;  // of the part covered by whole blocks
  const std::size_t width = cols - cols % kSide;
  for (std::size_t r = 0; r < height; r += kSide) {
    for (std::size_t c = 0; c < width; c += kSide)
      transpose_block(m + r * cols + c, cols, t + c * rows + r, rows);
  }
  for (std::size_t c = 0; c < cols; ++c) {
    for (std::size_t r = c < width ? height : 0; r < rows; ++r) t[c * rows + r] = m[r * cols + c];
  }
}

template <class S>
void add_column_sums(std::size_t rows, std::size_t cols, const S* m, S* sums) {
  for_strips<64>(cols, [=](auto width, std::size_t first) {
    add_to(sums + first, S(1), column_sum<width>(rows, cols, m, first));
  });
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.product = product;
  kernels.dots = dots;
  kernels.transpose = transpose;
  kernels.add_column_sums = add_column_sums;
}

}  // namespace

void enter_products(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
