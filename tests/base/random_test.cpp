#include "ndnf/base/random.h"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace ndnf {
namespace {

TEST(RandomStream, IsPhiloxWithTenRounds) {
  // The published result for counter 0, key 0.
  const RandomStream::Block expected{0xca36314c, 0x16554d9e, 0x672d0fdc, 0xdb20fe9d,
                                     0xe186176b, 0xd7e772ce, 0xec7ba23b, 0x7e68b68a};
  EXPECT_EQ(RandomStream(0, 0).block(0), expected);
}

TEST(RandomStream, FillEqualsBlocksOneByOneWhateverTheLength) {
  const RandomStream stream(42, 7);
  for (const std::size_t length : {0u, 1u, 3u, 7u, 8u, 9u, 16u, 31u, 32u, 33u, 100u, 1023u}) {
    std::vector<std::uint32_t> words(length);
    stream.fill(0xFFFFFFF0u, words);
    for (std::size_t i = 0; i < length; ++i) {
      ASSERT_EQ(words[i], stream.block(0xFFFFFFF0u + i / 8)[i % 8]) << "length " << length << ", word " << i;
    }
  }
}

TEST(RandomStream, SeedsAndStreamsDiffer) {
  std::set<std::uint32_t> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 20; ++stream)
      first.insert(RandomStream(seed, stream).block(0)[0]);
  }
  EXPECT_EQ(first.size(), 400u);
}

TEST(RandomSequence, HasTheRightMoments) {
  RandomSequence random(RandomStream(1, 1));
  constexpr int kDraws = 200000;
  double uniform = 0;
  double normal = 0;
  double square = 0;
  double small = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    uniform += u;
    const double z = random.normal();
    normal += z;
    square += z * z;
    const std::uint32_t k = random.below(7);
    ASSERT_LT(k, 7u);
    small += k;
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.003);
  EXPECT_NEAR(normal / kDraws, 0, 0.01);
  EXPECT_NEAR(square / kDraws, 1, 0.02);
  EXPECT_NEAR(small / kDraws, 3, 0.02);
}

}  // namespace
}  // namespace ndnf
