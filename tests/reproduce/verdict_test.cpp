#include "ndnf/reproduce/verdict.h"

#include <gtest/gtest.h>

namespace ndnf {
namespace {

constexpr double kRounding = 0.0005;

TEST(Verdict, AgreesWithinTwoStandardErrorsOfTheDifference) {
  EXPECT_EQ(judge({-9.335, 0.02}, {-9.336, 0.019}, kRounding), Verdict::kAgrees);
  EXPECT_EQ(judge({1.0, 0.3}, {1.9, 0.4}, 0.0), Verdict::kAgrees);  // 0.9 of 2 · 0.5
  EXPECT_EQ(judge({1.0, 0.3}, {2.1, 0.4}, 0.0), Verdict::kWorse);
  EXPECT_EQ(judge({-3, 0}, {-3.0004, 0}, kRounding), Verdict::kAgrees);  // as far as it is printed
}

TEST(Verdict, IsTwoSided) {
  EXPECT_EQ(judge({-9.025, 0.006}, {-9.336, 0.019}, kRounding), Verdict::kBetter);
  EXPECT_EQ(judge({-9.647, 0.006}, {-9.336, 0.019}, kRounding), Verdict::kWorse);
  EXPECT_EQ(judge({0.10, 0.003}, {0.2, 0.005}, 0.0, false), Verdict::kBetter);
  EXPECT_EQ(judge({0.30, 0.003}, {0.2, 0.005}, 0.0, false), Verdict::kWorse);
}

TEST(Verdict, DoesNotCallAnEmptyStatementAgreement) {
  EXPECT_EQ(judge({-36.696, 41.746}, {7.604, 0.139}, kRounding), Verdict::kUncertain);
  EXPECT_EQ(judge({-57.312, 18.351}, {-8, 0}, kRounding), Verdict::kWorse);
  EXPECT_EQ(judge({7.5, 0.41}, {7.604, 0.139}, kRounding), Verdict::kAgrees);
  EXPECT_EQ(judge({7.5, 0.42}, {7.604, 0.139}, kRounding), Verdict::kUncertain);
}

TEST(Verdict, OfSharesUsesBothNumbersOfRuns) {
  EXPECT_EQ(judge(Share{26, 32}, Share{26, 32}), Verdict::kAgrees);
  EXPECT_EQ(judge(Share{206, 256}, Share{26, 32}), Verdict::kAgrees);
  EXPECT_EQ(judge(Share{128, 256}, Share{26, 32}), Verdict::kWorse);
  EXPECT_EQ(judge(Share{256, 256}, Share{26, 32}), Verdict::kBetter);
  EXPECT_EQ(judge(Share{2, 2}, Share{26, 32}), Verdict::kUncertain);  // two runs say nothing
}

TEST(Share, HasABinomialErrorThatIsNeverZero) {
  EXPECT_NEAR((Share{26, 32}.error()), 0.0693, 1e-4);  // of 28 of 36
  EXPECT_GT((Share{0, 10}.error()), 0.05);
}

TEST(Verdict, SaysItInAWord) {
  EXPECT_EQ(to_text(Verdict::kAgrees), "agrees");
  EXPECT_EQ(to_text(Verdict::kBetter), "better");
  EXPECT_EQ(to_text(Verdict::kWorse), "*worse*");
  EXPECT_EQ(to_text(Verdict::kUncertain), "*too uncertain*");
}

}  // namespace
}  // namespace ndnf
