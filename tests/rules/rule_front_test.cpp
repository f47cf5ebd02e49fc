#include "ndnf/rules/rule_front.h"

#include <cmath>

#include <gtest/gtest.h>

#include "ndnf/base/error.h"
#include "rules/small_features.h"

namespace ndnf {
namespace {

TEST(RuleFront, OneEpisodeHasNoError) {
  const std::vector<double> two{1, 3};
  EXPECT_EQ(sampled_return(two).error, 1);
  EXPECT_TRUE(std::isnan(sampled_return(std::span(two).first(1)).error));
}

TEST(RuleFront, IsReadAsItWasWritten) {
  const auto features = small_features();
  RuleFront front;
  front.teacher = {-3, 0.5, -9, 20};
  front.entries.push_back({RuleList{{}, 1}, sampled_return(std::vector<double>{7}), 6, false});
  front.entries.push_back(
      {RuleList{{ListedRule{{SumLiteral{{SumTerm{1, 2}}, 3, true}}, 0}}, 1}, {8, 0.25, 1, 40}, 7.5, true});
  std::vector<std::int64_t> numbers;
  std::vector<double> returns;
  append(front, numbers, returns);
  for (const double one : returns) EXPECT_TRUE(std::isfinite(one));  // as tensors must be

  std::size_t at = 0;
  std::size_t returns_at = 0;
  const RuleFront read = read_front("state", numbers, at, returns, returns_at, *features);
  EXPECT_EQ(at, numbers.size());
  EXPECT_EQ(returns_at, returns.size());
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_TRUE(std::isnan(read.entries[0].figures.error));
  EXPECT_EQ(read.entries[0].figures.mean, 7);
  EXPECT_EQ(read.entries[1].list, front.entries[1].list);
  EXPECT_EQ(read.entries[1].figures.error, 0.25);
  EXPECT_EQ(read.entries[1].selection_return, 7.5);
  EXPECT_EQ(&read.pick(), &read.entries[1]);
  EXPECT_EQ(read.teacher.worst, -9);
}

TEST(RuleFront, DamageIsRefused) {
  const auto features = small_features();
  const auto read = [&](const std::vector<std::int64_t>& numbers, const std::vector<double>& returns) {
    std::size_t at = 0;
    std::size_t returns_at = 0;
    return read_front("state", numbers, at, returns, returns_at, *features);
  };
  EXPECT_THROW(read({0, 20}, {1, 1, 1}), Error);  // a search that has ended found something
  EXPECT_THROW(read({1, 20}, {1, 1, 1}), Error);
  EXPECT_THROW(read({-1}, {}), Error);
}

}  // namespace
}  // namespace ndnf
