#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ndnf/nn/matrix.h"

namespace ndnf {

/// y = tanh(z), element by element; y may be z itself.
template <class S>
void tanh_forward(const Matrix<S>& z, Matrix<S>& y);
/// dz = dy (1 − y²); dz may be dy itself.
template <class S>
void tanh_backward(const Matrix<S>& y, const Matrix<S>& dy, Matrix<S>& dz);

template <class S>
void relu_forward(const Matrix<S>& z, Matrix<S>& y);
template <class S>
void relu_backward(const Matrix<S>& y, const Matrix<S>& dy, Matrix<S>& dz);

/// y = +1 where z ≥ 0, −1 elsewhere: replaces tanh once a layer is symbolic (the paper's h, post-training
/// step 2). DIFFERS FROM PAPER: there h(0) = −1. With weights ±6 only a node without weights has z = 0, and
/// an empty conjunction is true.
template <class S>
void step_forward(const Matrix<S>& z, Matrix<S>& y);

/// Calls body(n), with n a compile-time constant if it is 2, the number of actions in most tasks: loops over
/// a row then need no branches.
template <class Body>
void with_constant(std::size_t n, const Body& body) {
  if (n == 2) return body(std::integral_constant<std::size_t, 2>{});
  body(n);
}

/// p = softmax(d) row by row, so that mutex-tanh(d) = 2 p − 1 and p = (mutex-tanh + 1)/2: Eqs. (2) and (3).
template <class S>
void softmax_forward(const Matrix<S>& d, Matrix<S>& p);
/// Softmax over the allowed entries of each row (bit j of allowed[b]); the others have p = 0, as if their d
/// were −∞. REQUIRES: at least one entry is allowed in each row.
template <class S>
void masked_softmax_forward(const Matrix<S>& d, std::span<const std::uint64_t> allowed, Matrix<S>& p);
/// Adds dd_j = p_j (dp_j − Σ_k p_k dp_k) to dd.
template <class S>
void softmax_backward(const Matrix<S>& p, const Matrix<S>& dp, Matrix<S>& dd);

}  // namespace ndnf
