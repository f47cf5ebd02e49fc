#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// A batch of observations given by their true atoms: row b holds 1 at active[ends[b−1] … ends[b]) and
/// `falsehood` (−1 or 0, the input coding) everywhere else. A product with it is a few look-ups instead of a
/// sum over all atoms.
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

/// z = x W + bias, with bias (outputs) or empty.  x (B, I), W (I, O), z (B, O).
template <class S>
void affine_forward(const Matrix<S>& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z);
template <class S>
void affine_forward(const AtomBatch& x, const Matrix<S>& W, std::span<const S> bias, Matrix<S>& z);

/// Adds into dW and, where wanted, dx; the gradient of a bias is column_sums(dz).  dz (B, O), dW (I, O), dx
/// (B, I).
template <class S>
void affine_backward(const Matrix<S>& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     Matrix<S>* dx);
template <class S>
void affine_backward(const AtomBatch& x, const Matrix<S>& W, const Matrix<S>& dz, Matrix<S>& dW,
                     Matrix<S>* dx);

/// Adds each column's sum to `sums`.
template <class S>
void column_sums(const Matrix<S>& m, std::span<S> sums);

}  // namespace ndnf
