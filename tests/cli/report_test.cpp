#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/svg_check.h"
#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::occurrences;
using ::testing::StartsWith;

class Report : public Binary {
 protected:
  void train(const std::string& preset, const std::string& out, const std::string& seeds) const {
    const ProcessResult result = ndnf({"train", preset, "--seeds", seeds, "--out", out});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
  }
  /// The page of a command, which needs nothing from elsewhere.
  std::string page(Words words) const {
    words.insert(words.begin(), "report");
    const ProcessResult result = ndnf(with(words, {"-o", "page.html"}));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    const std::string html = read("page.html");
    EXPECT_THAT(html, StartsWith("<!doctype html>"));
    EXPECT_THAT(html, EndsWith("</body></html>\n"));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("src=")));
    EXPECT_THAT(html, Not(HasSubstr("https://")));
    EXPECT_EQ(occurrences(html, "http://"), occurrences(html, "xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_EQ(occurrences(html, "\"nan\"") + occurrences(html, "\"inf\""), 0u);
    return html;
  }
  std::string error(Words words) const {
    words.insert(words.begin(), "report");
    const ProcessResult result = ndnf(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    return result.errors;
  }
};

TEST_F(Report, OfARunHasEverySection) {
  train("door-corridor-ndnf-mt", "runs", "0..0");
  const std::string html = page({"runs/seed-0", "--property", "P>=1 [F<=8 \"end\"]"});
  for (const char* section :
       {"results", "program", "policy", "episode", "proved", "training", "extraction", "weights"})
    EXPECT_THAT(html, HasSubstr("<h2 id=\"" + std::string(section) + "\">")) << section;
  EXPECT_THAT(html, HasSubstr(">action(toggle)</b>"));  // coloured as an action
  EXPECT_THAT(html, HasSubstr("<td>exactly-one</td><td>reachable</td><td>holds</td>"));
  EXPECT_THAT(
      html, HasSubstr("<code>P&gt;=1 [F&lt;=8 &quot;end&quot;]</code></td><td>episodes</td><td>holds</td>"));
  EXPECT_THAT(html, HasSubstr("tools/check_certificate.py runs/seed-0/model.safetensors"));
  EXPECT_THAT(html, HasSubstr("exact over atoms (chosen)"));
  EXPECT_FALSE(std::filesystem::exists(path("runs/seed-0/policy.lp")));  // it only reads
}

TEST_F(Report, OfARunOfRulesHasItsProgramAndItsCurve) {
  json({"train", "mountain-car", "--model", "rules", "--steps", "100000", "--set", "rules.rounds=1", "--set",
        "rules.states=256", "--out", "car"});
  const std::string html = page({"car"});
  for (const char* section : {"results", "program", "policy", "episode", "proved", "training"})
    EXPECT_THAT(html, HasSubstr("<h2 id=\"" + std::string(section) + "\">")) << section;
  EXPECT_THAT(html, HasSubstr("% learned in: "));
  EXPECT_THAT(html, HasSubstr("<td>exactly-one</td><td>every observation</td><td>holds</td>"));
  EXPECT_THAT(html, HasSubstr("Learning curve</"));
}

TEST_F(Report, NamesEveryTaskAndWritesRulesAsPeopleDo) {
  train("blackjack", "cards", "0..0");
  train("paper/small-corridor-ndnf-mt", "walks", "0..0");
  const std::string html = page({"cards/seed-0", "walks/seed-0"});
  EXPECT_THAT(html, HasSubstr("<title>cards/seed-0 and walks/seed-0 on blackjack and small-corridor"));
  EXPECT_TRUE(html.find("<code>action(hit) :- hand(4..11).</code>") !=
              std::string::npos);  // not a literal for each other hand
}

TEST_F(Report, HasTheProgramOfARandomPolicy) {
  train("paper/small-corridor-wall-ndnf-mt", "runs", "0..0");
  EXPECT_THAT(page({"runs/seed-0"}), HasSubstr(">::</"));  // ProbLog, which has no compact form
}

TEST_F(Report, OfSixteenSeedsIsSmallAndShowsTheBestOne) {
  train("paper/small-corridor-ndnf-mt", "runs", "0..15");
  const nlohmann::json data = json({"report", "runs", "-o", "page.html"});
  EXPECT_EQ(data.at("policies").size(), 16u);
  EXPECT_EQ(data.at("env"), "small-corridor");
  EXPECT_LT(data.at("bytes"), 3'000'000);
  EXPECT_EQ(data.at("bytes"), read("page.html").size());
  const nlohmann::json& rows = data.at("sections").at(0).at("tables").at("results");
  ASSERT_EQ(rows.size(), 16u);
  EXPECT_EQ(rows.at(0).at("return"), -3);
  EXPECT_THAT(
      data.at("sections").at(0).at("notes").at(0).get<std::string>(),
      HasSubstr("16 seeds; return: mean -3.00000 ± 0.00000, worst -3.00000, 16 of 16 at the optimum"));
  const std::string html = read("page.html");
  EXPECT_EQ(occurrences(html, "<details>"), 16u);
  EXPECT_THAT(html, HasSubstr(">runs, 16 runs<"));  // the curve
  EXPECT_THAT(html, HasSubstr("delta during training"));
}

TEST_F(Report, OfTwoRunsComparesThemSideBySide) {
  train("paper/small-corridor-ndnf-mt", "a", "0..1");
  train("paper/small-corridor-wall-ndnf-mt", "b", "0..0");
  const std::string different = page({"a", "b/seed-0"});
  EXPECT_THAT(different, HasSubstr("<div class=\"beside\">"));
  EXPECT_THAT(different, HasSubstr("<section><h3>b/seed-0</h3>"));
  EXPECT_THAT(different, Not(HasSubstr("id=\"differences\"")));  // they are for different tasks
  const std::string same = page({"a/seed-0", kListings + "corridors/sc.lp", "--env", "small-corridor"});
  EXPECT_THAT(same, HasSubstr("id=\"differences\""));
}

TEST_F(Report, OfAProgramCountsWhereItsRulesFire) {
  write("policy.lp",
        "action(left) :- in_s_1.\naction(right) :- not in_s_1.\naction(right) :- in_s_1, in_s_2.\n");
  const nlohmann::json data = json({"report", "policy.lp", "--env", "small-corridor", "-o", "page.html"});
  nlohmann::json rules;
  for (const nlohmann::json& section : data.at("sections")) {
    if (section.at("name") == "program") rules = section.at("tables").at("rules");
  }
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules.at(0).at("line"), 1);
  EXPECT_EQ(rules.at(0).at("observations"), 1);
  EXPECT_EQ(rules.at(0).at("per_episode"), 1);
  EXPECT_EQ(rules.at(1).at("per_episode"), 2);
  EXPECT_EQ(rules.at(2).at("observations"), 0);  // dead
}

TEST_F(Report, OfATaskWithoutAModelSaysThatItsFiguresAreSampled) {
  write("policy.lp", "action(left) :- not pole_right.\naction(right) :- pole_right.\n");
  const std::string html = page({"uniform", "--env", "mountain-car"});
  EXPECT_THAT(html, HasSubstr("10000 episodes"));
  EXPECT_THAT(html, HasSubstr("Nothing is proved: the task has no finite model."));
  write("cart.lp",
        "% environment: cart-pole\naction(right) :- angle(A), A > 0.\naction(left) :- angle(A), A <= 0.\n");
  const std::string numbers = page({"cart.lp", "--property", "never action(left) when angle > 0.1"});
  EXPECT_THAT(numbers, HasSubstr("<td>exactly-one</td><td>every observation</td><td>holds</td>"));
  EXPECT_THAT(numbers, HasSubstr("<code>never action(left) when angle &gt; 0.1</code>"));
}

TEST_F(Report, KeepsTheGoodOnesIfARunCannotBeRead) {
  train("paper/small-corridor-ndnf-mt", "runs", "0..1");
  write("runs/seed-1/model.safetensors", "damaged");
  const std::string html = page({"runs"});
  EXPECT_THAT(html, HasSubstr("runs/seed-1"));
  EXPECT_THAT(html, HasSubstr("model.safetensors"));
}

TEST_F(Report, BadInputIsOneSentenceAndExitTwo) {
  EXPECT_EQ(error({"optimal", "--env", "taxi", "-o", "page.pdf"}),
            "ndnf: -o: page.pdf does not end in .html; reports are written as HTML\n");
  EXPECT_EQ(error({"optimal"}), "ndnf: optimal: names no environment; give one with --env\n");
  EXPECT_THAT(error({"nowhere"}), StartsWith("ndnf: nowhere: "));
  EXPECT_THAT(error({"optimal", "--env", "taxi", "--property", "P>=1 [F \"gaol\"]"}), HasSubstr("gaol"));
  EXPECT_EQ(file_count(), 0u);
}

}  // namespace
}  // namespace ndnf
