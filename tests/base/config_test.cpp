#include "ndnf/base/config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
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

TEST(ConfigTable, GivesBackTheValuesItSet) {
  Settings settings;
  table().set(settings, "", {"length", 1e1});  // a whole number, whatever its notation
  EXPECT_EQ(settings.length, 10);
  EXPECT_EQ(table().values(settings)[0], ConfigValue(std::int64_t{10}));
  EXPECT_EQ(table().values(settings)[3], ConfigValue(std::string("state")));
}

TEST(ConfigTable, TakesAnyTextWhereNoChoicesAreGiven) {
  const auto free = ConfigTable<Settings>().text("obs", &Settings::obs, "What is seen.");
  EXPECT_EQ(free.read("", {{"obs", std::string("a \"b\"")}}).obs, "a \"b\"");
  EXPECT_THROW(free.read("", {{"obs", true}}), Error);
}

TEST(ParseAssignment, KeepsCommasInTheValue) {
  const ConfigAssignment assignment = parse_assignment("--set", "env=corridor:length=9,goal=8");
  EXPECT_EQ(assignment.key, "env");
  EXPECT_EQ(assignment.value, ConfigValue(std::string("corridor:length=9,goal=8")));
  EXPECT_THROW(parse_assignment("--set", "env"), Error);
  EXPECT_THROW(parse_assignment("--set", "=3"), Error);
}

TEST(ParseToml, GivesSectionsWithTheLinesOfTheirKeys) {
  const std::vector<ConfigSection> sections = parse_toml("my.toml", "seed = 3\n\n[b]\nx = [1, 2]\n[a]\n");
  ASSERT_EQ(sections.size(), 3u);
  EXPECT_EQ(sections[0].entries[0].assignment.value, ConfigValue(std::int64_t{3}));
  EXPECT_EQ(sections[1].name, "a");
  EXPECT_EQ(sections[1].where.name, "my.toml");
  EXPECT_EQ(sections[1].where.place.line, 5u);
  EXPECT_EQ(sections[2].entries[0].where.place.line, 4u);
  EXPECT_THROW(parse_toml("my.toml", "x = [1, \"a\"]"), Error);
  EXPECT_THROW(parse_toml("my.toml", "[a.b]"), Error);
  EXPECT_THROW(parse_toml("my.toml", "x = "), Error);
  for (const char* text : {"\"\" = []", "\"\" = 1", "\n[\"\"]\nseed = 3"})
    EXPECT_THAT(testing::error_of([&] { parse_toml("my.toml", text); }), HasSubstr("a key is empty"));
}

TEST(ParseAssignment, NeedsAKeyBeforeTheEqualsSign) {
  EXPECT_EQ(complaint("=1"), "--env: =1 is not a setting; write key=value");
  EXPECT_EQ(complaint("length=9,=[1]"), "--env: =[1] is not a setting; write key=value");
}

TEST(ParseAssignment, RefusesNumbersBeyondAllNumbers) {
  for (const char* number : {"1e999", "-1e999", "inf", "nan", "1e400"}) {
    EXPECT_THAT(complaint(fmt::format("rate={}", number)), HasSubstr("rate is a number from 0 to 1"));
    EXPECT_THAT(complaint(fmt::format("length={}", number)), HasSubstr("length is an integer from 2 to 100"));
  }
}

TEST(ParseAssignment, TakesOneValueOnly) {
  EXPECT_THAT(complaint("length=9\nrate=1"), HasSubstr("is not allowed; length is an integer"));
}

// The parser recurses once per level, so deep nesting would overflow its stack.
TEST(ParseToml, RefusesDeepNestingOfEveryKind) {
  const auto deep = [](std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < 200'000; ++i) all += text;
    return all;
  };
  const std::vector<std::string> texts = {
      deep("a.") + "a = 1",
      "[" + deep("a.") + "a]",
      "a = " + deep("["),
      "a = " + deep("{a="),
      "a = {" + deep("a . ") + "a = 1}",
      deep("\"=\".") + "a = 1",
      deep("'#'.") + "a = 1",
      "b = \"\"\"x\"\"\"\"\n" + deep("a.") + "a = 1",
      "b = '''x'''''\n# \"\n" + deep("a.") + "a = 1",
  };
  for (const std::string& text : texts) {
    const auto refuse = [&] { parse_toml("deep.toml", text); };
    EXPECT_THAT(testing::error_of(refuse), HasSubstr("is nested too deeply")) << text.substr(0, 40);
    EXPECT_NE(complaint("rate=1\n" + text), "accepted");
  }
}

TEST(ParseToml, ReadsDotsAndBracketsWithinTexts) {
  const std::string many = std::string(100, '.') + std::string(100, '[');
  const std::string text =
      fmt::format("a = \"{0}\\\"{0}\"\nb = '{0}'\nc = \"\"\"\n{0}\n{0}\"\"\"\"\n# {0}\n", many);
  EXPECT_EQ(parse_toml("x", text)[0].entries.size(), 3u);
  const std::string path = "../../../../../../../../../../x.lp";
  EXPECT_EQ(parse_assignment("--set", "policy=" + path).value, ConfigValue(path));
}

TEST(ConfigValue, PrintsAsTomlReadsIt) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(std::int64_t{-3}), "-3");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(2.0), "2.0");
  EXPECT_EQ(to_text(1e-5), "1e-05");
  EXPECT_EQ(to_text(std::string("a\"b\\\t")), "\"a\\\"b\\\\\\u0009\"");
  EXPECT_EQ(to_text(std::string("a\nb\\\n")), "\"\"\"\na\nb\\\\\n\"\"\"");
  EXPECT_EQ(to_text(std::string("wall")), "\"wall\"");
  EXPECT_EQ(to_text(std::string("wall"), true), "wall");
  EXPECT_EQ(to_text(std::vector<std::int64_t>{5, 6}), "[5,6]");
  EXPECT_EQ(to_text(std::vector<std::string>{"a", "b\"c"}), "[\"a\",\"b\\\"c\"]");
  const auto parsed = parse_assignment("--set", "lock=[\"a\",\"b\\\"c\"]").value;
  EXPECT_EQ(parsed, ConfigValue(std::vector<std::string>{"a", "b\"c"}));
}

}  // namespace
}  // namespace ndnf
