#include "ndnf/base/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What two of four steps write to a file.
std::string written(milliseconds line_interval) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress("reproduce", 4, line_interval);
    progress.skip(1);
    progress.advance(1, [] { return std::string("seed-7"); });
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(Progress, WritesLinesWhereThereIsNoTerminal) {
  const std::string text = written(milliseconds(0));
  EXPECT_THAT(text, HasSubstr("reproduce  50 %"));
  EXPECT_THAT(text, HasSubstr("seed-7\n"));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

TEST(Progress, FitsTheWidth) {
  const std::string figures = " 42 %  123 s left  1.23 M steps/s  return -12.3456";
  for (const std::size_t width : {200u, 79u, 59u, 30u, 1u, 0u})
    EXPECT_LE(letters(progress_line("training", 0.42, figures, width)), width) << width;
  EXPECT_EQ(progress_line("t", 0.5, "50 %", 79), "t ███████████████░░░░░░░░░░░░░░░ 50 %");
  EXPECT_EQ(progress_line("t", 0.5, "50 %", 15), "t ████░░░░ 50 %");
}

TEST(Progress, SaysNothingOfShortWork) { EXPECT_THAT(written(std::chrono::hours(1)), IsEmpty()); }

}  // namespace
}  // namespace ndnf
