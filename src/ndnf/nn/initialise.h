#pragma once

#include "ndnf/base/random.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

// Initial weights, as drawn by the reference. Every matrix is (inputs, outputs); numbers are drawn output by
// output, in double, so that float and double networks start with the same weights.

template <class S>
void fill_normal(RandomSequence& random, double deviation, Matrix<S>& W);
/// Uniform on [−limit, limit).
template <class S>
void fill_uniform(RandomSequence& random, double limit, Matrix<S>& W);
/// Glorot: normal with standard deviation gain √(2 / (inputs + outputs)), or uniform with limit gain √(6 /
/// (inputs + outputs)).
template <class S>
void fill_xavier_normal(RandomSequence& random, double gain, Matrix<S>& W);
template <class S>
void fill_xavier_uniform(RandomSequence& random, double gain, Matrix<S>& W);
/// Standard normal, then each output's weights are scaled to length 1.
template <class S>
void fill_unit_rows(RandomSequence& random, Matrix<S>& W);
/// gain times a random matrix with orthonormal rows or columns, whichever are fewer (Gram–Schmidt on normal
/// vectors).
template <class S>
void fill_orthogonal(RandomSequence& random, double gain, Matrix<S>& W);

}  // namespace ndnf
