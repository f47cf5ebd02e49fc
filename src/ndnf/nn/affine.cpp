#include "ndnf/nn/affine.h"

#include "ndnf/nn/kernels/kernels.h"

namespace ndnf {
namespace {

template <class S>
View<S> view(const Matrix<S>& m) {
  return {m.row(0), m.cols(), 1};
}
template <class S>
View<S> transposed_view(const Matrix<S>& m) {
  return {m.row(0), 1, m.cols()};
}
AtomRows rows_of(const AtomBatch& x) { return {x.active.data(), x.ends.data(), x.rows()}; }

/// C += A B.  A (rows, depth), B (depth, cols), C (rows, cols).
template <class S>
void add_product(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b, S* c) {
  kernels<S>().product(rows, depth, cols, a, b, c, cols, c);
}

/// A temporary matrix that keeps its memory for the next call.
template <class S, int kNumber>
Matrix<S>& scratch() {
  thread_local Matrix<S> matrix;
  return matrix;
}

/// The columns of m, contiguously, one after the other.
template <class S>
const S* columns_of(const Matrix<S>& m) {
  if (m.cols() == 1) return m.row(0);
  Matrix<S>& columns = scratch<S, 0>();
  columns.reshape(m.cols(), m.rows());
  kernels<S>().transpose(m.rows(), m.cols(), m.row(0), columns.row(0));
  return columns.row(0);
}

/// Layers with fewer outputs than this (values, two actions) are vectorised along their inputs instead of
/// their outputs.
constexpr std::size_t kNarrow = 4;

template <class S>
void narrow_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  const S* columns = columns_of(W);
  for (std::size_t o = 0; o < W.cols(); ++o) {
    kernels<S>().dots(x.rows(), x.cols(), x.row(0), columns + o * W.rows(), bias.empty() ? S(0) : bias[o],
                      z.row(0) + o, z.cols());
  }
}

/// dW += xᵀ dz, computed via dWᵀ.
template <class S>
void narrow_weight_gradient(const Matrix<S>& x, const Matrix<S>& dz, Matrix<S>& dW) {
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
    kernels<S>().product(x.rows(), x.cols(), W.cols(), view(x), W.row(0), bias.data(), 0, z.row(0));
  }
}

template <class S>
void affine_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx) {
  if (!dbias.empty()) column_sums(dz, dbias);
  if (W.cols() < kNarrow) {
    narrow_weight_gradient(x, dz, dW);
  } else {
    add_product(x.cols(), x.rows(), dz.cols(), transposed_view(x), dz.row(0), dW.row(0));
  }
  if (dx != nullptr) add_product(dz.rows(), dz.cols(), W.rows(), view(dz), columns_of(W), dx->row(0));
}

template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, std::span<const S> sums,
                    Matrix<S>& z) {
  z.reshape(x.rows(), W.cols());
  kernels<S>().atoms_forward(rows_of(x), static_cast<S>(x.falsehood), W.cols(), W.row(0),
                             bias.empty() ? nullptr : bias.data(), sums.data(), z.row(0));
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
  kernels<S>().add_active(rows_of(x), static_cast<S>(1 - x.falsehood), dz.cols(), dz.row(0), dW.row(0));
}

template <class S>
void affine_backward(const AtomBatch& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx) {
  assert(dx == nullptr && W.cols() == dz.cols());
  (void)W;
  (void)dx;
  add_active(x, dz, dW);
  kernels<S>().add_to_all_rows(dz.rows(), dz.cols(), dz.row(0), dbias.empty() ? nullptr : dbias.data(),
                               static_cast<S>(x.falsehood), dW.rows(), dW.row(0));
}

template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums) {
  kernels<S>().add_column_sums(m.rows(), m.cols(), m.row(0), sums.data());
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
