#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// A batch of observations given by their true atoms: row b is 1 at active[ends[b−1] … ends[b]) and
/// `falsehood` (−1 or 0, the input coding) elsewhere. A product with it needs only a few rows of W: z =
/// falsehood · (column sums of W) + (1 − falsehood) · (sum of the active rows).
struct AtomBatch {
  std::vector<std::uint32_t> active;
  std::vector<std::size_t> ends;  // one per row
  double falsehood = -1;

  std::size_t rows() const { return ends.size(); }
  std::span<const std::uint32_t> row(std::size_t b) const {
    const std::size_t begin = b == 0 ? 0 : ends[b - 1];
    return {active.data() + begin, ends[b] - begin};
  }
};

/// z = x W + bias, with bias (O) or empty.  x (B, I), W (I, O), z (B, O).
template <class S>
void affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z);
template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z);
/// The same for callers with precomputed column sums (O) of W.
template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, std::span<const S> sums,
                    Matrix<S>& z);

/// y = tanh(gain (x W + bias)); with atoms in one pass. `sums` as above, or empty.
template <class S>
void tanh_affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias,
                         std::span<const S> sums, S gain, Matrix<S>& y);
template <class S>
void tanh_affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias,
                         std::span<const S> sums, S gain, Matrix<S>& y);

/// Adds to dW and, if requested, to dbias (O) and dx; pass an empty span or null otherwise.  dz (B, O), dW
/// (I, O), dx (B, I).
template <class S>
void affine_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx);
/// REQUIRES: dx is null.
template <class S>
void affine_backward(const AtomBatch& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     std::span<S> dbias, Matrix<S>* dx);
/// The part of it that differs between atoms. The rest, falsehood · (column sums of dz), must be added to
/// every row of dW by the caller.
template <class S>
void add_active(const AtomBatch& x, const Matrix<S>& dz, Matrix<S>& dW);

/// dx = dz Wᵀ, for callers with nothing to add to.
template <class S>
void input_gradient(const Matrix<S>& dz, const Matrix<S>& W, Matrix<S>& dx);

/// The layer above a tanh layer, z = y V + …, on the way back.
template <class S>
struct LayerAbove {
  const Matrix<S>& V;   // (O, P)
  const Matrix<S>& dz;  // (B, P)
  Matrix<S>& dV;        ///< Its gradient without that of a bias is added here.
  const Matrix<S>* dy;  ///< (B, O) a further gradient at y, or null.
};

/// Backward of a layer and of the tanh_affine_forward below it. `dy` is scratch.
template <class S>
void tanh_affine_backward(const Matrix<S>& x, const Matrix<S>& W, S gain, const Matrix<S>& y,
                          const LayerAbove<S>& above, Matrix<S>& dy, Matrix<S>& dW, std::span<S> dbias,
                          Matrix<S>* dx);
/// REQUIRES: dx is null.
template <class S>
void tanh_affine_backward(const AtomBatch& x, const Matrix<S>& W, S gain, const Matrix<S>& y,
                          const LayerAbove<S>& above, Matrix<S>& dy, Matrix<S>& dW, std::span<S> dbias,
                          Matrix<S>* dx);
/// Backward of the layer above and of tanh: dz (B, O) is the gradient at gain (x W + bias), times gain.
template <class S>
void tanh_backward(const LayerAbove<S>& above, S gain, const Matrix<S>& y, Matrix<S>& dz);
/// The same and, as add_active, what differs between atoms; sums (O) = the column sums of dz. In one pass if
/// the layer above is narrow.
template <class S>
void add_active_below(const LayerAbove<S>& above, const AtomBatch& x, S gain, const Matrix<S>& y,
                      Matrix<S>& dz, Matrix<S>& dW, Numbers<S>& sums);

/// Adds each column's sum to `sums`.
template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums);

}  // namespace ndnf
