#include "ndnf/base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

struct Settings {
  std::int64_t length = 4;
  double rate = 0.5;
  bool ring = false;
  std::string obs = "state";
  std::vector<std::int64_t> special = {1};
};

ConfigTable<Settings> table() {
  return ConfigTable<Settings>()
      .integer("length", &Settings::length, 2, 100, "How long.")
      .real("rate", &Settings::rate, 0, 1, "How fast.")
      .flag("ring", &Settings::ring, "Whether the ends meet.")
      .choice("obs", &Settings::obs, {"state", "wall"}, "What is seen.")
      .integers("special", &Settings::special, 0, 99, "Where it is odd.");
}

Settings read(std::string_view text) { return table().read("--env", parse_assignments("--env", text)); }

std::string complaint(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ConfigTable, StartsFromTheDefaultsOfTheStruct) {
  const Settings settings = table().read("", {});
  EXPECT_EQ(settings.length, 4);
  EXPECT_EQ(settings.special, std::vector<std::int64_t>{1});
  EXPECT_EQ(table().fields()[0].fallback, ConfigValue(std::int64_t{4}));
}

TEST(ConfigTable, ReadsEveryTypeAndBareChoices) {
  const Settings settings = read("length=9,rate=1,ring=true,wall,special=[2,5]");
  EXPECT_EQ(settings.length, 9);
  EXPECT_EQ(settings.rate, 1.0);
  EXPECT_TRUE(settings.ring);
  EXPECT_EQ(settings.obs, "wall");
  EXPECT_EQ(settings.special, (std::vector<std::int64_t>{2, 5}));
  EXPECT_TRUE(read("special=[]").special.empty());
  EXPECT_EQ(read("obs=\"wall\"").obs, "wall");
}

TEST(ConfigTable, RefusesWhatIsOutOfRangeOrOfAnotherType) {
  EXPECT_EQ(complaint("length=1"), "--env: length=1 is not allowed; length is an integer from 2 to 100");
  EXPECT_THAT(complaint("length=2.5"), HasSubstr("length is an integer from 2 to 100"));
  EXPECT_THAT(complaint("length=ten"), HasSubstr("length=ten is not allowed"));
  EXPECT_THAT(complaint("rate=nan"), HasSubstr("rate is a number from 0 to 1"));
  EXPECT_THAT(complaint("ring=1"), HasSubstr("ring is true or false"));
  EXPECT_THAT(complaint("obs=door"), HasSubstr("obs is one of state, wall"));
  EXPECT_THAT(complaint("special=[1,200]"), HasSubstr("special is a list of integers"));
  EXPECT_THAT(complaint("special=3"), HasSubstr("such as [5,6]"));
}

TEST(ConfigTable, NamesTheNearestKey) {
  EXPECT_EQ(complaint("lenght=9"), "--env: there is no setting lenght; did you mean length?");
  EXPECT_EQ(complaint("walls"), "--env: there is no setting walls; did you mean wall?");
  EXPECT_THAT(complaint("length=9,,ring=true"), HasSubstr("has an empty setting"));
}

TEST(ConfigValue, PrintsAsTomlReadsIt) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(std::int64_t{-3}), "-3");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(2.0), "2.0");
  EXPECT_EQ(to_text(std::string("wall")), "\"wall\"");
  EXPECT_EQ(to_text(std::string("wall"), true), "wall");
  EXPECT_EQ(to_text(std::vector<std::int64_t>{5, 6}), "[5,6]");
}

}  // namespace
}  // namespace ndnf
