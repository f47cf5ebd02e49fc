#include "ndnf/mdp/distribution.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace ndnf {
namespace {

const std::vector<double> kEven = {0.5, 0.5, 0};
const std::vector<double> kUneven = {0.25, 0.5, 0.25};

TEST(Distribution, DiffersByItsLargestGap) {
  EXPECT_EQ(largest_difference(kEven, kUneven), 0.25);
  EXPECT_EQ(largest_difference(kEven, kEven), 0);
}

TEST(Distribution, DivergesAsTheFormulaSays) {
  EXPECT_NEAR(kl_divergence(kEven, kUneven), 0.5 * std::log(2), 1e-15);
  EXPECT_EQ(kl_divergence(kEven, kEven), 0);
}

TEST(Distribution, DivergesFinitelyFromWhatItRulesOut) {
  EXPECT_NEAR(kl_divergence(kUneven, kEven, 1e-12), 0.25 * std::log(0.5) + 0.25 * std::log(0.25 / 1e-12),
              1e-12);
}

}  // namespace
}  // namespace ndnf
