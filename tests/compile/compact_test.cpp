#include "ndnf/compile/compact.h"

#include <gmock/gmock.h>

#include "distributions/distributions.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/nodes/layered_rules.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// hand(0) to hand(9) of which some are shown, and an ace or none.
Scope hands(const std::vector<std::uint32_t>& shown) {
  auto table = std::make_shared<ObservationTable>(std::make_shared<Vocabulary>(
      std::vector{AtomGroup::numbered("hand", "hand(", 10, ")"), AtomGroup::single("ace")},
      std::vector<std::string>{"hit", "stick"}));
  std::vector<ObsId> all;
  for (const std::uint32_t hand : shown) {
    for (const std::uint32_t ace : {0u, 1u}) all.push_back(table->intern(std::vector{hand, ace}));
  }
  return {table, all};
}

std::string compact_text(const std::string& text, const Scope& scope) {
  return to_text(compacted(parse_program("test", text, Syntax::kAsp), scope));
}

TEST(Compact, FoldsARunOfValues) {
  EXPECT_EQ(compact_text("action(hit) :- not hand(0), not hand(1), not hand(2), not hand(3).\n",
                         hands({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})),
            "action(hit) :- hand(4..9).\n");
}

TEST(Compact, FoldsSeveralRuns) {
  EXPECT_EQ(compact_text("action(hit) :- not hand(0), not hand(5), not hand(8), ace.\n",
                         hands({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})),
            "action(hit) :- hand(1..4;6..7;9), ace.\n");
}

TEST(Compact, LeavesWhatWouldBecomeLonger) {
  const Scope scope = hands({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (const std::string text : {"action(hit) :- not hand(4).\n", "action(hit) :- hand(4), not ace.\n",
                                 "action(hit) :- good.\ngood :- not ace.\n", "action(hit).\n"}) {
    EXPECT_EQ(compact_text(text, scope), text);
  }
}

TEST(Compact, RunsOverValuesThatAreNeverShown) {
  EXPECT_EQ(compact_text("action(hit) :- not hand(0), not hand(9).\n", hands({0, 2, 5, 9})),
            "action(hit) :- hand(2..5).\n");
}

TEST(Compact, KeepsCommentsRemarksAndDirectives) {
  EXPECT_EQ(compact_text("% why\naction(hit) :- not hand(0), not hand(1).  % often\n#show action/1.\n",
                         hands({0, 1, 2, 3})),
            "% why\naction(hit) :- hand(2..3).  % often\n#show action/1.\n");
}

/// The best action of a trained network as rules, without any names in between.
Program best_action_rules(const testing::Distributions& trained) {
  std::vector<std::uint64_t> best;
  for (std::size_t k = 0; k < trained.scope.size(); ++k) {
    const double* row = trained.p.row(k);
    best.push_back(std::uint64_t{1} << (std::max_element(row, row + trained.p.cols()) - row));
  }
  LayeredRules rules;
  rules.actions.resize(trained.p.cols());
  for (const ActionRule& rule : extract_exactly(trained.scope, best).rules) {
    rules.actions[rule.action].push_back({{static_cast<AtomId>(rules.nodes.size()), true}});
    rules.nodes.push_back({rule.body});
  }
  return to_program(rules, trained.scope.vocabulary());
}

TEST(Compact, GroundsBackToTheSamePolicyThroughClingo) {
  const testing::Distributions trained = testing::trained("bj_ndnf_1.json", "blackjack");
  const Program program = best_action_rules(trained);
  const std::string text = to_text(compacted(program, trained.scope));
  EXPECT_THAT(text, HasSubstr(".."));
  EXPECT_LT(text.size(), to_text(program).size());

  const auto& vocabulary = trained.scope.table().shared_vocabulary();
  const BoundProgram folded(ground_program("test", text, Syntax::kAsp, *vocabulary), vocabulary);
  const PolicyTable rows = tabulate(folded, trained.scope.table());
  const PolicyTable plain = tabulate(BoundProgram(program, vocabulary), trained.scope.table());
  for (const ObsId obs : trained.scope.observations()) {
    EXPECT_TRUE(plain.defined(obs));
    EXPECT_TRUE(std::ranges::equal(rows.row(obs), plain.row(obs))) << trained.scope.table().describe(obs);
  }
}

}  // namespace
}  // namespace ndnf
