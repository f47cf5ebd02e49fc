#include "ndnf/compile/compile_list.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/base/random.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

std::shared_ptr<const Vocabulary> letters(std::size_t atoms, std::size_t actions) {
  std::vector<AtomGroup> groups;
  for (std::size_t i = 0; i < atoms; ++i) groups.push_back(AtomGroup::single(std::string(1, char('a' + i))));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < actions; ++i) names.push_back("go_" + std::to_string(i));
  return std::make_shared<Vocabulary>(std::move(groups), std::move(names));
}

ActionId decision(const OrderedRules& list, const ObservationTable& table, ObsId obs) {
  for (const OrderedRule& rule : list.rules) {
    const bool holds = std::all_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& literal) {
      return table.holds(obs, *table.vocabulary().find_atom(literal.atom)) == literal.positive;
    });
    if (holds) return rule.action;
  }
  return list.otherwise;
}

/// Every combination of truth values.
ObservationTable everything(const std::shared_ptr<const Vocabulary>& vocabulary) {
  ObservationTable table(vocabulary);
  std::vector<std::uint32_t> values(vocabulary->atom_count());
  for (std::uint32_t bits = 0; bits < 1u << values.size(); ++bits) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = bits >> i & 1;
    table.intern(values);
  }
  return table;
}

TEST(CompileList, TakesTheActionOfTheFirstRuleThatHoldsEverywhere) {
  RandomSequence random(RandomStream(3, 0));
  for (int trial = 0; trial < 60; ++trial) {
    const auto vocabulary = letters(6, 2 + random.below(3));
    const auto actions = static_cast<std::uint32_t>(vocabulary->action_count());
    OrderedRules list;
    for (std::uint32_t r = random.below(30); r > 0; --r) {
      OrderedRule rule{random.below(actions), {}};
      for (std::uint32_t k = 1 + random.below(3); k > 0; --k)
        rule.body.push_back({std::string(1, char('a' + random.below(6))), random.below(2) == 0});
      list.rules.push_back(std::move(rule));
    }
    list.otherwise = random.below(actions);
    // as a checkpoint stores it
    const auto stored = converted<double>(converted<float>(compile_list(list, *vocabulary)));
    const ObservationTable table = everything(vocabulary);
    const PolicyTable rows = tabulate(DnfPolicy(stored), table);
    for (ObsId obs = 0; obs < table.size(); ++obs) {
      ASSERT_EQ(rows.argmax(obs), decision(list, table, obs)) << table.describe(obs);
      ASSERT_GT(rows.row(obs)[rows.argmax(obs)], 0.5);  // by a clear margin
    }
  }
}

TEST(CompileList, HasOneConjunctionForEachRule) {
  const auto vocabulary = letters(2, 2);
  const OrderedRules list{{{0, {{"a"}}}, {1, {{"b"}, {"a", false}}}, {0, {{"b"}, {"b", false}}}}, 0};
  EXPECT_EQ(compile_list(list, *vocabulary).conjunctions.cols(), 4u);  // one contradicts itself
}

TEST(CompileList, ThatChangesItsActionTooOftenIsRefused) {
  const auto vocabulary = letters(1, 2);
  OrderedRules list;
  for (std::uint32_t r = 0; r < 200; ++r) list.rules.push_back({r % 2, {{"a"}}});
  EXPECT_THAT(error_of([&] { compile_list(list, *vocabulary); }), HasSubstr("changes its action too often"));
}

}  // namespace
}  // namespace ndnf
