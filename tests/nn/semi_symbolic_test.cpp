#include "ndnf/nn/semi_symbolic.h"

#include <vector>

#include <gtest/gtest.h>

#include "ndnf/nn/activation.h"
#include "ndnf/nn/affine.h"
#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::as_matrix;
using testing::as_weights;
using testing::close;
using testing::is_gradient;
using testing::random_matrix;

template <class S>
Matrix<S> row_of(const Numbers<S>& values) {
  Matrix<S> m(1, values.size());
  std::copy(values.begin(), values.end(), m.values().begin());
  return m;
}

/// The gradients of a layer's weights and inputs, given those of its raw outputs.
template <class S>
void backward(const Matrix<S>& x, const Matrix<S>& W, NodeType type, S delta, const LogicalBias<S>& beta,
              const Matrix<S>& dz, Matrix<S>& dW, Matrix<S>& dx) {
  dW = Matrix<S>(W.rows(), W.cols());
  dx = Matrix<S>(x.rows(), x.cols());
  semi_symbolic_backward(x, W, type, delta, beta, dz, dW, &dx);
}

template <class S>
class SemiSymbolic : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SemiSymbolic, Scalars);

TYPED_TEST(SemiSymbolic, MatchesTheReference) {
  using S = TypeParam;
  std::size_t number = 0;
  for (const auto& golden : testing::golden_cases("semi_symbolic.json")) {
    SCOPED_TRACE(number++);
    const auto x = as_matrix<S>(golden.at("input"));
    const auto W = as_weights<S>(golden.at("weights"));
    const auto R = as_matrix<S>(golden.at("R"));
    const auto delta = golden.at("delta_abs").template get<S>();
    const NodeType type =
        golden.at("layer_type") == "conjunction" ? NodeType::kConjunction : NodeType::kDisjunction;
    LogicalBias<S> beta;
    Matrix<S> raw;
    Matrix<S> y;
    logical_bias_forward(W, type, BiasType::kMax, delta, beta);
    semi_symbolic_forward(x, W, beta, raw);
    EXPECT_TRUE(close(row_of(beta.value), as_matrix(golden.at("bias"))));
    EXPECT_EQ(golden.at("delta_signed"), type == NodeType::kConjunction
                                             ? golden.at("delta_abs").template get<double>()
                                             : -golden.at("delta_abs").template get<double>());
    EXPECT_EQ(beta.extreme, golden.at("max_index_used_by_torch").template get<std::vector<std::uint32_t>>());
    tanh_forward(raw, y);
    EXPECT_TRUE(close(raw, as_matrix(golden.at("raw"))));
    EXPECT_TRUE(close(y, as_matrix(golden.at("tanh"))));
    Matrix<S> dW;
    Matrix<S> dx;
    backward(x, W, type, delta, beta, R, dW, dx);
    EXPECT_TRUE(close(dW, as_weights(golden.at("dW_for_L_raw"))));
    EXPECT_TRUE(close(dx, as_matrix(golden.at("dx_for_L_raw"))));
    Matrix<S> dz;
    tanh_backward(y, R, dz);
    backward(x, W, type, delta, beta, dz, dW, dx);
    EXPECT_TRUE(close(dW, as_weights(golden.at("dW_for_L_tanh"))));
    EXPECT_TRUE(close(dx, as_matrix(golden.at("dx_for_L_tanh"))));
  }
}

/// The paper's last appendix: weights [3, 1, 1] on inputs [1, −1, 1] give 1 with `max` and −1 with `min`.
/// The gradient of the extreme goes only to its first input.
TYPED_TEST(SemiSymbolic, MinBiasMakesEveryLiteralCount) {
  using S = TypeParam;
  Matrix<S> W(3, 1, S(1));
  W(0, 0) = 3;
  Matrix<S> x(1, 3, S(1));
  x(0, 1) = -1;
  const auto expect = [&](BiasType type, S output, const std::vector<S>& bias_gradient) {
    LogicalBias<S> beta;
    Matrix<S> z;
    logical_bias_forward(W, NodeType::kConjunction, type, S(1), beta);
    semi_symbolic_forward(x, W, beta, z);
    EXPECT_EQ(z(0, 0), output);
    Matrix<S> dW(3, 1);
    logical_bias_backward(W, NodeType::kConjunction, S(1), beta, Matrix<S>(1, 1, S(1)), S(0), dW);
    EXPECT_EQ(std::vector<S>(dW.values().begin(), dW.values().end()), bias_gradient);
  };
  expect(BiasType::kMax, 1, {0, -1, -1});
  expect(BiasType::kMin, -1, {-1, 0, -1});
}

TEST(LogicalBias, OfDisjunctionsIsTheNegative) {
  const Matrix<double> W = random_matrix(1, 5, 7);
  for (const BiasType type : {BiasType::kMax, BiasType::kMin}) {
    LogicalBias<double> conjunctions;
    LogicalBias<double> disjunctions;
    logical_bias_forward(W, NodeType::kConjunction, type, 0.3, conjunctions);
    logical_bias_forward(W, NodeType::kDisjunction, type, 0.3, disjunctions);
    for (std::size_t o = 0; o < W.cols(); ++o) {
      EXPECT_LT(conjunctions.value[o], 0);
      EXPECT_EQ(conjunctions.value[o], -disjunctions.value[o]);
    }
  }
}

TEST(LogicalBias, OfANodeIsThatOfItsColumn) {
  Matrix<double> W = random_matrix(3, 5, 7);
  for (std::size_t i = 0; i < W.rows(); ++i) W(i, 2) = 0;  // a node without weights
  W(1, 4) = 0;
  for (const NodeType node : {NodeType::kConjunction, NodeType::kDisjunction}) {
    for (const BiasType type : {BiasType::kMax, BiasType::kMin}) {
      LogicalBias<double> layer;
      logical_bias_forward(W, node, type, 0.3, layer);
      for (std::size_t o = 0; o < W.cols(); ++o) {
        std::vector<double> w;
        for (std::size_t i = 0; i < W.rows(); ++i) w.push_back(W(i, o));
        EXPECT_EQ(logical_bias(w, node, type, 0.3), layer.value[o]);
      }
    }
  }
}

TEST(LogicalBias, MinLooksAtNonZeroWeightsOnly) {
  Matrix<double> W(4, 2);
  W(0, 0) = 6;
  W(2, 0) = -2;  // the other node has no weights at all
  LogicalBias<double> beta;
  logical_bias_forward(W, NodeType::kConjunction, BiasType::kMin, 1.0, beta);
  EXPECT_EQ(beta.value, (Numbers<double>{2 - 8, 0}));
  Matrix<double> dW(4, 2);
  logical_bias_backward(W, NodeType::kConjunction, 1.0, beta, Matrix<double>(1, 2, 1.0), 0.0, dW);
  Matrix<double> expected(4, 2);
  expected(0, 0) = -1;
  EXPECT_TRUE(close(dW, expected));
}

TEST(LogicalBiasBackward, MatchesFiniteDifferences) {
  Matrix<double> W = random_matrix(1, 6, 29);
  const Matrix<double> R = random_matrix(2, 1, 29);
  for (const NodeType node : {NodeType::kConjunction, NodeType::kDisjunction}) {
    for (const BiasType type : {BiasType::kMax, BiasType::kMin}) {
      LogicalBias<double> beta;
      const auto loss = [&] {
        logical_bias_forward(W, node, type, 0.7, beta);
        return testing::weighted_sum(row_of(beta.value), R);
      };
      loss();
      Matrix<double> dW(6, 29);
      logical_bias_backward(W, node, 0.7, beta, R, 0.0, dW);
      EXPECT_TRUE(is_gradient(dW, W, loss));
    }
  }
}

}  // namespace
}  // namespace ndnf
