#include "ndnf/update/losses.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"
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

/// A neural DNF behind an encoder with given outputs: the input of the auxiliary losses.
template <class S>
struct Actor {
  ActorCritic<S> network;
  Matrix<S> f;  // the encoder's outputs, the actor's inputs
  Activations<S> activations;

  NeuralDnf<S>& dnf() { return std::get<NeuralDnf<S>>(network.actor); }

  void run() {
    activations.encoder.f = f;
    softmax_forward(forward(dnf(), f, activations.dnf), activations.p);
  }
};

template <class S>
Actor<S> make_actor(Matrix<S> conjunctions, Matrix<S> disjunctions, Matrix<S> f, double delta) {
  Actor<S> actor;
  actor.network.encoder = Convolution<S>{};
  actor.network.actor = NeuralDnf<S>{std::move(conjunctions), std::move(disjunctions)};
  actor.dnf().delta = delta;
  actor.f = std::move(f);
  actor.run();
  return actor;
}

template <class S>
struct Result {
  AuxiliaryLosses losses;
  Matrix<S> conjunctions;
  Matrix<S> disjunctions;
  Matrix<S> f;
};

/// The losses and, through the actor's backward, the gradients of its weights and inputs.
template <class S>
Result<S> differentiate(Actor<S>& actor, const LossOptions& options, const std::vector<S>& counts) {
  actor.run();
  const Activations<S>& a = actor.activations;
  OutputGradients<S> output_gradients;
  output_gradients.raw = Matrix<S>(a.p.rows(), a.p.cols());
  output_gradients.conjunctions = Matrix<S>(a.dnf.c.rows(), a.dnf.c.cols());
  output_gradients.features = Matrix<S>(actor.f.rows(), actor.f.cols());
  ActorCritic<S> gradient = zeros_like(actor.network);
  double samples = 0;
  for (const S count : counts) samples += static_cast<double>(count);
  Result<S> result;
  result.losses = add_auxiliary_losses(options, actor.network, a, std::span<const S>(counts), samples,
                                       output_gradients, gradient);
  auto& dnf = std::get<NeuralDnf<S>>(gradient.actor);
  result.f = output_gradients.features;
  backward(actor.dnf(), actor.f, actor.activations.dnf, output_gradients.raw, &output_gradients.conjunctions,
           dnf, &result.f);
  result.conjunctions = dnf.conjunctions;
  result.disjunctions = dnf.disjunctions;
  return result;
}

LossOptions only(double LossOptions::*factor) {
  LossOptions options;
  options.*factor = 1;
  return options;
}

/// A gradient that is missing in the file is 0.
template <class S>
::testing::AssertionResult matches(const Matrix<S>& gradient, const Matrix<double>& expected) {
  return close(gradient, expected.size() == 0 ? Matrix<double>(gradient.rows(), gradient.cols()) : expected);
}

template <class S>
void expect_gradient(const Result<S>& result, const nlohmann::json& golden) {
  const auto weights = [](const nlohmann::json& node) {
    return node.is_null() ? Matrix<double>() : as_weights(node);
  };
  EXPECT_TRUE(matches(result.conjunctions, weights(golden.at("dWc"))));
  EXPECT_TRUE(matches(result.disjunctions, weights(golden.at("dWd"))));
  EXPECT_TRUE(matches(result.f, golden.at("dx").is_null() ? Matrix<double>() : as_matrix(golden.at("dx"))));
}

template <class S>
class AuxiliaryLossesGolden : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AuxiliaryLossesGolden, Scalars);

TYPED_TEST(AuxiliaryLossesGolden, MatchTheReferenceWithTheirGradients) {
  using S = TypeParam;
  constexpr double tolerance = testing::kTolerance<S>;
  std::size_t number = 0;
  for (const auto& golden : testing::golden_cases("ndnf_mt_model.json")) {
    SCOPED_TRACE(number);
    Actor<S> actor = make_actor(as_weights<S>(golden.at("Wc")), as_weights<S>(golden.at("Wd")),
                                as_matrix<S>(golden.at("x")), golden.at("delta").template get<double>());
    const std::vector<S> counts(actor.f.rows(), S(1));
    const auto l1 = differentiate(actor, only(&LossOptions::embedding_reg_lambda), counts);
    EXPECT_TRUE(close(l1.losses.l1, golden.at("L1").template get<double>(), tolerance));
    expect_gradient(l1, golden.at("grad_L1"));
    const auto l2 = differentiate(actor, only(&LossOptions::dis_weight_reg_lambda), counts);
    EXPECT_TRUE(close(l2.losses.l2, golden.at("L2").template get<double>(), tolerance));
    expect_gradient(l2, golden.at("grad_L2"));
    const auto l3 = differentiate(actor, only(&LossOptions::conj_tanh_out_reg_lambda), counts);
    EXPECT_TRUE(close(l3.losses.l3, golden.at("L3").template get<double>(), tolerance));
    expect_gradient(l3, golden.at("grad_L3"));
    const auto l4 = differentiate(actor, only(&LossOptions::mt_lambda), counts);
    EXPECT_TRUE(close(l4.losses.l4, golden.at("L4").template get<double>(), tolerance));
    expect_gradient(l4, golden.at("grad_L4"));
    ++number;
  }
}

Actor<double> random_actor() {
  return make_actor(random_matrix(1, 5, 6), random_matrix(2, 6, 3), random_matrix(3, 4, 5), 0.3);
}

LossOptions all_losses() {
  LossOptions options;
  options.embedding_reg_lambda = 0.7;
  options.dis_weight_reg_lambda = 0.11;
  options.conj_tanh_out_reg_lambda = 1.3;
  options.mt_lambda = 0.5;
  return options;
}

TEST(AuxiliaryLosses, SlopesMatchFiniteDifferences) {
  for (const std::string weights : {"disjunctive", "all"}) {
    for (const std::string reduction : {"sum", "mean"}) {
      SCOPED_TRACE(weights + ", " + reduction);
      LossOptions options = all_losses();
      options.dis_weight_reg_on = weights;
      options.mt_reduction = reduction;
      Actor<double> actor = random_actor();
      const std::vector<double> counts = {1, 3, 2, 1};
      const auto loss = [&] {
        const AuxiliaryLosses l = differentiate(actor, options, counts).losses;
        return 0.7 * l.l1 + 0.11 * l.l2 + 1.3 * l.l3 + 0.5 * l.l4;
      };
      const Result<double> result = differentiate(actor, options, counts);
      EXPECT_TRUE(is_gradient(result.conjunctions, actor.dnf().conjunctions, loss));
      EXPECT_TRUE(is_gradient(result.disjunctions, actor.dnf().disjunctions, loss));
      EXPECT_TRUE(is_gradient(result.f, actor.f, loss));
    }
  }
}

TEST(AuxiliaryLosses, CountAnObservationAsOftenAsItWasSeen) {
  Actor<double> distinct = random_actor();
  Actor<double> repeated = random_actor();
  const std::vector<std::size_t> rows = {0, 1, 1, 1, 3};
  repeated.f = Matrix<double>(rows.size(), 5);
  for (std::size_t b = 0; b < rows.size(); ++b) {
    std::copy_n(distinct.f.row(rows[b]), 5, repeated.f.row(b));
  }
  for (const std::string reduction : {"sum", "mean"}) {
    LossOptions options = all_losses();
    options.mt_reduction = reduction;
    const auto a = differentiate(distinct, options, std::vector<double>{1, 3, 0, 1});
    const auto b = differentiate(repeated, options, std::vector<double>(rows.size(), 1));
    EXPECT_DOUBLE_EQ(a.losses.l1, b.losses.l1);
    EXPECT_DOUBLE_EQ(a.losses.l3, b.losses.l3);
    EXPECT_DOUBLE_EQ(a.losses.l4, b.losses.l4);
    EXPECT_TRUE(close(a.conjunctions, b.conjunctions));
    EXPECT_TRUE(close(a.disjunctions, b.disjunctions));
  }
}

TEST(AuxiliaryLosses, AreSummedOrAveragedAsAsked) {
  Actor<double> actor = random_actor();
  LossOptions options = all_losses();
  const std::vector<double> counts = {2, 3, 4, 1};
  const double sum = differentiate(actor, options, counts).losses.l4;
  options.mt_reduction = "mean";
  EXPECT_DOUBLE_EQ(differentiate(actor, options, counts).losses.l4, sum / 10);
}

TEST(AuxiliaryLosses, NeedNoSlopesForAFactorOfZero) {
  Actor<double> actor = random_actor();
  const std::vector<double> counts(4, 1.0);
  OutputGradients<double> output_gradients;
  output_gradients.raw = Matrix<double>(4, 3);
  ActorCritic<double> gradient = zeros_like(actor.network);
  const auto losses = add_auxiliary_losses(LossOptions{}, actor.network, actor.activations,
                                           std::span<const double>(counts), 4, output_gradients, gradient);
  EXPECT_GT(losses.l1, 0);
  EXPECT_GT(losses.l3, 0);
  EXPECT_TRUE(close(output_gradients.raw, Matrix<double>(4, 3), 0));
  EXPECT_TRUE(close(std::get<NeuralDnf<double>>(gradient.actor).disjunctions, Matrix<double>(6, 3), 0));
}

TEST(AuxiliaryLosses, LeaveAnMlpAlone) {
  ActorCritic<double> network;
  network.actor = Mlp<double>{};
  ActorCritic<double> gradient = zeros_like(network);
  OutputGradients<double> output_gradients;
  const std::vector<double> counts(4, 1.0);
  const auto losses = add_auxiliary_losses(all_losses(), network, {}, std::span<const double>(counts), 4,
                                           output_gradients, gradient);
  EXPECT_EQ(losses.l2, 0);
  EXPECT_EQ(losses.l4, 0);
}

TEST(LossesTable, RejectsUnknownKeysAndValues) {
  using ::testing::HasSubstr;
  using ::testing::ThrowsMessage;
  EXPECT_THAT(
      [] {
        losses_config().read("mine", {{"mt_lambdo", 1.0}});
      },
      ThrowsMessage<Error>(HasSubstr("did you mean mt_lambda?")));
  EXPECT_THAT(
      [] {
        losses_config().read("mine", {{"mt_lambda", -1.0}});
      },
      ThrowsMessage<Error>(HasSubstr("mt_lambda is a number from 0 to 1000")));
}

}  // namespace
}  // namespace ndnf
