#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

class PresetsCommand : public Binary {};

TEST_F(PresetsCommand, PrintsTheFileWithTheMeaningOfEachKey) {
  const std::string file = read_file(NDNF_SOURCE_DIR "/presets/paper/blackjack-ndnf-mt.toml");
  const std::string text = ndnf({"presets", "paper/blackjack-ndnf-mt"}).output;
  EXPECT_THAT(text, HasSubstr("\n# Discount factor.\ngamma = 0.99\n"));
  EXPECT_EQ(ndnf({"presets", "blackjack-ndnf-mt"}).output, text);
  EXPECT_EQ(json({"presets", "blackjack-ndnf-mt"}).at("toml"), file);
}

TEST_F(PresetsCommand, ListsNameSummaryEnvironmentAndMethod) {
  const std::string text = ndnf({"presets"}).output;
  const nlohmann::json listed = json({"presets"});
  for (const nlohmann::json& preset : listed.at("presets")) {
    for (const char* field : {"name", "summary", "env", "method"}) {
      EXPECT_THAT(text, HasSubstr(preset.at(field).get<std::string>()));
    }
  }
  EXPECT_THAT(text, HasSubstr("paper/taxi-distill-ndnf-mt"));
}

}  // namespace
}  // namespace ndnf
