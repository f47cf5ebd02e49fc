#include "ndnf/base/unified_diff.h"

#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

namespace ndnf {
namespace {

TEST(UnifiedDiff, ShowsChangedLinesWithTheirContext) {
  EXPECT_EQ(unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("a", "same\n", "b", "same\n"), "");
  EXPECT_EQ(unified_diff("a", "", "b", "new\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+new\n");
  EXPECT_EQ(unified_diff("a", "1\n2", "b", "1\n2\n3\n"),
            "--- a\n+++ b\n@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+2\n+3\n");
}

/// The new text, from the old one and the hunks.
std::string patched(const std::string& text, const std::string& diff) {
  std::istringstream old(text);
  std::istringstream lines(diff);
  std::string line;
  std::string kept;
  std::string out;
  std::size_t at = 1;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.starts_with("@@")) {
      std::size_t begin = std::stoul(line.substr(4));
      if (line.substr(4, line.find(' ', 4) - 4).ends_with(",0")) ++begin;
      for (; at < begin; ++at) {
        std::getline(old, kept);
        out += kept + "\n";
      }
      continue;
    }
    if (line[0] != '+') {
      std::getline(old, kept);
      EXPECT_EQ(kept, line.substr(1));
      ++at;
    }
    if (line[0] != '-') out += line.substr(1) + "\n";
  }
  while (std::getline(old, kept)) out += kept + "\n";
  return out;
}

TEST(UnifiedDiff, GivesTheNewTextBack) {
  std::mt19937_64 random(7);
  const auto text = [&] {
    std::string lines;
    for (std::size_t i = random() % 40; i > 0; --i)
      lines += static_cast<char>('a' + random() % 4) + std::string("\n");
    return lines;
  };
  for (int round = 0; round < 500; ++round) {
    const std::string before = text();
    const std::string after = text();
    ASSERT_EQ(patched(before, unified_diff("a", before, "b", after)), after);
  }
}

}  // namespace
}  // namespace ndnf
