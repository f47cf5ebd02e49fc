#include "ndnf/train/harden.h"

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

}  // namespace
}  // namespace ndnf
