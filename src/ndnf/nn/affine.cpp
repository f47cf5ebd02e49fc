#include "ndnf/nn/affine.h"

#include <algorithm>

#include "ndnf/nn/vector.h"

// Contraction is on in this file: a * b + c is one instruction where the target has it.

namespace ndnf {
namespace {

/// y += a x
template <class S, std::size_t Width>
inline void add_scaled(S a, const Strip<S, Width>& x, Strip<S, Width>& y) {
  using Part = typename Strip<S, Width>::Part;
  for (std::size_t v = 0; v < Strip<S, Width>::kCount; ++v) y.part[v] += Part(a) * x.part[v];
}

/// y += a x, with y in memory.
template <class S, std::size_t Width>
inline void add_to(S* y, S a, const Strip<S, Width>& x) {
  Strip<S, Width> sum(y);
  add_scaled(a, x, sum);
  sum.write(y);
}

/// A matrix in memory, element (r, c) at data[r · row_step + c · col_step]: plain or, with steps exchanged,
/// transposed.
template <class S>
struct View {
  const S* data;
  std::size_t row_step;
  std::size_t col_step;
};

template <class S>
View<S> view(const Matrix<S>& m) {
  return {m.row(0), m.cols(), 1};
}
template <class S>
View<S> transposed_view(const Matrix<S>& m) {
  return {m.row(0), 1, m.cols()};
}

/// C[r, 0 … Width) = start[r, 0 … Width) + Σ_k A(r, k) B[k, 0 … Width) for Rows rows; the tile of C stays in
/// registers.
template <std::size_t Rows, std::size_t Width, class S>
void tile_product(std::size_t depth, View<S> a, const S* b, std::size_t step, const S* start,
                  std::size_t start_step, S* c) {
  Strip<S, Width> sums[Rows];
  for (std::size_t r = 0; r < Rows; ++r) sums[r] = Strip<S, Width>(start + r * start_step);
  for (std::size_t k = 0; k < depth; ++k) {
    const Strip<S, Width> factors(b + k * step);
    for (std::size_t r = 0; r < Rows; ++r)
      add_scaled(a.data[r * a.row_step + k * a.col_step], factors, sums[r]);
  }
  for (std::size_t r = 0; r < Rows; ++r) sums[r].write(c + r * step);
}

/// C (rows, cols) = start + A (rows, depth) B (depth, cols), where row r of `start` is at start + r ·
/// start_step. Every sum runs over k in order, so the shapes of tiles do not change the result.
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

template <class S>
void add_product(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b, S* c) {
  product(rows, depth, cols, a, b, static_cast<const S*>(c), cols, c);
}

/// A square of 8 by 8, copied with constant distances so that it becomes shuffles of vectors.
constexpr std::size_t kSide = 8;
template <class S>
inline void transpose_square(const S* m, std::size_t m_step, S* t, std::size_t t_step) {
  S from[kSide * kSide];
  S to[kSide * kSide];
  for (std::size_t r = 0; r < kSide; ++r) std::copy_n(m + r * m_step, kSide, from + r * kSide);
  for (std::size_t c = 0; c < kSide; ++c) {
    for (std::size_t r = 0; r < kSide; ++r) to[c * kSide + r] = from[r * kSide + c];
  }
  for (std::size_t c = 0; c < kSide; ++c) std::copy_n(to + c * kSide, kSide, t + c * t_step);
}

/// The columns of m as rows.
template <class S>
void transpose(const Matrix<S>& m, Matrix<S>& t) {
  t.reshape(m.cols(), m.rows());
  const std::size_t height = m.rows() - m.rows() % kSide;  // of the part made of whole squares
  const std::size_t width = m.cols() - m.cols() % kSide;
  for (std::size_t r = 0; r < height; r += kSide) {
    for (std::size_t c = 0; c < width; c += kSide)
      transpose_square(m.row(r) + c, m.cols(), t.row(c) + r, t.cols());
  }
  for (std::size_t c = 0; c < m.cols(); ++c) {
    for (std::size_t r = c < width ? height : 0; r < m.rows(); ++r) t(c, r) = m(r, c);
  }
}

/// A matrix for the time of a call that keeps its memory for the next.
template <class S, int kNumber>
Matrix<S>& scratch() {
  thread_local Matrix<S> matrix;
  return matrix;
}

/// The columns of m, one after the other.
template <class S>
const S* columns_of(const Matrix<S>& m) {
  if (m.cols() == 1) return m.row(0);
  transpose(m, scratch<S, 0>());
  return scratch<S, 0>().row(0);
}

/// Layers with fewer outputs than this (values, two actions) are handled along their inputs.
constexpr std::size_t kNarrow = 4;

/// z(first … first + Rows, o) = bias + x w, given column o of W.
template <std::size_t Rows, class S>
inline void dots(const Matrix<S>& x, std::size_t first, const S* w, S bias, Matrix<S>& z, std::size_t o) {
  using Block = Strip<S, kLanes>;
  const std::size_t n = x.cols();
  const S* rows = x.row(first);
  Block sums[Rows];
  for (Block& sum : sums) sum = Block(S(0));
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Block factors(w + i);
    for (std::size_t r = 0; r < Rows; ++r)
      sums[r].part[0] += Block(rows + r * n + i).part[0] * factors.part[0];
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    S sum = bias + stdx::reduce(sums[r].part[0]);
    for (std::size_t rest = i; rest < n; ++rest) sum += rows[r * n + rest] * w[rest];
    z(first + r, o) = sum;
  }
}

template <class S>
void narrow_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  const S* columns = columns_of(W);
  for (std::size_t o = 0; o < W.cols(); ++o) {
    const S* w = columns + o * W.rows();
    const S constant = bias.empty() ? S(0) : bias[o];
    std::size_t b = 0;
    for (; b + 4 <= x.rows(); b += 4) dots<4>(x, b, w, constant, z, o);
    for (; b < x.rows(); ++b) dots<1>(x, b, w, constant, z, o);
  }
}

/// dW += xᵀ dz, by way of dWᵀ.
template <class S>
void narrow_slopes(const Matrix<S>& x, const Matrix<S>& dz, Matrix<S>& dW) {
  const auto add = [&](S* columns) {
    add_product(dz.cols(), x.rows(), x.cols(), transposed_view(dz), x.row(0), columns);
  };
  if (dW.cols() == 1) return add(dW.row(0));
  Matrix<S>& columns = scratch<S, 1>();
  columns.reshape(dW.cols(), dW.rows());
  columns.fill(S(0));
  add(columns.row(0));
  for (std::size_t i = 0; i < dW.rows(); ++i) {
    for (std::size_t o = 0; o < dW.cols(); ++o) dW(i, o) += columns(o, i);
  }
}

}  // namespace

template <class S>
void affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  assert(x.cols() == W.rows());
  z.reshape(x.rows(), W.cols());
  if (W.cols() < kNarrow) return narrow_forward(x, W, bias, z);
  if (bias.empty()) {
    z.fill(S(0));
    add_product(x.rows(), x.cols(), W.cols(), view(x), W.row(0), z.row(0));
  } else {
    product(x.rows(), x.cols(), W.cols(), view(x), W.row(0), bias.data(), std::size_t{0}, z.row(0));
  }
}

template <class S>
void affine_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx) {
  if (!dbias.empty()) column_sums(dz, dbias);
  if (W.cols() < kNarrow) {
    narrow_slopes(x, dz, dW);
  } else {
    add_product(x.cols(), x.rows(), dz.cols(), transposed_view(x), dz.row(0), dW.row(0));
  }
  if (dx != nullptr) add_product(dz.rows(), dz.cols(), W.rows(), view(dz), columns_of(W), dx->row(0));
}

/// The strips of atoms' rows; addresses are in locals, since a vector's store might change any member.
constexpr std::size_t kWide = 4 * kLanes;

// With t = 1 − falsehood, row b of x W is  t · (sum of the active rows of W) + falsehood · (sum of all rows
// of W).

template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, std::span<const S> sums,
                    Matrix<S>& z) {
  const S falsehood = static_cast<S>(x.falsehood);
  const S truth = 1 - falsehood;
  const std::size_t outputs = W.cols();
  z.reshape(x.rows(), outputs);
  const S* const weights = W.row(0);
  S* const out = z.row(0);
  for_strips<kWide>(outputs, [=, &x](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    Block base = bias.empty() ? Block(S(0)) : Block(bias.data() + first);
    add_scaled(falsehood, Block(sums.data() + first), base);
    for (std::size_t b = 0; b < x.rows(); ++b) {
      Block sum = base;
      for (const std::uint32_t atom : x.row(b))
        add_scaled(truth, Block(weights + atom * outputs + first), sum);
      sum.write(out + b * outputs + first);
    }
  });
}

template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  Matrix<S>& sums = scratch<S, 0>();
  sums.reshape(1, W.cols());
  sums.fill(S(0));
  if (x.falsehood != 0) column_sums(W, sums.values());
  affine_forward(x, W, bias, std::span<const S>(sums.values()), z);
}

template <class S>
void add_active(const AtomBatch& x, const Matrix<S>& dz, Matrix<S>& dW) {
  const S truth = static_cast<S>(1 - x.falsehood);
  const std::size_t outputs = dz.cols();
  S* const slopes = dW.row(0);
  for (std::size_t b = 0; b < x.rows(); ++b) {
    const S* const row = dz.row(b);
    const auto atoms = x.row(b);
    for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
      const Strip<S, width> slope(row + first);
      for (const std::uint32_t atom : atoms) add_to(slopes + atom * outputs + first, truth, slope);
    });
  }
}

template <class S>
void affine_backward(const AtomBatch& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx) {
  assert(dx == nullptr && W.cols() == dz.cols());
  (void)W;
  (void)dx;
  add_active(x, dz, dW);
  for_strips(dz.cols(), [&](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    const Block all = column_sum<width>(dz, first);
    if (!dbias.empty()) add_to(dbias.data() + first, S(1), all);
    if (x.falsehood == 0) return;
    for (std::size_t i = 0; i < dW.rows(); ++i) add_to(dW.row(i) + first, static_cast<S>(x.falsehood), all);
  });
}

template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums) {
  for_strips(m.cols(), [&](auto width, std::size_t first) {
    add_to(sums.data() + first, S(1), column_sum<width>(m, first));
  });
}

#define NDNF_INSTANTIATE(S)                                                                                \
  template void affine_forward(const Matrix<S>&, const Matrix<S>&, std::span<const S>, Matrix<S>&);        \
  template void affine_forward(const AtomBatch&, const Matrix<S>&, std::span<const S>, Matrix<S>&);        \
  template void affine_forward(const AtomBatch&, const Matrix<S>&, std::span<const S>, std::span<const S>, \
                               Matrix<S>&);                                                                \
  template void affine_backward(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&, Matrix<S>&,          \
                                std::span<S>, Matrix<S>*);                                                 \
  template void affine_backward(const AtomBatch&, const Matrix<S>&, const Matrix<S>&, Matrix<S>&,          \
                                std::span<S>, Matrix<S>*);                                                 \
  template void add_active(const AtomBatch&, const Matrix<S>&, Matrix<S>&);                                \
  template void column_sums(const Matrix<S>&, std::span<S>);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
