#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "ndnf/base/random.h"
#include "ndnf/mdp/linear_comparison.h"

namespace ndnf {
namespace {

Vocabulary two_quantities() {
  return Vocabulary({}, {"left", "right"},
                    {quantity("angle", "rad", -0.4, 0.4, 0.001), quantity("spin", "rad/s", -10, 10, 0.01)});
}

std::string text(std::vector<RealTerm> terms, std::vector<double> centre, double bound) {
  const Vocabulary vocabulary = two_quantities();
  return reading(whole_literal(std::move(terms), centre, bound, vocabulary), vocabulary);
}

TEST(WholeLiteral, OfOneQuantityIsRoundedToItsGrid) {
  EXPECT_EQ(text({{0, 1}}, {0, 0}, 0.0123), "angle > 0.012 rad");
  EXPECT_EQ(text({{0, 2.5}}, {0.1, 0}, 0.0125), "angle > 0.105 rad");
  EXPECT_EQ(text({{1, -1}}, {0, 0}, 0.5), "spin <= -0.51 rad/s");  // −spin > 0.5: K < −50
}

TEST(WholeLiteral, OfASumHasFactorsOfTwoDigits) {
  EXPECT_EQ(text({{0, 3}, {1, 1.0821}}, {0, 0}, -0.003), "angle + 0.36*spin > -0.001");
  EXPECT_EQ(text({{1, 1.0821}, {0, 3}}, {0, 0}, -0.003), "angle + 0.36*spin > -0.001");
  EXPECT_EQ(text({{0, -1}, {1, 12.34}}, {0, 0}, 0), "angle - 12*spin <= -0.001");
}

TEST(WholeLiteral, KeepsItsDistanceFromTheCentre) {
  // at the centre the sum is 0.2 + 0.364 · 2 = 0.928; 0.36 turns the plane about it
  EXPECT_EQ(text({{0, 1}, {1, 0.364}}, {0.2, 2}, 0), "angle + 0.36*spin > 0.92");
}

TEST(WholeLiteral, BeyondTheRangeStaysThere) {
  EXPECT_EQ(text({{0, 1}}, {0, 0}, 1e9), "angle > 0.4 rad");
  EXPECT_EQ(text({{0, 1}}, {0, 0}, -1e9), "angle > -0.4 rad");
}

TEST(WholeLiteral, NeverReachesTheLimitOfClingo) {
  const Vocabulary fine({}, {"left", "right"},
                        {quantity("x", "", -500, 500, 0.000002), quantity("y", "", -1, 1, 0.0003)});
  RandomSequence random(RandomStream(1, 0));
  for (int i = 0; i < 1000; ++i) {
    const double factor = random.uniform() * 1000 - 500;
    const NumericLiteral literal =
        whole_literal({{0, 1}, {1, factor}}, std::vector<double>{0, 0}, random.uniform(), fine);
    ASSERT_LT(reach(literal.comparison, fine), kComparisonLimit) << factor;
    ASSERT_FALSE(literal.comparison.terms.empty());
  }
}

TEST(WholeLiteral, DecidesAlmostAlikeWhereItIsNotClose) {
  const Vocabulary vocabulary = two_quantities();
  RandomSequence random(RandomStream(2, 0));
  for (int i = 0; i < 200; ++i) {
    const double a = random.uniform() * 2 - 1;
    const double b = (random.uniform() * 2 - 1) / 10;
    const double bound = (random.uniform() * 2 - 1) / 10;
    const NumericLiteral literal =
        whole_literal({{0, a}, {1, b}}, std::vector<double>{0, 0}, bound, vocabulary);
    for (int k = 0; k < 20; ++k) {
      const auto x = static_cast<float>(random.uniform() * 0.8 - 0.4);
      const auto y = static_cast<float>(random.uniform() * 2 - 1);
      const double distance = a * static_cast<double>(x) + b * static_cast<double>(y) - bound;
      const double margin = 0.06 * (std::abs(a) + std::abs(b)) + 0.001;  // two digits: 5 % of a factor
      if (std::abs(distance) < margin) continue;
      const std::vector<std::int32_t> places = places_of(std::vector<float>{x, y}, vocabulary);
      ASSERT_EQ(literal.comparison.holds(places) == literal.positive, distance > 0) << a << ' ' << b;
    }
  }
}

}  // namespace
}  // namespace ndnf
