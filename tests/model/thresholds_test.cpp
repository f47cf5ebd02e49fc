#include "ndnf/model/thresholds.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "env/json_files.h"
#include "ndnf/model/architecture.h"
#include "ndnf/model/build.h"
#include "ndnf/model/checkpoint.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::is_gradient;
using testing::random_matrix;
using testing::weighted_sum;

/// Three numbers, of which the second has no grid.
std::shared_ptr<const Vocabulary> numbers() {
  return std::make_shared<Vocabulary>(
      std::vector<AtomGroup>{}, std::vector<std::string>{"left", "right"},
      std::vector<Quantity>{quantity("angle", "rad", -4, 4, 0.001), Quantity{"odd"},
                            quantity("spin", "rad/s", -10, 10, 0.01)});
}

Thresholds<double> small_thresholds() {
  return {3, {0, 2}, random_matrix(1, 1, 4), random_matrix(2, 2, 3), random_matrix(3, 1, 3), 1.7};
}

TEST(ThresholdsBackward, MatchesFiniteDifferences) {
  Encoder<double> encoder = small_thresholds();
  auto& thresholds = std::get<Thresholds<double>>(encoder);
  const Matrix<double> x = random_matrix(4, 5, 3);
  const Matrix<double> R = random_matrix(5, 5, 8);
  EncoderActivations<double> a;
  const auto loss = [&] { return weighted_sum(forward(encoder, x, a), R); };
  loss();
  Encoder<double> gradient =
      Thresholds<double>{3, {0, 2}, Matrix<double>(1, 4), Matrix<double>(2, 3), Matrix<double>(1, 3)};
  backward(encoder, x, a, R, gradient);
  const auto& gradients = std::get<Thresholds<double>>(gradient);
  EXPECT_TRUE(is_gradient(gradients.bounds, thresholds.bounds, loss));
  EXPECT_TRUE(is_gradient(gradients.directions, thresholds.directions, loss));
  EXPECT_TRUE(is_gradient(gradients.linear_bounds, thresholds.linear_bounds, loss));
}

TEST(Thresholds, CompareTheNumbersThatRulesCanBeAboutAndEndWithTruth) {
  Thresholds<double> thresholds = small_thresholds();
  thresholds.directions.fill(0);
  thresholds.directions(1, 0) = -2;  // −spin, whatever its length
  Matrix<double> x(1, 3);
  x(0, 0) = 0.5;
  x(0, 1) = 100;
  x(0, 2) = -0.25;
  ThresholdActivations<double> a;
  Matrix<double> f;
  forward(thresholds, x, a, f);
  EXPECT_NEAR(f(0, 1), std::tanh(1.7 * (0.5 - thresholds.bounds(0, 1))), 1e-12);
  EXPECT_NEAR(f(0, 2), std::tanh(1.7 * (-0.25 - thresholds.bounds(0, 2))), 1e-12);
  EXPECT_NEAR(f(0, 4), std::tanh(1.7 * (0.25 - thresholds.linear_bounds(0, 0))), 1e-12);
  EXPECT_EQ(f(0, 7), 1);
}

// The hardened atoms have the signs of the learned ones, but for what rounding moves a little.
TEST(Hardened, ThresholdsHaveTheSameSignsOnNumbersAsTheyAre) {
  const auto vocabulary = numbers();
  const Thresholds<double> thresholds = small_thresholds();
  const Scaled scale{{0.5, 0, -1}, {2, 1, 0.25}};
  const Comparisons comparisons = hardened(thresholds, scale, *vocabulary);
  ASSERT_EQ(comparisons.outputs(), thresholds.outputs());
  ObservationTable table(vocabulary, 3);
  const Matrix<double> drawn = random_matrix(6, 400, 3);
  for (std::size_t b = 0; b < drawn.rows(); ++b) {
    table.intern({}, std::vector<float>{static_cast<float>(drawn(b, 0)), static_cast<float>(drawn(b, 1)),
                                        static_cast<float>(3 * drawn(b, 2))});
  }
  ThresholdActivations<double> a;
  Matrix<double> x(table.size(), 3);
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    for (std::size_t i = 0; i < 3; ++i)
      x(obs, i) = (static_cast<double>(table.dense(obs)[i]) - scale.means[i]) * scale.factors[i];
  }
  Matrix<double> f;
  forward(thresholds, x, a, f);
  std::vector<bool> holds;
  std::size_t close = 0;
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    truth_values(comparisons, table, obs, holds);
    for (std::size_t j = 0; j < holds.size(); ++j) {
      const bool is_close = std::abs(f(obs, j)) < 0.15;
      close += is_close ? 1 : 0;
      ASSERT_TRUE(is_close || holds[j] == (f(obs, j) > 0)) << obs << ' ' << j;
    }
  }
  EXPECT_LT(close, table.size() * holds.size() / 5);
}

TEST(Hardened, NetworksReadComparisonsExactly) {
  const auto vocabulary = numbers();
  ActorCritic<float> network;
  network.encoder = Comparisons{{{{{{0, 1}}, 12}, true}, {{{{0, 100}, {2, -36}}, -1690}, false}}};
  NeuralDnf<float> dnf{Matrix<float>(2, 1, 6), Matrix<float>(1, 2), BiasType::kMax, Activation::kStep};
  dnf.disjunctions(0, 0) = 6;
  dnf.disjunctions(0, 1) = -6;
  network.actor = dnf;
  ObservationTable table(vocabulary, 3);
  const auto action = [&](float angle, float spin) {
    const ObsId obs = table.intern({}, std::vector<float>{angle, 0, spin});
    return tabulate(ActorPolicy(converted<double>(network), 2), table).argmax(obs);
  };
  EXPECT_EQ(action(0.0121F, 1.0F), 0u);  // K = 13; 100 · 13 − 36 · 100 = −2300 is not above −1690
  EXPECT_EQ(action(0.0119F, 1.0F), 1u);
  EXPECT_EQ(action(0.012F, 1.0F), 0u);    // as a float it is above 0.012
  EXPECT_EQ(action(0.0121F, 0.83F), 1u);  // 1300 − 36 · 83 = −1688 is above
  EXPECT_EQ(action(0.0121F, 0.84F), 0u);
}

Checkpoint checkpoint_with(const Comparisons& comparisons) {
  Checkpoint checkpoint;
  checkpoint.model = "ndnf-mt";
  checkpoint.vocabulary = numbers();
  checkpoint.env = "somewhere";
  checkpoint.extract_as = "asp";
  ActorCritic<float> network;
  network.encoder = comparisons;
  network.actor = NeuralDnf<float>{Matrix<float>(comparisons.outputs(), 2, 1), Matrix<float>(2, 2, 1)};
  checkpoint.policy = network;
  return checkpoint;
}

TEST(Comparisons, AreReadBackFromTheirCheckpointWithTheSameBytes) {
  const Comparisons comparisons{{{{{{0, 1}}, 12}, true},
                                 {{{{0, 100}, {2, -36}}, -1690}, false},
                                 {{{{2, 1}}, 7, true}, false},
                                 {{{{2, 1}}, 7, true}, true}}};
  const std::string bytes = to_bytes(checkpoint_with(comparisons));
  const Checkpoint read = parse_checkpoint("file", bytes);
  EXPECT_EQ(to_bytes(read), bytes);
  const auto& literals = std::get<Comparisons>(std::get<ActorCritic<float>>(read.policy).encoder).literals;
  ASSERT_EQ(literals.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(literals[i].comparison, comparisons.literals[i].comparison);
    EXPECT_EQ(literals[i].positive, comparisons.literals[i].positive);
  }
}

TEST(Comparisons, OfAFileMustBeOnesThatRulesCanMake) {
  const std::string actor = R"("actor":{"conjunctions":1,"bias_type":"max","activation":"step","delta":1.0})";
  const auto complaint = [&](const std::string& comparison) {
    const std::string text =
        R"({"inputs":"signed","encoder":{"comparisons":[)" + comparison + "]}," + actor + "}";
    return error_of([&] { parse_architecture("file", text, "ndnf-mt", *numbers(), 1000); });
  };
  EXPECT_EQ(complaint(R"({"terms":[[0,1]],"sign":">","bound":5})"), "");
  for (const char* wrong :
       {R"({"terms":[],"sign":">","bound":5})", R"({"terms":[[1,1]],"sign":">","bound":5})",
        R"({"terms":[[3,1]],"sign":">","bound":5})", R"({"terms":[[0,0]],"sign":">","bound":5})",
        R"({"terms":[[2,1],[0,1]],"sign":">","bound":5})", R"({"terms":[[0,1]],"sign":"<","bound":5})",
        R"({"terms":[[0,1000000]],"sign":">","bound":5})",
        R"({"terms":[[0,1]],"sign":">","bound":3000000000})", R"({"bound":5})", "7"}) {
    EXPECT_THAT(complaint(wrong), HasSubstr("has a comparison that is not one")) << wrong;
  }
}

TEST(Comparisons, ThatNoConjunctionUsesAreDropped) {
  ActorCritic<float> network;
  network.encoder = Comparisons{{{{{{0, 1}}, 1}, true}, {{{{0, 1}}, 2}, true}, {{{{0, 1}}, 3}, true}}};
  NeuralDnf<float> dnf{Matrix<float>(3, 2), Matrix<float>(2, 2, 1)};
  dnf.conjunctions(0, 1) = 1;
  dnf.conjunctions(2, 0) = -1;
  network.actor = dnf;
  drop_unused_comparisons(network);
  const auto& literals = std::get<Comparisons>(network.encoder).literals;
  ASSERT_EQ(literals.size(), 2u);
  EXPECT_EQ(literals[1].comparison.bound, 3);
  EXPECT_THAT(std::get<NeuralDnf<float>>(network.actor).conjunctions.values(), ElementsAre(0, 1, -1, 0));
}

EncoderOptions threshold_options() {
  EncoderOptions options;
  options.model = "thresholds";
  options.thresholds = 3;
  options.linear = 2;
  return options;
}

TEST(BuildThresholds, StartWithQuantilesAndSparseConjunctions) {
  const ObservationTable table(numbers(), 3);
  RandomSequence random(RandomStream(1, 0));
  ActorOptions actor;
  actor.conjunctions = 5;
  actor.init = "sparse";
  const ActorCritic<double> network = build_network(table, actor, {}, threshold_options(), random);
  const auto& thresholds = std::get<Thresholds<double>>(network.encoder);
  EXPECT_THAT(thresholds.compared, ElementsAre(0, 2));
  EXPECT_EQ(thresholds.outputs(), 9u);
  EXPECT_NEAR(thresholds.bounds(0, 0), -0.6745, 0.03);  // the quartiles of a normal distribution
  EXPECT_NEAR(thresholds.bounds(0, 4), 0, 1e-9);
  EXPECT_EQ(network.critic->layers.front().W.rows(), 3u);  // it reads the numbers
  const Matrix<double>& W = std::get<NeuralDnf<double>>(network.actor).conjunctions;
  ASSERT_EQ(W.rows(), 9u);
  for (std::size_t q = 0; q < W.cols(); ++q) {
    int literals = 0;
    for (std::size_t i = 0; i < W.rows(); ++i) literals += std::abs(W(i, q)) >= 0.5 ? 1 : 0;
    EXPECT_EQ(literals, 2);
  }
}

TEST(BuildThresholds, NeedNumbersThatRulesCanBeAbout) {
  RandomSequence random(RandomStream(1, 0));
  const auto names = std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("door")},
                                                  std::vector<std::string>{"go"});
  EXPECT_THAT(error_of([&] { build_network(ObservationTable(names), {}, {}, threshold_options(), random); }),
              HasSubstr("needs observations of numbers that rules can be about"));
}

}  // namespace
}  // namespace ndnf
