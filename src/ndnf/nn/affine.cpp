#include "ndnf/nn/affine.h"

#include <experimental/simd>

#include "ndnf/nn/elementary.h"

namespace ndnf {
namespace {

/// y += a x, over n numbers.
template <class S>
inline void add_scaled(std::size_t n, S a, const S* __restrict x, S* __restrict y) {
  for (std::size_t j = 0; j < n; ++j) y[j] = multiply_add(a, x[j], y[j]);
}

namespace stdx = std::experimental;

/// A fixed width, so that sums do not depend on the processor's.
constexpr std::size_t kLanes = 8;
template <class S>
using Vector = stdx::simd<S, stdx::simd_abi::deduce_t<S, kLanes>>;

/// A tile of the result, 6 rows by 2 vectors, stays in registers while the products run.
constexpr std::size_t kRows = 6;
constexpr std::size_t kBlock = 2 * kLanes;

/// C[r, 0 … kBlock) += Σ_k A(r, k) B[k, 0 … kBlock) for Rows rows; A(r, k) = a[r · row_step + k · col_step].
template <std::size_t Rows, class S>
void add_tile(std::size_t depth, const S* a, std::size_t row_step, std::size_t col_step, const S* b,
              std::size_t b_step, S* c, std::size_t c_step) {
  Vector<S> sums[Rows][2];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < 2; ++v)
      sums[r][v].copy_from(c + r * c_step + v * kLanes, stdx::element_aligned);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    const Vector<S> left(b + k * b_step, stdx::element_aligned);
    const Vector<S> right(b + k * b_step + kLanes, stdx::element_aligned);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Vector<S> factor(a[r * row_step + k * col_step]);
      sums[r][0] += factor * left;
      sums[r][1] += factor * right;
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < 2; ++v)
      sums[r][v].copy_to(c + r * c_step + v * kLanes, stdx::element_aligned);
  }
}

/// C (rows, cols) += A (rows, depth) B (depth, cols), where A(r, k) = a[r · row_step + k · col_step]. Every
/// sum runs over k in order, so the edges of tiles do not change the result.
template <class S>
void add_product(std::size_t rows, std::size_t depth, std::size_t cols, const S* a, std::size_t row_step,
                 std::size_t col_step, const S* b, S* c) {
  const std::size_t blocked = cols - cols % kBlock;
  for (std::size_t j = 0; j < blocked; j += kBlock) {
    std::size_t r = 0;
    for (; r + kRows <= rows; r += kRows) {
      add_tile<kRows>(depth, a + r * row_step, row_step, col_step, b + j, cols, c + r * cols + j, cols);
    }
    for (; r < rows; ++r)
      add_tile<1>(depth, a + r * row_step, row_step, col_step, b + j, cols, c + r * cols + j, cols);
  }
  if (blocked == cols) return;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < depth; ++k) {
      add_scaled(cols - blocked, a[r * row_step + k * col_step], b + k * cols + blocked,
                 c + r * cols + blocked);
    }
  }
}

constexpr std::size_t kSums = 8;

/// Adds kSums interleaved partial sums, always in the same order.
template <class S>
inline S total(const S (&sums)[kSums]) {
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/// Σ a b over n numbers, in interleaved partial sums so that it becomes vector code.
template <class S>
inline S dot(std::size_t n, const S* a, const S* b) {
  S sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] = multiply_add(a[i + k], b[i + k], sums[k]);
  }
  for (std::size_t k = 0; i < n; ++i, ++k) sums[k] = multiply_add(a[i], b[i], sums[k]);
  return total(sums);
}

/// z(b, o) += x[b] · w for kRows rows from `first` on; the same sums as `dot`, interleaved to hide their
/// latency.
template <class S>
inline void dots(const Matrix<S>& x, std::size_t first, const S* w, Matrix<S>& z, std::size_t o) {
  S sums[kRows][kSums] = {};
  const S* rows = x.row(first);
  const std::size_t n = x.cols();
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = 0; k < kSums; ++k)
        sums[r][k] = multiply_add(rows[r * n + i + k], w[i + k], sums[r][k]);
    }
  }
  for (std::size_t k = 0; i < n; ++i, ++k) {
    for (std::size_t r = 0; r < kRows; ++r) sums[r][k] = multiply_add(rows[r * n + i], w[i], sums[r][k]);
  }
  for (std::size_t r = 0; r < kRows; ++r) z(first + r, o) += total(sums[r]);
}

/// Layers with fewer outputs than this (actions, values) are handled along their inputs instead.
constexpr std::size_t kNarrow = kBlock;

template <class S>
Matrix<S> transposed(const Matrix<S>& m) {
  constexpr std::size_t kTile = 16;  // both sides of a tile stay in the cache
  Matrix<S> t(m.cols(), m.rows());
  for (std::size_t top = 0; top < m.rows(); top += kTile) {
    for (std::size_t left = 0; left < m.cols(); left += kTile) {
      for (std::size_t r = top; r < std::min(top + kTile, m.rows()); ++r) {
        for (std::size_t c = left; c < std::min(left + kTile, m.cols()); ++c) t(c, r) = m(r, c);
      }
    }
  }
  return t;
}

template <class S>
void narrow_forward(const Matrix<S>& x, const Matrix<S>& W, Matrix<S>& z) {
  if (W.rows() < kSums) {  // a convolution's few channels
    for (std::size_t b = 0; b < x.rows(); ++b) {
      for (std::size_t i = 0; i < W.rows(); ++i) add_scaled(W.cols(), x(b, i), W.row(i), z.row(b));
    }
    return;
  }
  const Matrix<S> by_output = transposed(W);
  for (std::size_t o = 0; o < W.cols(); ++o) {
    std::size_t b = 0;
    for (; b + kRows <= x.rows(); b += kRows) dots(x, b, by_output.row(o), z, o);
    for (; b < x.rows(); ++b) z(b, o) += dot(x.cols(), x.row(b), by_output.row(o));
  }
}

template <class S>
void narrow_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     Matrix<S>* dx) {
  const Matrix<S> by_output = transposed(W);
  Matrix<S> slopes(W.cols(), W.rows());
  for (std::size_t b = 0; b < x.rows(); ++b) {
    for (std::size_t o = 0; o < W.cols(); ++o) {
      add_scaled(x.cols(), dz(b, o), x.row(b), slopes.row(o));
      if (dx != nullptr) add_scaled(x.cols(), dz(b, o), by_output.row(o), dx->row(b));
    }
  }
  for (std::size_t i = 0; i < W.rows(); ++i) {
    for (std::size_t o = 0; o < W.cols(); ++o) dW(i, o) += slopes(o, i);
  }
}

/// One block of outputs of one observation: base + weight · (sum of the true atoms' rows).
template <class S>
inline void add_atoms(std::span<const std::uint32_t> atoms, S weight, const Matrix<S>& W, std::size_t block,
                      const S* base, S* out) {
  S sum[kBlock];
  for (std::size_t j = 0; j < kBlock; ++j) sum[j] = base[j];
  for (const std::uint32_t atom : atoms) {
    const S* w = W.row(atom) + block;
    for (std::size_t j = 0; j < kBlock; ++j) sum[j] = multiply_add(weight, w[j], sum[j]);
  }
  for (std::size_t j = 0; j < kBlock; ++j) out[j] = sum[j];
}

template <class S>
void set_rows(std::size_t rows, std::span<const S> bias, Matrix<S>& z) {
  for (std::size_t b = 0; b < rows; ++b) {
    if (bias.empty()) {
      std::fill_n(z.row(b), z.cols(), S(0));
    } else {
      std::copy(bias.begin(), bias.end(), z.row(b));
    }
  }
}

}  // namespace

template <class S>
void affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  assert(x.cols() == W.rows());
  z.reshape(x.rows(), W.cols());
  set_rows(x.rows(), bias, z);
  if (W.cols() < kNarrow) return narrow_forward(x, W, z);
  add_product(x.rows(), x.cols(), W.cols(), x.row(0), x.cols(), std::size_t{1}, W.row(0), z.row(0));
}

template <class S>
void affine_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     Matrix<S>* dx) {
  if (W.cols() < kNarrow) return narrow_backward(x, W, dz, dW, dx);
  add_product(x.cols(), x.rows(), dz.cols(), x.row(0), std::size_t{1}, x.cols(), dz.row(0), dW.row(0));
  if (dx == nullptr) return;
  const Matrix<S> by_output = transposed(W);
  add_product(dz.rows(), dz.cols(), W.rows(), dz.row(0), dz.cols(), std::size_t{1}, by_output.row(0),
              dx->row(0));
}

// With t = 1 − falsehood, row b of x W is  t · (sum of the active rows of W) + falsehood · (sum of all rows
// of W).

template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  const std::size_t outputs = W.cols();
  const S falsehood = static_cast<S>(x.falsehood);
  z.reshape(x.rows(), outputs);
  std::vector<S> base(outputs, S(0));
  if (falsehood != 0) column_sums(W, std::span<S>(base));
  for (std::size_t o = 0; o < outputs; ++o) base[o] = falsehood * base[o] + (bias.empty() ? S(0) : bias[o]);
  const std::size_t blocked = outputs - outputs % kBlock;
  for (std::size_t b = 0; b < x.rows(); ++b) {
    const auto atoms = x.row(b);
    S* out = z.row(b);
    for (std::size_t o = 0; o < blocked; o += kBlock)
      add_atoms(atoms, 1 - falsehood, W, o, base.data() + o, out + o);
    std::copy(base.begin() + static_cast<std::ptrdiff_t>(blocked), base.end(), out + blocked);
    for (const std::uint32_t atom : atoms)
      add_scaled(outputs - blocked, 1 - falsehood, W.row(atom) + blocked, out + blocked);
  }
}

template <class S>
void affine_backward(const AtomBatch& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     Matrix<S>* dx) {
  const std::size_t outputs = dz.cols();
  const S falsehood = static_cast<S>(x.falsehood);
  assert(dx == nullptr && W.cols() == outputs);
  (void)W;
  (void)dx;
  for (std::size_t b = 0; b < x.rows(); ++b) {
    for (const std::uint32_t atom : x.row(b)) add_scaled(outputs, 1 - falsehood, dz.row(b), dW.row(atom));
  }
  if (falsehood == 0) return;
  std::vector<S> all(outputs, S(0));
  column_sums(dz, std::span<S>(all));
  for (std::size_t i = 0; i < dW.rows(); ++i) add_scaled(outputs, falsehood, all.data(), dW.row(i));
}

template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums) {
  std::size_t c = 0;
  for (; c + kBlock <= m.cols(); c += kBlock) {
    S sum[kBlock];
    for (std::size_t j = 0; j < kBlock; ++j) sum[j] = sums[c + j];
    for (std::size_t r = 0; r < m.rows(); ++r) {
      for (std::size_t j = 0; j < kBlock; ++j) sum[j] += m.row(r)[c + j];
    }
    for (std::size_t j = 0; j < kBlock; ++j) sums[c + j] = sum[j];
  }
  for (; c < m.cols(); ++c) {
    for (std::size_t r = 0; r < m.rows(); ++r) sums[c] += m(r, c);
  }
}

#define NDNF_INSTANTIATE(S)                                                                         \
  template void affine_forward(const Matrix<S>&, const Matrix<S>&, std::span<const S>, Matrix<S>&); \
  template void affine_forward(const AtomBatch&, const Matrix<S>&, std::span<const S>, Matrix<S>&); \
  template void affine_backward(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&, Matrix<S>&,   \
                                Matrix<S>*);                                                        \
  template void affine_backward(const AtomBatch&, const Matrix<S>&, const Matrix<S>&, Matrix<S>&,   \
                                Matrix<S>*);                                                        \
  template void column_sums(const Matrix<S>&, std::span<S>);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
