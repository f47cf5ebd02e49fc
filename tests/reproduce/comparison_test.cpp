#include "ndnf/reproduce/comparison.h"

#include <gtest/gtest.h>

namespace ndnf {
namespace {

constexpr double kRounding = 0.0005;

TEST(Comparison, AgreesWithinTwoStandardErrorsOfTheDifference) {
  EXPECT_EQ(judge({-9.335, 0.02}, {-9.336, 0.019}, kRounding), Comparison::kAgrees);
  EXPECT_EQ(judge({1.0, 0.3}, {1.9, 0.4}, 0.0), Comparison::kAgrees);  // 0.9 of 2 · 0.5
  EXPECT_EQ(judge({1.0, 0.3}, {2.1, 0.4}, 0.0), Comparison::kWorse);
  EXPECT_EQ(judge({-3, 0}, {-3.0004, 0}, kRounding), Comparison::kAgrees);  // as far as it is printed
}

TEST(Comparison, IsTwoSided) {
  EXPECT_EQ(judge({-9.025, 0.006}, {-9.336, 0.019}, kRounding), Comparison::kBetter);
  EXPECT_EQ(judge({-9.647, 0.006}, {-9.336, 0.019}, kRounding), Comparison::kWorse);
  EXPECT_EQ(judge({0.10, 0.003}, {0.2, 0.005}, 0.0, false), Comparison::kBetter);
  EXPECT_EQ(judge({0.30, 0.003}, {0.2, 0.005}, 0.0, false), Comparison::kWorse);
}

TEST(Comparison, DoesNotCallAnEmptyStatementAgreement) {
  EXPECT_EQ(judge({-36.696, 41.746}, {7.604, 0.139}, kRounding), Comparison::kUncertain);
  EXPECT_EQ(judge({-57.312, 18.351}, {-8, 0}, kRounding), Comparison::kWorse);
  EXPECT_EQ(judge({7.5, 0.41}, {7.604, 0.139}, kRounding), Comparison::kAgrees);
  EXPECT_EQ(judge({7.5, 0.42}, {7.604, 0.139}, kRounding), Comparison::kUncertain);
}

TEST(Comparison, OfSharesUsesBothNumbersOfRuns) {
  EXPECT_EQ(judge(Share{26, 32}, Share{26, 32}), Comparison::kAgrees);
  EXPECT_EQ(judge(Share{206, 256}, Share{26, 32}), Comparison::kAgrees);
  EXPECT_EQ(judge(Share{128, 256}, Share{26, 32}), Comparison::kWorse);
  EXPECT_EQ(judge(Share{256, 256}, Share{26, 32}), Comparison::kBetter);
  EXPECT_EQ(judge(Share{2, 2}, Share{26, 32}), Comparison::kUncertain);  // two runs say nothing
}

TEST(Share, HasABinomialErrorThatIsNeverZero) {
  EXPECT_NEAR((Share{26, 32}.error()), 0.0693, 1e-4);  // of 28 of 36
  EXPECT_GT((Share{0, 10}.error()), 0.05);
}

TEST(Comparison, SaysItInAWord) {
  EXPECT_EQ(to_text(Comparison::kAgrees), "agrees");
  EXPECT_EQ(to_text(Comparison::kBetter), "better");
  EXPECT_EQ(to_text(Comparison::kWorse), "*worse*");
  EXPECT_EQ(to_text(Comparison::kUncertain), "*too uncertain*");
}

}  // namespace
}  // namespace ndnf
