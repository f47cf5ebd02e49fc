#include "ndnf/boxes/default_form.h"

#include <bit>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "boxes/brute_force.h"

namespace ndnf {
namespace {

using testing::lettered_scope;
using testing::random_actions;
using testing::random_scope;

/// 1 + Σ c − max c, the minimum over all ways to break ties.
std::size_t smallest_default(const Scope& scope, const std::vector<std::uint64_t>& allowed) {
  return testing::smallest(scope, allowed, [](const std::vector<std::size_t>& covers) {
    return 1 + std::accumulate(covers.begin(), covers.end(), std::size_t{0}) -
           *std::max_element(covers.begin(), covers.end());
  });
}

/// What the program does in each observation of the scope.
std::vector<std::uint64_t> actions(const DefaultProgram& program, const Scope& scope) {
  std::vector<std::uint64_t> does(scope.size());
  for (const ActionRule& rule : program.rules) {
    for (const std::uint32_t i : members(rule.body, scope).values())
      does[i] |= std::uint64_t{1} << rule.action;
  }
  for (std::uint64_t& mask : does) mask = mask == 0 ? std::uint64_t{1} << program.otherwise : mask;
  return does;
}

bool is_right(const DefaultProgram& program, const Scope& scope, const std::vector<std::uint64_t>& allowed) {
  const std::vector<std::uint64_t> does = actions(program, scope);
  for (std::size_t i = 0; i < does.size(); ++i) {
    if (!std::has_single_bit(does[i]) || (does[i] & allowed[i]) == 0) return false;
  }
  return std::none_of(program.rules.begin(), program.rules.end(),
                      [&](const ActionRule& rule) { return rule.action == program.otherwise; });
}

RC_GTEST_PROP(DefaultForm, WithoutTiesIsProvedAsSmallAsBruteForceFinds, ()) {
  const Scope scope = random_scope(12, 3);
  const std::vector<std::uint64_t> allowed = random_actions(scope, false);
  const DefaultProgram program = default_form(scope, allowed, extract_exactly(scope, allowed));
  RC_ASSERT(is_right(program, scope, allowed));
  RC_ASSERT(program.size() == smallest_default(scope, allowed));
  RC_ASSERT(program.lower_bound == program.size());
}

RC_GTEST_PROP(DefaultForm, WithTiesHasABoundThatIsTrue, ()) {
  const Scope scope = random_scope(10, 3);
  const std::vector<std::uint64_t> allowed = random_actions(scope, true);
  ExactOptions options;
  options.max_boxes = *rc::gen::inRange<std::size_t>(1, 8);  // with few, not all boxes are known
  const DefaultProgram program =
      default_form(scope, allowed, extract_exactly(scope, allowed, options), options);
  RC_ASSERT(is_right(program, scope, allowed));
  const std::size_t least = smallest_default(scope, allowed);
  RC_ASSERT(program.lower_bound <= least);
  RC_ASSERT(least <= program.size());
}

TEST(DefaultForm, GivesTheActionOfMostRulesToWhatIsLeft) {
  // do0 on the diagonal of a 3×3 grid takes 3 boxes, do1 beside it 3, do2 in one corner 1.
  const Scope scope =
      lettered_scope({3, 3}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}, 3);
  const std::vector<std::uint64_t> allowed = {1, 2, 4, 2, 1, 2, 2, 2, 1};
  const ExactProgram exact = extract_exactly(scope, allowed);
  const DefaultProgram program = default_form(scope, allowed, exact);
  EXPECT_EQ(exact.rules.size(), exact.rules_for(0) + exact.rules_for(1) + exact.rules_for(2));
  EXPECT_EQ(program.size(), 1 + exact.rules.size() - std::max(exact.rules_for(0), exact.rules_for(1)));
  EXPECT_NE(program.otherwise, 2u);
  EXPECT_EQ(program.proof, "fooling set");
}

TEST(DefaultForm, IsProvedMinimalWithATieBesideAnExclusiveOr) {
  const Scope scope = lettered_scope({3, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}}, 2);
  const std::vector<std::uint64_t> allowed = {1, 2, 2, 1, 3};
  const DefaultProgram program = default_form(scope, allowed, extract_exactly(scope, allowed));
  EXPECT_TRUE(is_right(program, scope, allowed));
  EXPECT_EQ(program.size(), 3u);
  EXPECT_EQ(program.lower_bound, 3u);
}

TEST(DefaultForm, OfOneActionIsOneRule) {
  const Scope scope = lettered_scope({3}, {{0}, {1}, {2}}, 2);
  const std::vector<std::uint64_t> allowed = {2, 2, 2};
  const DefaultProgram program = default_form(scope, allowed, extract_exactly(scope, allowed));
  EXPECT_EQ(program.size(), 1u);
  EXPECT_EQ(program.lower_bound, 1u);
  EXPECT_EQ(program.otherwise, 1u);
}

}  // namespace
}  // namespace ndnf
