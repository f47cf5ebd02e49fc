#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/program.h"
#include "syntax/same_program.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;

rc::Gen<std::string> atoms() {
  return rc::gen::elementOf(
      std::vector<std::string>{"a", "in_s_1", "hand(18)", "at(1,-2)", "f(g(x),\"y, z\")", "b9"});
}

/// A comment as the parser stores it: without trailing spaces, " " if empty.
rc::Gen<std::string> comments() {
  return rc::gen::elementOf(
      std::vector<std::string>{"", " ", "note", "%%", "* star", "  indented", "50 % é", "a :- b."});
}

rc::Gen<std::vector<BodyLiteral>> bodies() {
  return rc::gen::container<std::vector<BodyLiteral>>(rc::gen::apply(
      [](std::string atom, bool positive) {
        return BodyLiteral{std::move(atom), positive, {}};
      },
      atoms(), rc::gen::arbitrary<bool>()));
}

/// A distribution over up to six alternatives, of very different sizes.
std::vector<double> arbitrary_distribution() {
  const auto exponents = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-400, 1)));
  std::vector<double> weights;
  for (std::size_t i = 0; i < std::min<std::size_t>(6, exponents.size()); ++i) {
    weights.push_back(std::exp(exponents[i] / 10.0));
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Rule arbitrary_rule(Syntax syntax) {
  Rule rule{{}, *bodies(), {}};
  if (syntax == Syntax::kAsp || *rc::gen::arbitrary<bool>()) {
    rule.heads.push_back({*atoms(), 1, false, {}});
    return rule;
  }
  for (const double p : to_annotations(arbitrary_distribution(), *rc::gen::inRange(1, kMostDecimals + 1))) {
    rule.heads.push_back({*atoms(), p, true, {}});
  }
  return rule;
}

Program arbitrary_program(Syntax syntax) {
  Program program{syntax, "", {}, {}};
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    Statement statement{*rc::gen::container<std::vector<std::string>>(comments()), arbitrary_rule(syntax),
                        *comments()};
    if (*rc::gen::inRange(0, 5) == 0) {
      statement.content = Directive{syntax == Syntax::kAsp ? "#show action/1" : "query(action(_))", {}};
    }
    program.statements.push_back(std::move(statement));
  }
  program.closing_comments = *rc::gen::container<std::vector<std::string>>(comments());
  return program;
}

RC_GTEST_PROP(Printer, ParsingWhatWasPrintedGivesTheSameProgram, (bool asp)) {
  const Program program = arbitrary_program(asp ? Syntax::kAsp : Syntax::kProbLog);
  const std::string text = to_text(program);
  const Program again = parse_program("", text, program.syntax);
  RC_ASSERT(same_program(program, again));
  RC_ASSERT(to_text(again) == text);
}

TEST(Printer, SplitsCommentsOfSeveralLines) {
  Program program{Syntax::kAsp, "", {{{"one\ntwo"}, Rule{{{"a", 1, false, {}}}, {}, {}}, ""}}, {}};
  EXPECT_EQ(to_text(program), "% one\n% two\na.\n");
}

/// The digits after the point of a text such as 0.25, as a number in units of 10⁻³⁶.
unsigned __int128 units(const std::string& text) {
  unsigned __int128 value = 0;
  std::size_t decimals = 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    value = value * 10 + static_cast<unsigned>(text[i] - '0');
    decimals += i > point ? 1 : 0;
  }
  for (; decimals < 36; ++decimals) value *= 10;
  return value;
}

TEST(Annotations, OfAnyDistributionSumToExactlyOne) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> weight;
  unsigned __int128 one = 1;
  for (int i = 0; i < 36; ++i) one *= 10;
  for (int round = 0; round < 20000; ++round) {
    std::vector<double> p(2 + static_cast<std::size_t>(round % 5));
    for (double& x : p) x = std::pow(weight(random), 1 + round % 7);
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& x : p) x /= sum;
    const std::vector<double> annotations = to_annotations(p);
    Rule rule;
    for (std::size_t a = 0; a < p.size(); ++a) {
      EXPECT_NEAR(annotations[a], p[a], 4e-15);
      rule.heads.push_back({"x", annotations[a], true, {}});
    }
    unsigned __int128 total = 0;
    for (const std::string& text : annotation_texts(rule)) total += units(text);
    ASSERT_TRUE(total == one) << to_text({Syntax::kProbLog, "", {{{}, rule, ""}}, {}});
  }
}

TEST(Annotations, GiveTheRemainderToTheLargest) {
  EXPECT_THAT(to_annotations(std::vector<double>{1 / 3.0, 1 / 3.0, 1 / 3.0}, 3),
              ElementsAre(0.334, 0.333, 0.333));
  EXPECT_THAT(to_annotations(std::vector<double>{0.0015, 0.0025, 0.996}, 3),
              ElementsAre(0.002, 0.003, 0.995));
  EXPECT_THAT(to_annotations(std::vector<double>{0, 1}), ElementsAre(0.0, 1.0));
}

TEST(Annotations, PrintRawDoublesWithoutChangingOrExceedingThem) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform;
  unsigned __int128 one = 1;
  for (int i = 0; i < 36; ++i) one *= 10;
  int remainders = 0;
  for (int round = 0; round < 20000; ++round) {
    // The doubles sum to 1 when added exactly, yet the shortest texts of half of them sum to more.
    const double p = std::ldexp(std::floor(std::ldexp(uniform(random), 53)), -53);
    Rule rule{{{"x", p, true, {}}, {"y", 1 - p, true, {}}}, {}, {}};
    const std::vector<std::string> texts = annotation_texts(rule);
    ASSERT_EQ(std::strtod(texts[0].c_str(), nullptr), p);
    ASSERT_EQ(std::strtod(texts[1].c_str(), nullptr), 1 - p);
    ASSERT_TRUE(units(texts[0]) + units(texts[1]) <= one);
    remainders += std::max(texts[0].size(), texts[1].size()) > 19 ? 1 : 0;
  }
  EXPECT_GT(remainders, 0);
}

TEST(Annotations, LowerTheLargestWhereTheNumbersThemselvesExceedOne) {
  const Rule rule{
      {{"x", 0.6, true, {}}, {"y", std::nextafter(0.4, 1), true, {}}, {"z", 1e-16, true, {}}}, {}, {}};
  unsigned __int128 total = 0;
  for (const std::string& text : annotation_texts(rule)) total += units(text);
  EXPECT_TRUE(total <= units("1"));
}

TEST(Annotations, LowerTheFirstOfSeveralLargest) {
  const double more_than_half = std::nextafter(0.5, 1);
  const Rule rule{{{"x", more_than_half, true, {}}, {"y", more_than_half, true, {}}}, {}, {}};
  EXPECT_THAT(annotation_texts(rule), ElementsAre("0.4999999999999999", "0.5000000000000001"));
}

TEST(Annotations, CountWhatIsTooSmallForThirtySixDecimals) {
  const Rule rule{{{"x", 1e-40, true, {}}, {"y", 1, true, {}}}, {}, {}};
  EXPECT_THAT(annotation_texts(rule),
              ElementsAre("0." + std::string(39, '0') + "1", "0." + std::string(17, '9')));
}

}  // namespace
}  // namespace ndnf
