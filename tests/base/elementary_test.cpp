#include "ndnf/base/elementary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "ndnf/base/random.h"

namespace ndnf {
namespace {

/// The error bounds that the header promises.
template <class S>
struct Promised {
  static constexpr long double exponential = 9e-8L, logarithm = 2e-7L, tangent = 4e-7L;
};
template <>
struct Promised<double> {
  static constexpr long double exponential = 3e-16L, logarithm = 4e-16L, tangent = 4e-16L;
};

/// Calls visit(x) for evenly spaced numbers in [low, high], end points included.
template <class S, class Visit>
void sweep(long double low, long double high, Visit visit) {
  constexpr int kCount = 100000;
  for (int i = 0; i <= kCount; ++i) visit(static_cast<S>(low + (high - low) * i / kCount));
}

template <class S>
class Elementary : public ::testing::Test {
 protected:
  static constexpr long double kLargest = elementary::Constants<S>::kLargest;
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Elementary, Scalars);

TYPED_TEST(Elementary, ExponentialIsAccurateOverItsWholeRange) {
  long double worst = 0;
  const auto compare = [&](TypeParam x) {
    const long double exact = std::exp(static_cast<long double>(x));
    worst = std::max(worst, std::abs(exponential(x) - exact) / exact);
  };
  sweep<TypeParam>(-this->kLargest, this->kLargest, compare);
  sweep<TypeParam>(-1, 1, compare);
  EXPECT_LE(worst, Promised<TypeParam>::exponential);
}

TYPED_TEST(Elementary, ExponentialOfExtremeArgumentsStaysANormalNumber) {
  const TypeParam huge = std::numeric_limits<TypeParam>::max();
  for (const TypeParam x : {huge, TypeParam(1e4), std::numeric_limits<TypeParam>::infinity()}) {
    EXPECT_EQ(exponential(x), exponential(static_cast<TypeParam>(this->kLargest)));
    EXPECT_EQ(exponential(-x), exponential(static_cast<TypeParam>(-this->kLargest)));
  }
  EXPECT_TRUE(std::isnormal(exponential(huge)));
  EXPECT_TRUE(std::isnormal(exponential(-huge)));
  EXPECT_EQ(exponential(TypeParam(0)), 1);
}

TYPED_TEST(Elementary, LogarithmIsAccurateFromTheSmallestToTheLargestNumber) {
  long double worst = 0;
  const auto compare = [&](TypeParam x) {
    const long double exact = std::log(static_cast<long double>(x));
    if (exact != 0) worst = std::max(worst, std::abs((logarithm(x) - exact) / exact));
  };
  sweep<long double>(-this->kLargest, this->kLargest,
                     [&](long double x) { compare(static_cast<TypeParam>(std::exp(x))); });
  sweep<TypeParam>(0.5L, 2, compare);
  sweep<TypeParam>(0.999L, 1.001L, compare);
  EXPECT_LE(worst, Promised<TypeParam>::logarithm);
  EXPECT_EQ(logarithm(TypeParam(1)), 0);
  compare(std::numeric_limits<TypeParam>::min());
  compare(std::numeric_limits<TypeParam>::max());
  EXPECT_LE(worst, Promised<TypeParam>::logarithm);
}

TYPED_TEST(Elementary, HyperbolicTangentIsAccurateAndSaturates) {
  long double worst = 0;
  const auto compare = [&](TypeParam x) {
    worst = std::max(worst, std::abs(hyperbolic_tangent(x) - std::tanh(static_cast<long double>(x))));
  };
  sweep<TypeParam>(-40, 40, compare);
  sweep<TypeParam>(-1, 1, compare);
  compare(std::numeric_limits<TypeParam>::max());
  compare(std::numeric_limits<TypeParam>::lowest());
  EXPECT_LE(worst, Promised<TypeParam>::tangent);
  EXPECT_EQ(hyperbolic_tangent(TypeParam(0)), 0);
}

/// The derivative is 1 − tanh², which must not become negative.
TYPED_TEST(Elementary, HyperbolicTangentNeverLeavesItsRange) {
  TypeParam largest = 0;
  sweep<TypeParam>(-40, 40,
                   [&](TypeParam x) { largest = std::max(largest, std::abs(hyperbolic_tangent(x))); });
  EXPECT_LE(largest, 1);
}

TYPED_TEST(Elementary, NotANumberStaysSo) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const TypeParam x : {nan, -nan}) {
    EXPECT_TRUE(std::isnan(exponential(x)));
    EXPECT_TRUE(std::isnan(logarithm(x)));
    EXPECT_TRUE(std::isnan(hyperbolic_tangent(x)));
  }
}

/// Numbers of all magnitudes, some of them special, whose products and sums often cancel.
template <class S>
S any_number(RandomSequence& random) {
  using Bits = std::make_unsigned_t<typename elementary::Constants<S>::Integer>;
  constexpr int kLimit = std::numeric_limits<S>::max_exponent / 2;
  switch (random.below(8)) {
    case 0:
      return std::bit_cast<S>(static_cast<Bits>(std::uint64_t{random.word()} << 32 | random.word()));
    case 1:
      return static_cast<S>(random.below(5)) - 2;
    case 2:
      return std::ldexp(static_cast<S>(random.normal()), static_cast<int>(random.below(2 * kLimit)) - kLimit);
    default:
      return static_cast<S>(random.normal());
  }
}

TYPED_TEST(Elementary, MultiplyAddRoundsOnce) {
  RandomSequence random(RandomStream(3, 0));
  for (int i = 0; i < 200000; ++i) {
    const auto a = any_number<TypeParam>(random);
    const auto b = any_number<TypeParam>(random);
    const TypeParam c = i % 3 == 0 ? -a * b : any_number<TypeParam>(random);
    const TypeParam exact = std::fma(a, b, c);
    const TypeParam ours = multiply_add(a, b, c);
    const bool same =
        std::isnan(exact) ? std::isnan(ours) : exact == ours && std::signbit(exact) == std::signbit(ours);
    ASSERT_TRUE(same) << a << " · " << b << " + " << c << " is " << exact << ", not " << ours;
  }
}

TEST(Cosine, AndSineAreAccurateOverManyTurns) {
  long double worst = 0;
  for (const double most : {1e-3, 2 * std::numbers::pi, 1e5}) {
    sweep<double>(-most, most, [&](double x) {
      worst = std::max(worst, std::abs(cosine(x) - std::cos(static_cast<long double>(x))));
      worst = std::max(worst, std::abs(sine(x) - std::sin(static_cast<long double>(x))));
    });
  }
  EXPECT_LE(worst, 3e-16L);
  EXPECT_EQ(cosine(0), 1);
  EXPECT_EQ(sine(0), 0);
}

TEST(Power, IsAccurate) {
  for (const double base : {0.9, 0.999, 1.1, 3.0}) {
    long double exact = 1;
    for (std::uint64_t exponent = 0; exponent < 100; ++exponent, exact *= base)
      EXPECT_NEAR(power(base, exponent) / static_cast<double>(exact), 1, 3e-16) << base << '^' << exponent;
  }
  EXPECT_EQ(power(3, 33), 5559060566555523.0);
  EXPECT_EQ(power(0.5, 1000), std::ldexp(1.0, -1000));
  EXPECT_EQ(power(0.9, 10'000'000), 0);
}

}  // namespace
}  // namespace ndnf
