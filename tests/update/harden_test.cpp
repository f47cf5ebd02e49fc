#include "ndnf/update/harden.h"

#include <gtest/gtest.h>

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
