#include "ndnf/update/harden.h"

#include <gmock/gmock.h>

#include "ndnf/base/error.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

TEST(ShareDone, RisesInAStraightLineBetweenItsMoments) {
  EXPECT_EQ(share_done(0.2, 0.4, 0), 0);
  EXPECT_EQ(share_done(0.2, 0.4, 0.2), 0);
  EXPECT_DOUBLE_EQ(share_done(0.2, 0.4, 0.25), 0.25);
  EXPECT_EQ(share_done(0.2, 0.4, 0.4), 1);
  EXPECT_EQ(share_done(0.2, 0.4, 1), 1);
}

TEST(ShareDone, IsNothingThroughoutATrainingThatChangesAtItsEnd) { EXPECT_EQ(share_done(1, 1, 0.999), 0); }

TEST(Harden, DoesNothingByDefault) {
  NeuralDnf<double> dnf;
  harden({}, 0.999, dnf);
  EXPECT_EQ(dnf.gain, 1);
  EXPECT_EQ(dnf.activation, Activation::kTanh);
}

TEST(Harden, GainGrowsGeometricallyAndThenSignsReplaceTanh) {
  const HardenOptions options{16, 0.2, 0.6, 0.75};
  NeuralDnf<double> dnf;
  harden(options, 0.1, dnf);
  EXPECT_EQ(dnf.gain, 1);
  harden(options, 0.4, dnf);
  EXPECT_DOUBLE_EQ(dnf.gain, 4);
  harden(options, 0.7, dnf);
  EXPECT_DOUBLE_EQ(dnf.gain, 16);
  EXPECT_EQ(dnf.activation, Activation::kTanh);
  harden(options, 0.75, dnf);
  EXPECT_EQ(dnf.activation, Activation::kStep);
}

TEST(Harden, DropsLiteralsThatAreWeakBesideTheLargest) {
  HardenOptions options{1, 0.3, 0.7, 0.75};
  options.literals = 0.5;
  NeuralDnf<double> dnf;
  dnf.conjunctions = Matrix<double>(3, 2);
  const double weights[] = {-4, 0.5, 2, 0.1, 1.9, -0.25};
  std::copy(std::begin(weights), std::end(weights), dnf.conjunctions.values().begin());
  harden(options, 0.7, dnf);
  EXPECT_EQ(dnf.conjunctions(2, 0), 1.9);
  harden(options, 0.75, dnf);
  EXPECT_THAT(dnf.conjunctions.values(), ::testing::ElementsAre(-4, 0.5, 2, 0, 0, -0.25));
}

ActorCritic<double> with_thresholds() {
  ActorCritic<double> network;
  network.encoder = Thresholds<double>{2, {0, 1}, Matrix<double>(1, 2, 0.5), {}, {}};
  network.actor = NeuralDnf<double>{Matrix<double>(3, 1, 1.0), Matrix<double>(1, 2, 1.0)};
  network.critic = Mlp<double>{{{Matrix<double>(2, 1, 1.0), {}}}, Activation::kTanh};
  return network;
}

const Vocabulary kNumbers({}, {"left", "right"},
                          {quantity("x", "m", -10, 10, 0.01), quantity("y", "m", -10, 10, 0.1)});

TEST(Harden, ThresholdAtomsBecomeComparisonsAndStayWhatTheyAre) {
  ActorCritic<double> network = with_thresholds();
  auto& thresholds = std::get<Thresholds<double>>(network.encoder);
  const HardenOptions options{20, 0.3, 0.7, 0.75};
  harden(options, 0.2, {}, kNumbers, thresholds);
  EXPECT_EQ(thresholds.gain, 2);
  harden(options, 0.74, {}, kNumbers, thresholds);
  EXPECT_DOUBLE_EQ(thresholds.gain, 20);
  EXPECT_FALSE(thresholds.hard);
  harden(options, 0.75, {{1, 0}, {2, 1}}, kNumbers, thresholds);
  ASSERT_TRUE(thresholds.hard);
  ASSERT_EQ(thresholds.hard->outputs(), 3u);
  EXPECT_EQ(thresholds.hard->literals[0].comparison.bound, 125);  // (x − 1) 2 > 0.5: x > 1.25
  EXPECT_EQ(thresholds.hard->literals[1].comparison.bound, 5);
  harden(options, 0.8, {{3, 0}, {2, 1}}, kNumbers, thresholds);
  EXPECT_EQ(thresholds.hard->literals[0].comparison.bound, 125);
}

TEST(Harden, APolicyHasComparisonsAndNoCritic) {
  ActorCritic<double> network = with_thresholds();
  std::get<NeuralDnf<double>>(network.actor).conjunctions(0, 0) = 0;
  harden_atoms({}, kNumbers, network);
  ASSERT_NE(comparisons_of(network.encoder), nullptr);
  EXPECT_EQ(comparisons_of(network.encoder)->outputs(), 2u);  // nothing uses the first
  EXPECT_FALSE(network.critic);
}

TEST(Harden, AtomsAreSavedWithTheStateOfATraining) {
  ActorCritic<double> network = with_thresholds();
  auto& thresholds = std::get<Thresholds<double>>(network.encoder);
  const std::size_t outputs = thresholds.outputs();
  thresholds.hard = Comparisons{{{{{{0, 100}, {1, -36}}, -1690}, false}, {{{{1, 1}}, 7, true}, true}}};
  thresholds.hard->literals.resize(outputs, {{{{0, 1}}, 3}, true});
  TensorFile file;
  save_atoms(network, file);
  ActorCritic<double> restored = with_thresholds();
  restore_atoms("state", file, kNumbers, restored);
  const auto& atoms = comparisons_of(restored.encoder)->literals;
  ASSERT_EQ(atoms.size(), outputs);
  for (std::size_t i = 0; i < outputs; ++i) {
    EXPECT_EQ(atoms[i].comparison, thresholds.hard->literals[i].comparison);
    EXPECT_EQ(atoms[i].positive, thresholds.hard->literals[i].positive);
  }
}

TEST(Harden, AtomsOfADamagedStateAreRefused) {
  using Words = std::vector<std::uint64_t>;
  ActorCritic<double> network = with_thresholds();
  const Words good{1, 5, 0, 1, 0, 1};  // a term, the bound, whether it is =, whether it is positive, the term
  const auto refused = [&](const Words& last) {
    Words words;
    for (std::size_t i = 1; i < std::get<Thresholds<double>>(network.encoder).outputs(); ++i)
      words.insert(words.end(), good.begin(), good.end());
    words.insert(words.end(), last.begin(), last.end());
    TensorFile file;
    file.tensors["comparisons"] = Tensor::of(words);
    ActorCritic<double> restored = with_thresholds();
    try {
      restore_atoms("state", file, kNumbers, restored);
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused(good));
  EXPECT_TRUE(refused({}));                                    // one too few
  EXPECT_TRUE(refused({1, 5, 0, 1, 0, 1, 1, 5, 0, 1, 0, 1}));  // one too many
  EXPECT_TRUE(refused({1, 5, 0, 1, 2, 1}));                    // a quantity that does not exist
  EXPECT_TRUE(refused({1, 5, 0, 1, std::uint64_t{1} << 32, 1}));
  EXPECT_TRUE(refused({2, 5, 0, 1, 0, 1}));                       // the second term is missing
  EXPECT_TRUE(refused({1, 5, 0, 1, 0, 0}));                       // a factor of 0
  EXPECT_TRUE(refused({1, 5, 0, 1, 0, std::uint64_t{1} << 62}));  // 2^31 is the limit
  EXPECT_TRUE(refused({1, std::uint64_t{1} << 63, 0, 1, 0, 1}));
}

TEST(ShrinkLiterals, SparesTheLargestAndLockedOnes) {
  ActorCritic<double> network;
  NeuralDnf<double> dnf{Matrix<double>(3, 2), Matrix<double>(2, 2, 1.0)};
  const double weights[] = {-4, 0.5, 2, 0.05, 0.125, -0.25};
  std::copy(std::begin(weights), std::end(weights), dnf.conjunctions.values().begin());
  network.actor = dnf;
  Optimiser<double> optimiser(network, {}, {{"actor.conjunctions.weights", {2}}});
  optimiser.shrink_literals(0.125);
  const auto& W = std::get<NeuralDnf<double>>(optimiser.network().actor).conjunctions;
  EXPECT_THAT(W.values(), ::testing::ElementsAre(-4, 0.5, 2, 0, 0, -0.125));
}

TEST(Sharpen, MakesTheBestActionMoreCertain) {
  NeuralDnf<double> dnf;
  dnf.conjunctions = Matrix<double>(1, 1, 1.0);
  dnf.disjunctions = Matrix<double>(1, 2, 0.5);
  dnf.disjunctions(0, 1) = -0.5;
  Matrix<double> x(1, 1, 1.0);
  DnfActivations<double> before;
  DnfActivations<double> after;
  forward(dnf, x, before);
  sharpen({1, 0.3, 0.7, 1, 4}, dnf);
  forward(dnf, x, after);
  for (std::size_t a = 0; a < 2; ++a) EXPECT_DOUBLE_EQ(after.d(0, a), 4 * before.d(0, a));
}

}  // namespace
}  // namespace ndnf
