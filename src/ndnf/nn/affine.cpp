#include "ndnf/nn/affine.h"

#include "ndnf/nn/activation.h"
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

/// C = A B.
template <class S>
void set_product(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b, S* c) {
  kernels<S>().product(rows, depth, cols, a, b, nullptr, 0, c);
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

/// m += the matrix with these rows as columns.
template <class S>
void add_transposed(const Matrix<S>& columns, Matrix<S>& m) {
  with_constant(m.cols(), [&](auto cols) {
    for (std::size_t i = 0; i < m.rows(); ++i) {
      for (std::size_t o = 0; o < cols; ++o) m.row(0)[i * cols + o] += columns.row(o)[i];
    }
  });
}

/// dW += xᵀ dz, computed via dWᵀ.
template <class S>
void narrow_weight_gradient(const Matrix<S>& x, const Matrix<S>& dz, Matrix<S>& dW) {
  if (dW.cols() == 1) return add_product(1, x.rows(), x.cols(), transposed_view(dz), x.row(0), dW.row(0));
  Matrix<S>& columns = scratch<S, 1>();
  columns.reshape(dW.cols(), dW.rows());
  set_product(dz.cols(), x.rows(), x.cols(), transposed_view(dz), x.row(0), columns.row(0));
  add_transposed(columns, dW);
}

/// The column sums of dz to dbias and, times falsehood, to every row of dW.
template <class S>
void add_sums(std::span<const S> sums, double falsehood, std::span<S> dbias, Matrix<S>& dW) {
  for (std::size_t o = 0; o < dbias.size(); ++o) dbias[o] += sums[o];
  if (falsehood == 0) return;
  kernels<S>().add_to_all_rows(dW.rows(), dW.cols(), static_cast<S>(falsehood), sums.data(), dW.row(0));
}

/// The column sums of W that a layer over atoms needs: those given or, if there are none, computed.
template <class S>
std::span<const S> sums_of(const AtomBatch& x, const Matrix<S>& W, std::span<const S> given) {
  if (!given.empty()) return given;
  Matrix<S>& sums = scratch<S, 0>();
  sums.clear(1, W.cols());
  if (x.falsehood != 0) column_sums(W, sums.values());
  return sums.values();
}

}  // namespace

template <class S>
void affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z) {
  assert(x.cols() == W.rows());
  z.reshape(x.rows(), W.cols());
  if (W.cols() < kNarrow) return narrow_forward(x, W, bias, z);
  kernels<S>().product(x.rows(), x.cols(), W.cols(), view(x), W.row(0), bias.empty() ? nullptr : bias.data(),
                       0, z.row(0));
}

template <class S>
void tanh_affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, std::span<const S>,
                         S gain, Matrix<S>& y) {
  affine_forward(x, W, bias, y);
  if (gain != 1) scale(gain, y);
  tanh_forward(y, y);
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
  affine_forward(x, W, bias, sums_of(x, W, std::span<const S>()), z);
}

template <class S>
void tanh_affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias,
                         std::span<const S> sums, S gain, Matrix<S>& y) {
  y.reshape(x.rows(), W.cols());
  kernels<S>().atoms_tanh_forward(rows_of(x), static_cast<S>(x.falsehood), W.cols(), W.row(0),
                                  bias.empty() ? nullptr : bias.data(), sums_of(x, W, sums).data(), gain,
                                  y.row(0));
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
  Matrix<S>& sums = scratch<S, 0>();
  sums.clear(1, dz.cols());
  column_sums(dz, sums.values());
  add_sums(std::span<const S>(sums.values()), x.falsehood, dbias, dW);
}

template <class S>
void input_gradient(const Matrix<S>& dz, const Matrix<S>& W, Matrix<S>& dx) {
  dx.reshape(dz.rows(), W.rows());
  set_product(dz.rows(), dz.cols(), W.rows(), view(dz), columns_of(W), dx.row(0));
}

namespace {

/// Backward of the layer above alone: dy (B, O) is the gradient at y.
template <class S>
void backward_above(const LayerAbove<S>& above, const Matrix<S>& y, Matrix<S>& dy) {
  if (above.dy != nullptr) dy = *above.dy;
  affine_backward(y, above.V, above.dz, above.dV, std::span<S>(), above.dy != nullptr ? &dy : nullptr);
  if (above.dy == nullptr) input_gradient(above.dz, above.V, dy);
}

}  // namespace

template <class S>
void tanh_backward(const LayerAbove<S>& above, S gain, const Matrix<S>& y, Matrix<S>& dz) {
  backward_above(above, y, dz);
  tanh_backward(y, dz, dz);
  if (gain != 1) scale(gain, dz);
}

template <class S>
void add_active_below(const LayerAbove<S>& above, const AtomBatch& x, S gain, const Matrix<S>& y,
                      Matrix<S>& dz, Matrix<S>& dW, Numbers<S>& sums) {
  const S truth = static_cast<S>(1 - x.falsehood);
  sums.resize(y.cols());
  if (above.V.cols() < kNarrow && y.cols() % 4 == 0) {
    const bool one = above.V.cols() == 1;
    Matrix<S>& own = one ? above.dV : scratch<S, 1>();
    if (!one) own.reshape(above.V.cols(), y.cols());
    const NarrowTop<S> top{above.V.cols(), columns_of(above.V), above.dz.row(0), one ? own.row(0) : nullptr,
                           own.row(0)};
    kernels<S>().narrow_tanh_backward(rows_of(x), truth, y.cols(), y.row(0), top,
                                      above.dy == nullptr ? nullptr : above.dy->row(0), gain, dW.row(0),
                                      sums.data());
    if (!one) add_transposed(own, above.dV);
    return;
  }
  backward_above(above, y, dz);
  kernels<S>().atoms_tanh_backward(rows_of(x), truth, y.cols(), y.row(0), dz.row(0), gain, dW.row(0),
                                   sums.data());
}

template <class S>
void tanh_affine_backward(const Matrix<S>& x, const Matrix<S>& W, S gain, const Matrix<S>& y,
                          const LayerAbove<S>& above, Matrix<S>& dy, Matrix<S>& dW, std::span<S> dbias,
                          Matrix<S>* dx) {
  tanh_backward(above, gain, y, dy);
  affine_backward(x, W, dy, dW, dbias, dx);
}

template <class S>
void tanh_affine_backward(const AtomBatch& x, const Matrix<S>& W, S gain, const Matrix<S>& y,
                          const LayerAbove<S>& above, Matrix<S>& dy, Matrix<S>& dW, std::span<S> dbias,
                          Matrix<S>* dx) {
  assert(dx == nullptr && W.cols() == y.cols());
  (void)W;
  (void)dx;
  thread_local Numbers<S> sums;
  add_active_below(above, x, gain, y, dy, dW, sums);
  add_sums(std::span<const S>(sums), x.falsehood, dbias, dW);
}

template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums) {
  kernels<S>().add_column_sums(m.rows(), m.cols(), m.row(0), sums.data());
}

#define NDNF_INSTANTIATE_INPUT(S, Input)                                                                    \
  template void tanh_affine_forward(const Input&, const Matrix<S>&, std::span<const S>, std::span<const S>, \
                                    S, Matrix<S>&);                                                         \
  template void tanh_affine_backward(const Input&, const Matrix<S>&, S, const Matrix<S>&,                   \
                                     const LayerAbove<S>&, Matrix<S>&, Matrix<S>&, std::span<S>,            \
                                     Matrix<S>*);
#define NDNF_INSTANTIATE(S)                                                                                \
  NDNF_INSTANTIATE_INPUT(S, Matrix<S>)                                                                     \
  NDNF_INSTANTIATE_INPUT(S, AtomBatch)                                                                     \
  template void input_gradient(const Matrix<S>&, const Matrix<S>&, Matrix<S>&);                            \
  template void tanh_backward(const LayerAbove<S>&, S, const Matrix<S>&, Matrix<S>&);                      \
  template void add_active_below(const LayerAbove<S>&, const AtomBatch&, S, const Matrix<S>&, Matrix<S>&,  \
                                 Matrix<S>&, Numbers<S>&);                                                 \
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
#undef NDNF_INSTANTIATE_INPUT

}  // namespace ndnf
