#include "ndnf/model/layers.h"

#include <vector>

#include <gtest/gtest.h>

#include "ndnf/nn/activation.h"
#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::as_matrix;
using testing::as_weights;
using testing::close;
using testing::is_gradient;
using testing::random_matrix;
using testing::weighted_sum;

template <class S>
NeuralDnf<S> golden_dnf(const nlohmann::json& golden, bool exactly_one) {
  NeuralDnf<S> dnf;
  dnf.conjunctions = as_weights<S>(golden.at("Wc"));
  dnf.disjunctions = as_weights<S>(golden.at("Wd"));
  dnf.delta = golden.at("delta").get<double>();
  dnf.exactly_one = exactly_one;
  return dnf;
}

template <class S>
struct DnfGradients {
  NeuralDnf<S> weights;
  Matrix<S> x;
};

template <class S>
DnfGradients<S> gradients_of(const NeuralDnf<S>& dnf, const Matrix<S>& x, DnfActivations<S>& a,
                             const Matrix<S>& dout, const Matrix<S>* dc = nullptr) {
  DnfGradients<S> gradients{dnf, Matrix<S>(x.rows(), x.cols())};
  gradients.weights.conjunctions.fill(0);
  gradients.weights.disjunctions.fill(0);
  backward(dnf, x, a, dout, dc, gradients.weights, &gradients.x);
  return gradients;
}

template <class S>
void expect_gradients(const DnfGradients<S>& gradients, const nlohmann::json& golden) {
  EXPECT_TRUE(close(gradients.weights.conjunctions, as_weights(golden.at("dWc"))));
  EXPECT_TRUE(close(gradients.weights.disjunctions, as_weights(golden.at("dWd"))));
  EXPECT_TRUE(close(gradients.x, as_matrix(golden.at("dx"))));
}

Matrix<double> tanh_of(const nlohmann::json& raw) {
  Matrix<double> y = as_matrix(raw);
  for (double& value : y.values()) value = std::tanh(value);
  return y;
}

template <class S>
class NeuralDnfGolden : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NeuralDnfGolden, Scalars);

TYPED_TEST(NeuralDnfGolden, MutexTanhModelMatchesTheReference) {
  using S = TypeParam;
  std::size_t number = 0;
  for (const auto& golden : testing::golden_cases("ndnf_mt_model.json")) {
    SCOPED_TRACE(number++);
    const NeuralDnf<S> dnf = golden_dnf<S>(golden, false);
    const auto x = as_matrix<S>(golden.at("x"));
    DnfActivations<S> a;
    const Matrix<S>& raw = forward(dnf, x, a);
    EXPECT_TRUE(close(a.c, as_matrix(golden.at("conj_tanh"))));
    EXPECT_TRUE(close(a.c, tanh_of(golden.at("conj_raw"))));
    EXPECT_TRUE(close(raw, as_matrix(golden.at("disj_raw"))));
    EXPECT_TRUE(close(tanh_of(golden.at("disj_raw")), as_matrix(golden.at("disj_tanh"))));
    Matrix<S> p;
    softmax_forward(raw, p);
    EXPECT_TRUE(close(p, as_matrix(golden.at("probs"))));
    Matrix<S> dp = as_matrix<S>(golden.at("R"));  // of Σ (2 p − 1) R
    for (S& g : dp.values()) g *= 2;
    Matrix<S> draw(raw.rows(), raw.cols());
    softmax_backward(p, dp, draw);
    expect_gradients(gradients_of(dnf, x, a, draw), golden.at("grad_sum_mt_R"));
  }
}

TYPED_TEST(NeuralDnfGolden, ExactlyOneModelMatchesTheReference) {
  using S = TypeParam;
  std::size_t number = 0;
  for (const auto& golden : testing::golden_cases("ndnf_eo.json")) {
    SCOPED_TRACE(number++);
    const NeuralDnf<S> dnf = golden_dnf<S>(golden, true);
    const auto x = as_matrix<S>(golden.at("x"));
    DnfActivations<S> a;
    const Matrix<S>& out = forward(dnf, x, a);
    EXPECT_TRUE(close(a.d, as_matrix(golden.at("plain_disj_raw"))));
    EXPECT_TRUE(close(a.y, as_matrix(golden.at("plain_disj_tanh"))));
    EXPECT_TRUE(close(out, as_matrix(golden.at("out_raw"))));
    // The constraint layer: out = y Weo + eo_bias.
    const Matrix<double> Weo = as_weights(golden.at("Weo"));
    const Matrix<double> y = as_matrix(golden.at("plain_disj_tanh"));
    for (std::size_t b = 0; b < y.rows(); ++b) {
      for (std::size_t j = 0; j < y.cols(); ++j) {
        double sum = golden.at("eo_bias")[j];
        for (std::size_t k = 0; k < y.cols(); ++k) sum += y(b, k) * Weo(k, j);
        EXPECT_NEAR(static_cast<double>(out(b, j)), sum, 10 * testing::kTolerance<S>);
      }
    }
    EXPECT_TRUE(close(tanh_of(golden.at("out_raw")), as_matrix(golden.at("out_tanh"))));
    expect_gradients(gradients_of(dnf, x, a, as_matrix<S>(golden.at("R"))), golden);
  }
}

NeuralDnf<double> small_dnf(BiasType bias, bool exactly_one) {
  NeuralDnf<double> dnf;
  dnf.conjunctions = random_matrix(1, 5, 6);
  dnf.disjunctions = random_matrix(2, 6, 3);
  dnf.bias = bias;
  dnf.exactly_one = exactly_one;
  dnf.delta = 0.4;
  return dnf;
}

void expect_gradients_of_finite_differences(NeuralDnf<double> dnf) {
  Matrix<double> x = random_matrix(3, 4, 5);
  const Matrix<double> R = random_matrix(4, 4, 3);
  const Matrix<double> R_conjunctions = random_matrix(5, 4, 6);
  DnfActivations<double> a;
  const auto loss = [&] {
    const double outputs = weighted_sum(forward(dnf, x, a), R);
    return outputs + weighted_sum(a.c, R_conjunctions);
  };
  loss();
  const auto gradients = gradients_of(dnf, x, a, R, &R_conjunctions);
  EXPECT_TRUE(is_gradient(gradients.weights.conjunctions, dnf.conjunctions, loss));
  EXPECT_TRUE(is_gradient(gradients.weights.disjunctions, dnf.disjunctions, loss));
  EXPECT_TRUE(is_gradient(gradients.x, x, loss));
}

TEST(NeuralDnfBackward, MatchesFiniteDifferences) {
  for (const BiasType bias : {BiasType::kMax, BiasType::kMin}) {
    for (const bool exactly_one : {false, true}) {
      SCOPED_TRACE(exactly_one);
      expect_gradients_of_finite_differences(small_dnf(bias, exactly_one));
    }
  }
}

TEST(NeuralDnfBackward, MatchesFiniteDifferencesWithAGain) {
  NeuralDnf<double> dnf = small_dnf(BiasType::kMax, false);
  dnf.gain = 1.7;
  expect_gradients_of_finite_differences(dnf);
}

TEST(NeuralDnfBackward, OfSignsReachesTheDisjunctionsOnly) {
  NeuralDnf<double> dnf = small_dnf(BiasType::kMax, false);
  dnf.activation = Activation::kStep;
  Matrix<double> x = random_matrix(3, 4, 5);
  const Matrix<double> R = random_matrix(4, 4, 3);
  DnfActivations<double> a;
  const auto loss = [&] { return weighted_sum(forward(dnf, x, a), R); };
  loss();
  const auto gradients = gradients_of(dnf, x, a, R);
  EXPECT_TRUE(is_gradient(gradients.weights.conjunctions, dnf.conjunctions, loss));  // both are 0
  EXPECT_TRUE(is_gradient(gradients.weights.disjunctions, dnf.disjunctions, loss));
  EXPECT_TRUE(is_gradient(gradients.x, x, loss));
}

TEST(NeuralDnf, AFoldedGainGivesTheSameOutputs) {
  NeuralDnf<double> dnf = small_dnf(BiasType::kMax, false);
  dnf.gain = 3;
  const Matrix<double> x = random_matrix(3, 4, 5);
  DnfActivations<double> before;
  DnfActivations<double> after;
  forward(dnf, x, before);
  fold_gain(dnf);
  EXPECT_EQ(dnf.gain, 1);
  EXPECT_TRUE(close(forward(dnf, x, after), before.d));
}

TEST(NeuralDnf, StepMakesConjunctionsTrueOrFalse) {
  NeuralDnf<double> dnf = small_dnf(BiasType::kMax, false);
  dnf.activation = Activation::kStep;
  DnfActivations<double> a;
  forward(dnf, random_matrix(3, 4, 5), a);
  for (const double c : a.c.values()) EXPECT_EQ(std::abs(c), 1);
}

Mlp<double> small_mlp(Activation activation, bool bias, const std::vector<std::size_t>& sizes) {
  Mlp<double> mlp;
  mlp.activation = activation;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    mlp.layers.push_back({random_matrix(10 + l, sizes[l], sizes[l + 1]),
                          bias ? random_matrix(20 + l, 1, sizes[l + 1]) : Matrix<double>()});
  }
  return mlp;
}

Mlp<double> zeros_like(Mlp<double> mlp) {
  for (auto& layer : mlp.layers) {
    layer.W.fill(0);
    layer.bias.fill(0);
  }
  return mlp;
}

TEST(MlpBackward, MatchesFiniteDifferences) {
  for (const Activation activation : {Activation::kTanh, Activation::kRelu}) {
    for (const bool bias : {true, false}) {
      for (const std::vector<std::size_t>& sizes :
           {std::vector<std::size_t>{4, 2}, {4, 7, 2}, {4, 7, 5, 2}}) {
        SCOPED_TRACE(::testing::Message() << sizes.size() - 1 << " layers, bias " << bias);
        Mlp<double> mlp = small_mlp(activation, bias, sizes);
        Matrix<double> x = random_matrix(1, 3, 4);
        const Matrix<double> R = random_matrix(2, 3, 2);
        MlpActivations<double> a;
        const auto loss = [&] { return weighted_sum(forward(mlp, x, a), R); };
        loss();
        Mlp<double> gradient = zeros_like(mlp);
        Matrix<double> dx(3, 4);
        backward(mlp, x, a, R, gradient, &dx);
        EXPECT_TRUE(is_gradient(dx, x, loss));
        for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
          EXPECT_TRUE(is_gradient(gradient.layers[l].W, mlp.layers[l].W, loss)) << "layer " << l;
          EXPECT_TRUE(is_gradient(gradient.layers[l].bias, mlp.layers[l].bias, loss)) << "layer " << l;
        }
      }
    }
  }
}

/// Atoms are a compact form of a dense row: every model must compute and learn the same from both.
TEST(AtomInputs, GiveWhatDenseRowsGive) {
  for (const double falsehood : {-1.0, 0.0}) {
    const AtomBatch atoms{{0, 3, 4, 2}, {2, 4, 4}, falsehood};
    Matrix<double> x(3, 5, falsehood);
    x(0, 0) = x(0, 3) = x(1, 4) = x(1, 2) = 1;
    const Matrix<double> R = random_matrix(9, 3, 3);

    const NeuralDnf<double> dnf = small_dnf(BiasType::kMax, true);
    DnfActivations<double> a;
    DnfActivations<double> b;
    EXPECT_TRUE(close(forward(dnf, atoms, a), forward(dnf, x, b)));
    const auto dense = gradients_of(dnf, x, b, R);
    NeuralDnf<double> gradient{Matrix<double>(5, 6), Matrix<double>(6, 3)};
    backward(dnf, atoms, a, R, static_cast<const Matrix<double>*>(nullptr), gradient,
             static_cast<Matrix<double>*>(nullptr));
    EXPECT_TRUE(close(gradient.conjunctions, dense.weights.conjunctions));
    EXPECT_TRUE(close(gradient.disjunctions, dense.weights.disjunctions));

    const Mlp<double> mlp = small_mlp(Activation::kRelu, true, {5, 6, 3});
    MlpActivations<double> c;
    MlpActivations<double> d;
    EXPECT_TRUE(close(forward(mlp, atoms, c), forward(mlp, x, d)));
    Mlp<double> from_atoms = zeros_like(mlp);
    Mlp<double> from_dense = zeros_like(mlp);
    backward(mlp, atoms, c, R, from_atoms, static_cast<Matrix<double>*>(nullptr));
    backward(mlp, x, d, R, from_dense, static_cast<Matrix<double>*>(nullptr));
    for (std::size_t l = 0; l < 2; ++l) {
      EXPECT_TRUE(close(from_atoms.layers[l].W, from_dense.layers[l].W));
      EXPECT_TRUE(close(from_atoms.layers[l].bias, from_dense.layers[l].bias));
    }
  }
}

}  // namespace
}  // namespace ndnf
