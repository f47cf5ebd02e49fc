#include "ndnf/report/event_file.h"

#include <gtest/gtest.h>

namespace ndnf {
namespace {

std::string hex(const std::string& bytes) {
  static constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The bytes that TensorBoard's own writer produces for the same events.
TEST(EventFile, BeginsWithTheVersion) {
  EXPECT_EQ(hex(event_file_header(1.5)),
            "1800000000000000a37f4b22"
            "09000000000000f83f1a0d627261696e2e4576656e743a32"
            "2a28646c");
}

TEST(EventFile, HoldsAScalarWithTagStepAndTime) {
  EXPECT_EQ(hex(scalar_event("losses/x", 300, 1700000000.25, -0.1f)),
            "1f00000000000000514b4418"
            "0900001040fc54d94110ac022a110a0f0a086c6f737365732f7815cdccccbd"
            "8ccbec31");
}

}  // namespace
}  // namespace ndnf
