#include <cstring>

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
/// registers.
template <std::size_t Rows, std::size_t Width, class S>
void tile_product(std::size_t depth, View<S> a, const S* b, std::size_t step, const S* start,
                  std::size_t start_step, S* c) {
  if constexpr (Width == 1) {
    for (std::size_t r = 0; r < Rows; ++r)
      c[r * step] = add_products(depth, a.data + r * a.row_step, a.col_step, b, step, start[r * start_step]);
    return;
  }
  Strip<S, Width> sums[Rows];
  for (std::size_t r = 0; r < Rows; ++r) sums[r] = Strip<S, Width>(start + r * start_step);
  for (std::size_t k = 0; k < depth; ++k) {
    const Strip<S, Width> factors(b + k * step);
    for (std::size_t r = 0; r < Rows; ++r)
      add_scaled(a.data[r * a.row_step + k * a.col_step], factors, sums[r]);
  }
  for (std::size_t r = 0; r < Rows; ++r) sums[r].write(c + r * step);
}

// Register tiling: C is computed in tiles of 6 (then 2, then 1) rows by one strip of columns. A tile's sums
// stay in registers while k runs over the depth, so each loaded strip of B is used for several rows. Every
// element is summed over k in order, whatever the tile, so tiling does not change the result.
template <class S>
void product(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b, const S* start,
             std::size_t start_step, S* c) {
  for_strips(cols, [=](auto width, std::size_t first) {
    constexpr std::size_t kWidth = decltype(width)::value;
    std::size_t r = 0;
    const auto run = [&](auto count) {
      for (; r + count <= rows; r += count) {
        const View<S> part{a.data + r * a.row_step, a.row_step, a.col_step};
        tile_product<count, kWidth>(depth, part, b + first, cols, start + r * start_step + first, start_step,
                                    c + r * cols + first);
      }
    };
    run(std::integral_constant<std::size_t, 6>{});  // 12 of 16 vector registers
    run(std::integral_constant<std::size_t, 2>{});
    run(std::integral_constant<std::size_t, 1>{});
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
  for (std::size_t r = 0; r < Rows; ++r) {
    S parts[kSums];
    sums[r].write(parts);
    z[r * z_step] = add_products(n - i, x + r * n + i, 1, w + i, 1, bias + total(parts));
  }
}

template <class S>
void dots(std::size_t rows, std::size_t n, const S* x, const S* w, S bias, S* z, std::size_t z_step) {
  std::size_t b = 0;
  for (; b + 4 <= rows; b += 4) dots_of_rows<4>(n, x + b * n, w, bias, z + b * z_step, z_step);
  for (; b < rows; ++b) dots_of_rows<1>(n, x + b * n, w, bias, z + b * z_step, z_step);
}

/// An 8 by 8 block, copied with constant strides so that it compiles to vector shuffles.
constexpr std::size_t kSide = 8;
template <class S>
[[gnu::always_inline]] inline void transpose_square(const S* m, std::size_t m_step, S* t,
                                                    std::size_t t_step) {
  S from[kSide * kSide];
  S to[kSide * kSide];
  for (std::size_t r = 0; r < kSide; ++r) std::memcpy(from + r * kSide, m + r * m_step, sizeof(S) * kSide);
  for (std::size_t c = 0; c < kSide; ++c) {
    for (std::size_t r = 0; r < kSide; ++r) to[c * kSide + r] = from[r * kSide + c];
  }
  for (std::size_t c = 0; c < kSide; ++c) std::memcpy(t + c * t_step, to + c * kSide, sizeof(S) * kSide);
}

template <class S>
void transpose(std::size_t rows, std::size_t cols, const S* m, S* t) {
  const std::size_t height = rows - rows % kSide;  // of the part covered by whole blocks
  const std::size_t width = cols - cols % kSide;
  for (std::size_t r = 0; r < height; r += kSide) {
    for (std::size_t c = 0; c < width; c += kSide)
      transpose_square(m + r * cols + c, cols, t + c * rows + r, rows);
  }
  for (std::size_t c = 0; c < cols; ++c) {
    for (std::size_t r = c < width ? height : 0; r < rows; ++r) t[c * rows + r] = m[r * cols + c];
  }
}

template <class S>
void add_column_sums(std::size_t rows, std::size_t cols, const S* m, S* sums) {
  for_strips(cols, [=](auto width, std::size_t first) {
    add_to(sums + first, S(1), column_sum<width>(rows, cols, m, first));
  });
}

constexpr std::size_t kWide = 32;  // widest strip for rows of atoms

template <class S>
void atoms_forward(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias, const S* sums,
                   S* z) {
  const S truth = 1 - falsehood;
  for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    Block base = bias == nullptr ? Block(S(0)) : Block(bias + first);
    add_scaled(falsehood, Block(sums + first), base);
    for (std::size_t b = 0, k = 0; b < x.rows; ++b) {
      Block sum = base;
      for (; k < x.ends[b]; ++k) add_scaled(truth, Block(W + x.active[k] * outputs + first), sum);
      sum.write(z + b * outputs + first);
    }
  });
}

template <class S>
void add_active(AtomRows x, S truth, std::size_t outputs, const S* dz, S* dW) {
  for (std::size_t b = 0, begin = 0; b < x.rows; begin = x.ends[b++]) {
    for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
      const Strip<S, width> gradient(dz + b * outputs + first);
      for (std::size_t k = begin; k < x.ends[b]; ++k)
        add_to(dW + x.active[k] * outputs + first, truth, gradient);
    });
  }
}

template <class S>
void add_to_all_rows(std::size_t rows, std::size_t cols, const S* dz, S* dbias, S factor, std::size_t W_rows,
                     S* dW) {
  for_strips(cols, [=](auto width, std::size_t first) {
    const Strip<S, width> sums = column_sum<width>(rows, cols, dz, first);
    if (dbias != nullptr) add_to(dbias + first, S(1), sums);
    if (factor == 0) return;
    for (std::size_t i = 0; i < W_rows; ++i) add_to(dW + i * cols + first, factor, sums);
  });
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.product = product;
  kernels.dots = dots;
  kernels.transpose = transpose;
  kernels.add_column_sums = add_column_sums;
  kernels.atoms_forward = atoms_forward;
  kernels.add_active = add_active;
  kernels.add_to_all_rows = add_to_all_rows;
}

}  // namespace

void enter_products(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
