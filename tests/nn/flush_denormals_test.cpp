#include "ndnf/nn/flush_denormals.h"

#include <limits>

#include <gtest/gtest.h>

namespace ndnf {
namespace {

// volatile: computed here and now, not by the compiler.
float half_of_the_smallest() {
  volatile float smallest = std::numeric_limits<float>::min();
  volatile float half = smallest / 2;
  return half;
}

#if defined(__SSE__) || defined(__aarch64__)
TEST(FlushDenormals, HoldsInItsScopeOnly) {
  EXPECT_GT(half_of_the_smallest(), 0);
  {
    const FlushDenormals flush;
    EXPECT_EQ(half_of_the_smallest(), 0);
    { const FlushDenormals again; }
    EXPECT_EQ(half_of_the_smallest(), 0);
  }
  EXPECT_GT(half_of_the_smallest(), 0);
}
#endif

}  // namespace
}  // namespace ndnf
