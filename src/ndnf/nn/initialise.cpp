#include "ndnf/nn/initialise.h"

#include <cmath>
#include <vector>

namespace ndnf {
namespace {

template <class S, class Draw>
void fill_each(Matrix<S>& W, Draw draw) {
  for (std::size_t o = 0; o < W.cols(); ++o) {
    for (std::size_t i = 0; i < W.rows(); ++i) W(i, o) = static_cast<S>(draw());
  }
}

double fan_sum(std::size_t inputs, std::size_t outputs) { return static_cast<double>(inputs + outputs); }

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void scale(std::vector<double>& v, double factor) {
  for (double& x : v) x *= factor;
}

/// `count` orthonormal vectors of this length, by Gram–Schmidt on normal vectors. REQUIRES: count ≤ length.
std::vector<std::vector<double>> orthonormal(RandomSequence& random, std::size_t count, std::size_t length) {
  std::vector<std::vector<double>> basis;
  while (basis.size() < count) {
    std::vector<double> v(length);
    for (double& x : v) x = random.normal();
    for (int pass = 0; pass < 2; ++pass) {  // twice: one pass is not accurate enough
      for (const std::vector<double>& b : basis) {
        const double shadow = dot(v, b);
        for (std::size_t i = 0; i < length; ++i) v[i] -= shadow * b[i];
      }
    }
    scale(v, 1 / std::sqrt(dot(v, v)));
    basis.push_back(std::move(v));
  }
  return basis;
}

}  // namespace

template <class S>
void fill_normal(RandomSequence& random, double deviation, Matrix<S>& W) {
  fill_each(W, [&] { return deviation * random.normal(); });
}

template <class S>
void fill_uniform(RandomSequence& random, double limit, Matrix<S>& W) {
  fill_each(W, [&] { return limit * (2 * random.uniform() - 1); });
}

template <class S>
void fill_xavier_normal(RandomSequence& random, double gain, Matrix<S>& W) {
  fill_normal(random, gain * std::sqrt(2 / fan_sum(W.rows(), W.cols())), W);
}

template <class S>
void fill_xavier_uniform(RandomSequence& random, double gain, Matrix<S>& W) {
  fill_uniform(random, gain * std::sqrt(6 / fan_sum(W.rows(), W.cols())), W);
}

template <class S>
void fill_unit_rows(RandomSequence& random, Matrix<S>& W) {
  std::vector<double> weights(W.rows());
  for (std::size_t o = 0; o < W.cols(); ++o) {
    for (double& w : weights) w = random.normal();
    scale(weights, 1 / std::sqrt(dot(weights, weights)));
    for (std::size_t i = 0; i < W.rows(); ++i) W(i, o) = static_cast<S>(weights[i]);
  }
}

template <class S>
void fill_orthogonal(RandomSequence& random, double gain, Matrix<S>& W) {
  const bool tall = W.rows() >= W.cols();
  const auto basis = orthonormal(random, tall ? W.cols() : W.rows(), tall ? W.rows() : W.cols());
  for (std::size_t i = 0; i < W.rows(); ++i) {
    for (std::size_t o = 0; o < W.cols(); ++o)
      W(i, o) = static_cast<S>(gain * (tall ? basis[o][i] : basis[i][o]));
  }
}

#define NDNF_INSTANTIATE(S)                                               \
  template void fill_normal(RandomSequence&, double, Matrix<S>&);         \
  template void fill_uniform(RandomSequence&, double, Matrix<S>&);        \
  template void fill_xavier_normal(RandomSequence&, double, Matrix<S>&);  \
  template void fill_xavier_uniform(RandomSequence&, double, Matrix<S>&); \
  template void fill_unit_rows(RandomSequence&, Matrix<S>&);              \
  template void fill_orthogonal(RandomSequence&, double, Matrix<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
