#include "ndnf/nn/affine.h"

#include <vector>

#include <gtest/gtest.h>

#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::close;
using testing::in_double;
using testing::is_gradient;
using testing::random_matrix;
using testing::weighted_sum;

Matrix<double> transposed(const Matrix<double>& m) {
  Matrix<double> result(m.cols(), m.rows());
  for (std::size_t r = 0; r < m.rows(); ++r) {
    for (std::size_t c = 0; c < m.cols(); ++c) result(c, r) = m(r, c);
  }
  return result;
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.cols(); ++j) {
      for (std::size_t k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

AtomBatch three_observations(double falsehood) { return {{0, 3, 4, 2, 0, 1, 2, 3, 4}, {3, 4, 9}, falsehood}; }

template <class S>
Matrix<S> dense(const AtomBatch& atoms, std::size_t count) {
  Matrix<S> x(atoms.rows(), count, static_cast<S>(atoms.falsehood));
  for (std::size_t b = 0; b < atoms.rows(); ++b) {
    for (const std::uint32_t atom : atoms.row(b)) x(b, atom) = 1;
  }
  return x;
}

template <class S>
class Affine : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Affine, Scalars);

TYPED_TEST(Affine, MatchesAPlainLoopAtEveryBlockEdge) {
  for (const unsigned rows : {1u, 3u, 4u, 5u, 6u, 7u, 13u}) {
    for (const unsigned depth : {1u, 2u, 7u, 8u, 17u}) {
      for (const unsigned cols : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 33u}) {
        SCOPED_TRACE(::testing::Message() << rows << " x " << depth << " x " << cols);
        const auto x = random_matrix<TypeParam>(1, rows, depth);
        const auto W = random_matrix<TypeParam>(2, depth, cols);
        const auto dz = random_matrix<TypeParam>(3, rows, cols);
        Matrix<TypeParam> z;
        affine_forward(x, W, std::span<const TypeParam>(), z);
        EXPECT_TRUE(close(z, product(in_double(x), in_double(W))));
        Matrix<TypeParam> dW(depth, cols);
        Matrix<TypeParam> dx(rows, depth);
        affine_backward(x, W, dz, dW, std::span<TypeParam>(), &dx);
        EXPECT_TRUE(close(dW, product(transposed(in_double(x)), in_double(dz))));
        EXPECT_TRUE(close(dx, product(in_double(dz), transposed(in_double(W)))));
      }
    }
  }
}

TYPED_TEST(Affine, AddsTheBiasToEveryRow) {
  const auto x = random_matrix<TypeParam>(1, 5, 3);
  const auto W = random_matrix<TypeParam>(2, 3, 18);
  const auto bias = random_matrix<TypeParam>(3, 1, 18);
  Matrix<TypeParam> without;
  Matrix<TypeParam> with;
  affine_forward(x, W, std::span<const TypeParam>(), without);
  affine_forward(x, W, std::span<const TypeParam>(bias.values()), with);
  Matrix<double> expected(5, 18);
  for (std::size_t b = 0; b < 5; ++b) {
    for (std::size_t o = 0; o < 18; ++o) expected(b, o) = static_cast<double>(without(b, o) + bias(0, o));
  }
  EXPECT_TRUE(close(with, expected));
}

TYPED_TEST(Affine, AtomsGiveWhatTheirDenseRowsGive) {
  for (const double falsehood : {-1.0, 0.0}) {
    for (const unsigned outputs : {1u, 2u, 16u, 19u, 40u}) {
      SCOPED_TRACE(::testing::Message() << "falsehood " << falsehood << ", outputs " << outputs);
      const AtomBatch atoms = three_observations(falsehood);
      const auto x = dense<TypeParam>(atoms, 6);
      const auto W = random_matrix<TypeParam>(1, 6, outputs);
      const auto bias = random_matrix<TypeParam>(2, 1, outputs);
      const auto dz = random_matrix<TypeParam>(3, 3, outputs);
      Matrix<TypeParam> from_atoms;
      Matrix<TypeParam> from_dense;
      affine_forward(atoms, W, std::span<const TypeParam>(bias.values()), from_atoms);
      affine_forward(x, W, std::span<const TypeParam>(bias.values()), from_dense);
      EXPECT_TRUE(close(from_atoms, in_double(from_dense)));
      affine_forward(atoms, W, std::span<const TypeParam>(), from_atoms);
      affine_forward(x, W, std::span<const TypeParam>(), from_dense);
      EXPECT_TRUE(close(from_atoms, in_double(from_dense)));
      Matrix<TypeParam> dW_atoms(6, outputs);
      Matrix<TypeParam> dW_dense(6, outputs);
      Matrix<TypeParam> dbias_atoms(1, outputs);
      Matrix<TypeParam> dbias_dense(1, outputs);
      auto* const no_dx = static_cast<Matrix<TypeParam>*>(nullptr);
      affine_backward(atoms, W, dz, dW_atoms, dbias_atoms.values(), no_dx);
      affine_backward(x, W, dz, dW_dense, dbias_dense.values(), no_dx);
      EXPECT_TRUE(close(dW_atoms, in_double(dW_dense)));
      EXPECT_TRUE(close(dbias_atoms, in_double(dbias_dense)));
    }
  }
}

TEST(AffineBackward, MatchesFiniteDifferences) {
  Matrix<double> x = random_matrix(1, 6, 5);
  Matrix<double> W = random_matrix(2, 5, 17);
  Matrix<double> bias = random_matrix(3, 1, 17);
  const Matrix<double> R = random_matrix(4, 6, 17);
  const auto loss = [&] {
    Matrix<double> z;
    affine_forward(x, W, std::span<const double>(bias.values()), z);
    return weighted_sum(z, R);
  };
  Matrix<double> dW(5, 17);
  Matrix<double> dx(6, 5);
  Matrix<double> dbias(1, 17);
  affine_backward(x, W, R, dW, dbias.values(), &dx);
  EXPECT_TRUE(is_gradient(dW, W, loss));
  EXPECT_TRUE(is_gradient(dx, x, loss));
  EXPECT_TRUE(is_gradient(dbias, bias, loss));
}

TEST(AffineBackward, OfAtomsMatchesFiniteDifferences) {
  for (const double falsehood : {-1.0, 0.0}) {
    const AtomBatch atoms = three_observations(falsehood);
    Matrix<double> W = random_matrix(1, 5, 4);
    const Matrix<double> R = random_matrix(2, 3, 4);
    Matrix<double> dW(5, 4);
    affine_backward(atoms, W, R, dW, std::span<double>(), static_cast<Matrix<double>*>(nullptr));
    EXPECT_TRUE(is_gradient(dW, W, [&] {
      Matrix<double> z;
      affine_forward(atoms, W, std::span<const double>(), z);
      return weighted_sum(z, R);
    }));
  }
}

TEST(TanhAffineBackward, MatchesFiniteDifferencesUnderLayersOfAnyWidth) {
  for (const double falsehood : {-1.0, 0.0}) {
    for (const unsigned hidden : {4u, 7u, 16u}) {  // a multiple of 4 below at most 3 outputs is one pass
      for (const unsigned outputs : {1u, 2u, 3u, 5u}) {
        const AtomBatch x = three_observations(falsehood);
        Matrix<double> W = random_matrix(1, 6, hidden), bias = random_matrix(2, 1, hidden);
        Matrix<double> V = random_matrix(3, hidden, outputs);
        const Matrix<double> R = random_matrix(4, 3, outputs), more = random_matrix(5, 3, hidden);
        Matrix<double> y, z, dy;
        const auto loss = [&] {
          tanh_affine_forward(x, W, std::span<const double>(bias.values()), std::span<const double>(), 0.8,
                              y);
          affine_forward(y, V, std::span<const double>(), z);
          return weighted_sum(z, R) + weighted_sum(y, more);
        };
        loss();
        Matrix<double> dW(6, hidden), dV(hidden, outputs), dbias(1, hidden);
        const Matrix<double> kept = y;
        tanh_affine_backward(x, W, 0.8, kept, LayerAbove<double>{V, R, dV, &more}, dy, dW, dbias.values(),
                             static_cast<Matrix<double>*>(nullptr));
        SCOPED_TRACE(::testing::Message() << falsehood << " " << hidden << " " << outputs);
        EXPECT_TRUE(is_gradient(dW, W, loss));
        EXPECT_TRUE(is_gradient(dV, V, loss));
        EXPECT_TRUE(is_gradient(dbias, bias, loss));
      }
    }
  }
}

TEST(TanhAffineBackward, OfDenseRowsGivesWhatThatOfAtomsGives) {
  const AtomBatch atoms = three_observations(-1);
  const Matrix<double> x = dense<double>(atoms, 6), W = random_matrix(1, 6, 8), V = random_matrix(3, 8, 2);
  const Matrix<double> R = random_matrix(4, 3, 2);
  Matrix<double> y, from_atoms, dy;
  const std::span<const double> none;
  tanh_affine_forward(x, W, none, none, 1.5, y);
  tanh_affine_forward(atoms, W, none, none, 1.5, from_atoms);
  EXPECT_TRUE(close(from_atoms, y));
  Matrix<double> dW(6, 8), dW_atoms(6, 8), dV(8, 2), dV_atoms(8, 2), dx(3, 6);
  tanh_affine_backward(x, W, 1.5, y, LayerAbove<double>{V, R, dV, nullptr}, dy, dW, std::span<double>(), &dx);
  tanh_affine_backward(atoms, W, 1.5, y, LayerAbove<double>{V, R, dV_atoms, nullptr}, dy, dW_atoms,
                       std::span<double>(), static_cast<Matrix<double>*>(nullptr));
  EXPECT_TRUE(close(dW_atoms, dW));
  EXPECT_TRUE(close(dV_atoms, dV));
}

TEST(AffineBackward, AddsToWhatIsThere) {
  const Matrix<double> x(1, 1, 2.0);
  const Matrix<double> W(1, 1, 3.0);
  const Matrix<double> dz(1, 1, 5.0);
  Matrix<double> dW(1, 1, 100.0);
  Matrix<double> dx(1, 1, 1000.0);
  Matrix<double> dbias(1, 1, 10000.0);
  affine_backward(x, W, dz, dW, dbias.values(), &dx);
  EXPECT_EQ(dW(0, 0), 110);
  EXPECT_EQ(dx(0, 0), 1015);
  EXPECT_EQ(dbias(0, 0), 10005);
  affine_backward(AtomBatch{{}, {0}, -1}, W, dz, dW, dbias.values(), static_cast<Matrix<double>*>(nullptr));
  EXPECT_EQ(dW(0, 0), 105);
  EXPECT_EQ(dbias(0, 0), 10010);
}

TEST(MatrixShape, GrowsAndShrinksWithoutLosingItsMemory) {
  Matrix<float> m(4, 8);
  const float* memory = m.row(0);
  m.reshape(2, 3);
  EXPECT_EQ(m.size(), 6u);
  EXPECT_EQ(m.values().size(), 6u);
  m.reshape(8, 4);
  EXPECT_EQ(m.row(0), memory);
  m.reshape(9, 4);
  EXPECT_EQ(m.values().size(), 36u);
}

}  // namespace
}  // namespace ndnf
