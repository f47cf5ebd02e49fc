#include "ndnf/model/build.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/number_corridor.h"
#include "ndnf/base/error.h"
#include "ndnf/tasks/registry.h"
#include "nn/statistics.h"

namespace ndnf {
namespace {

using testing::deviation_of;
using testing::largest_of;

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ActorCritic<double> build(const std::string& env, const ActorOptions& actor, const CriticOptions& critic = {},
                          const EncoderOptions& encoder = {}) {
  RandomSequence random(RandomStream(1, 0));
  return build_network(make_task(env).model().observations(), actor, critic, encoder, random);
}

::testing::AssertionResult has_shape(const Matrix<double>& m, std::size_t rows, std::size_t cols) {
  if (m.rows() == rows && m.cols() == cols) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "is (" << m.rows() << ", " << m.cols() << ")";
}

TEST(BuildNetwork, MakesThePapersBlackjackActor) {
  const ActorCritic<double> network = build("blackjack", {});
  EXPECT_EQ(network.falsehood, -1);
  EXPECT_FALSE(has_encoder(network.encoder));
  EXPECT_EQ(numbers_read(network.encoder), 0u);
  const auto& dnf = std::get<NeuralDnf<double>>(network.actor);
  EXPECT_TRUE(has_shape(dnf.conjunctions, 44, 64));
  EXPECT_TRUE(has_shape(dnf.disjunctions, 64, 2));
  EXPECT_NEAR(deviation_of(dnf.conjunctions), 0.1, 0.005);
  EXPECT_EQ(dnf.bias, BiasType::kMax);
  EXPECT_EQ(dnf.activation, Activation::kTanh);
  EXPECT_FALSE(dnf.exactly_one);
  ASSERT_EQ(network.critic->layers.size(), 2u);
  EXPECT_TRUE(has_shape(network.critic->layers[0].W, 44, 64));
  EXPECT_TRUE(has_shape(network.critic->layers[1].W, 64, 1));
  EXPECT_NEAR(deviation_of(network.critic->layers[1].W), 1 / std::sqrt(64.0), 1e-12);
  EXPECT_EQ(largest_of(network.critic->layers[0].bias), 0);
}

TEST(BuildNetwork, StartsFromNegativeConjunctionsWhenAsked) {
  ActorOptions actor;
  actor.init = "negative";
  actor.init_std = 1;
  actor.init_std_disjunctions = 0.1;
  const auto dnf = std::get<NeuralDnf<double>>(build("blackjack", actor).actor);
  for (const double w : dnf.conjunctions.values()) EXPECT_LT(w, 0);
  EXPECT_NEAR(deviation_of(dnf.conjunctions), 1, 0.05);
  EXPECT_NEAR(deviation_of(dnf.disjunctions), 0.1, 0.02);
}

TEST(BuildNetwork, MakesTheTaxiTeacherWithoutBiases) {
  ActorOptions actor;
  actor.model = "mlp";
  actor.hidden = {256};
  actor.bias = false;
  actor.inputs = "binary";
  actor.init = "orthogonal";
  CriticOptions critic;
  critic.hidden = {256, 256};
  critic.activation = "relu";
  critic.init = "orthogonal";
  const ActorCritic<double> network = build("taxi:one-hot", actor, critic);
  EXPECT_EQ(network.falsehood, 0);
  const auto& mlp = std::get<Mlp<double>>(network.actor);
  ASSERT_EQ(mlp.layers.size(), 2u);
  EXPECT_TRUE(has_shape(mlp.layers[0].W, 500, 256));
  EXPECT_TRUE(has_shape(mlp.layers[1].W, 256, 6));
  EXPECT_EQ(mlp.layers[0].bias.size(), 0u);
  EXPECT_NEAR(deviation_of(mlp.layers[0].W), std::sqrt(2.0 / 500), 1e-9);
  EXPECT_EQ(network.critic->activation, Activation::kRelu);
  ASSERT_EQ(network.critic->layers.size(), 3u);
  EXPECT_TRUE(has_shape(network.critic->layers[2].bias, 1, 1));
}

TEST(BuildNetwork, PutsTheEncoderBeforeActorAndCritic) {
  ActorOptions actor;
  actor.conjunctions = 12;
  EncoderOptions encoder;
  encoder.model = "conv-1x1";
  const ActorCritic<double> network = build("door-corridor", actor, {}, encoder);
  ASSERT_TRUE(has_encoder(network.encoder));
  EXPECT_EQ(numbers_read(network.encoder), 18u);
  const auto& convolution = std::get<Convolution<double>>(network.encoder);
  EXPECT_TRUE(has_shape(convolution.kernel, 2, 4));
  EXPECT_TRUE(has_shape(convolution.W, 36, 16));
  EXPECT_LE(largest_of(convolution.kernel), 1 / std::sqrt(2.0));
  EXPECT_GT(largest_of(convolution.kernel), 0.3);
  EXPECT_GT(largest_of(convolution.kernel_bias), 0);
  EXPECT_NEAR(deviation_of(convolution.W), 1 / 6.0, 1e-12);
  EXPECT_EQ(largest_of(convolution.bias), 0);
  EXPECT_TRUE(has_shape(std::get<NeuralDnf<double>>(network.actor).conjunctions, 16, 12));
  EXPECT_TRUE(has_shape(network.critic->layers[0].W, 16, 64));
}

TEST(BuildNetwork, KnowsEveryModelAndBias) {
  ActorOptions actor;
  actor.model = "ndnf-eo";
  actor.bias_type = "min";
  const ActorCritic<double> network = build("small-corridor", actor);
  EXPECT_TRUE(std::get<NeuralDnf<double>>(network.actor).exactly_one);
  EXPECT_EQ(std::get<NeuralDnf<double>>(network.actor).bias, BiasType::kMin);
  actor.model = "ndnf";
  EXPECT_FALSE(std::get<NeuralDnf<double>>(build("small-corridor", actor).actor).exactly_one);
}

TEST(BuildNetwork, DrawsEveryInitialisationAtItsScale) {
  ActorOptions actor;
  actor.conjunctions = 100;
  const double inputs = 44;
  const auto deviation = [&](const std::string& init) {
    actor.init = init;
    return deviation_of(std::get<NeuralDnf<double>>(build("blackjack", actor).actor).conjunctions);
  };
  EXPECT_NEAR(deviation("normal"), 0.1, 0.005);
  EXPECT_NEAR(deviation("xavier-normal"), 5.0 / 3 * std::sqrt(2 / 144.0), 0.01);
  EXPECT_NEAR(deviation("xavier-uniform"), 5.0 / 3 * std::sqrt(2 / 144.0), 0.01);
  EXPECT_NEAR(deviation("uniform-6"), 6 / std::sqrt(3.0), 0.1);
  EXPECT_NEAR(deviation("unit-rows"), 1 / std::sqrt(inputs), 1e-12);
  EXPECT_NEAR(deviation("orthogonal"), std::sqrt(2.0 / 100), 1e-9);
}

TEST(BuildNetwork, DrawsTheSameWeightsFromTheSameSeed) {
  const auto first = build("small-corridor", {});
  const auto second = build("small-corridor", {});
  const auto weights = [](const ActorCritic<double>& network) {
    std::vector<double> all;
    visit_parameters(network, [&](const std::string&, Part, const Matrix<double>& m) {
      all.insert(all.end(), m.values().begin(), m.values().end());
    });
    return all;
  };
  EXPECT_EQ(weights(first), weights(second));
}

TEST(BuildNetwork, RejectsWhatMakesNoSense) {
  ActorOptions actor;
  actor.model = "q-table";
  EXPECT_THAT([&] { build("blackjack", actor); }, ThrowsMessage<Error>(HasSubstr("is not a network")));
  EncoderOptions encoder;
  encoder.model = "conv-1x1";
  EXPECT_THAT([&] { build("blackjack", {}, {}, encoder); }, ThrowsMessage<Error>(HasSubstr("needs images")));
}

TEST(BuildNetwork, ReadsNumbersOnlyByAnMlp) {
  const FiniteModel corridor = testing::number_corridor();
  RandomSequence random(RandomStream(1, 0));
  const auto build_on_numbers = [&](const std::string& model, const std::string& encoder) {
    ActorOptions actor;
    actor.model = model;
    EncoderOptions options;
    options.model = encoder;
    return build_network(corridor.observations(), actor, {}, options, random);
  };
  EXPECT_EQ(numbers_read(build_on_numbers("mlp", "none").encoder), 4u);
  EXPECT_THAT([&] { build_on_numbers("ndnf-mt", "none"); },
              ThrowsMessage<Error>(HasSubstr("model = \"ndnf-mt\" needs atoms")));
  EXPECT_THAT([&] { build_on_numbers("mlp", "conv-1x1"); }, ThrowsMessage<Error>(HasSubstr("needs images")));
}

TEST(BuildNetwork, ReadsAtomsRatherThanImagesWithoutAnEncoder) {
  ActorOptions actor;
  actor.model = "mlp";
  const ActorCritic<double> network = build("door-corridor", actor);
  EXPECT_EQ(numbers_read(network.encoder), 0u);
  EXPECT_TRUE(has_shape(std::get<Mlp<double>>(network.actor).layers[0].W, 63, 64));
}

TEST(ModelTables, RejectUnknownKeysAndValues) {
  EXPECT_THAT(
      [] {
        actor_config().read("mine", {{"conjunction", std::int64_t{4}}});
      },
      ThrowsMessage<Error>(HasSubstr("did you mean conjunctions?")));
  EXPECT_THAT(
      [] {
        actor_config().read("mine", {{"model", std::string("cnn")}});
      },
      ThrowsMessage<Error>(HasSubstr("model is one of ndnf-mt, ndnf-eo, ndnf, mlp, q-table")));
  EXPECT_THAT(
      [] {
        critic_config().read("mine", {{"hidden", std::vector<std::int64_t>{64, 0}}});
      },
      ThrowsMessage<Error>(HasSubstr("hidden=[64,0] is not allowed")));
  EXPECT_THAT(
      [] {
        encoder_config().read("mine", {{"outputs", 2.5}});
      },
      ThrowsMessage<Error>(HasSubstr("outputs=2.5 is not allowed")));
}

}  // namespace
}  // namespace ndnf
