#include "ndnf/verify/reason.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/mdp/reachability.h"
#include "properties/tasks.h"

namespace ndnf {
namespace {

using Groups = std::vector<std::size_t>;

/// The oracle: does every observation of the scope that shares these values share the action?
class BruteForce {
 public:
  BruteForce(const ObservationTable& table, const PolicyTable& policy, const std::vector<ObsId>& scope)
      : table_(table), policy_(policy), scope_(scope) {}

  bool suffices(ObsId obs, const Groups& groups) const {
    return std::all_of(scope_.begin(), scope_.end(), [&](ObsId other) {
      const bool shares = std::all_of(groups.begin(), groups.end(), [&](std::size_t g) {
        return table_.values(obs)[g] == table_.values(other)[g];
      });
      return !shares || (policy_.defined(other) && policy_.argmax(obs) == policy_.argmax(other));
    });
  }

  /// The minimum number of groups that suffice, by trying all subsets.
  std::size_t least(ObsId obs) const {
    const std::size_t count = table_.vocabulary().group_count();
    std::size_t best = count + 1;
    for (std::size_t subset = 0; subset < (std::size_t{1} << count); ++subset) {
      Groups groups;
      for (std::size_t g = 0; g < count; ++g) {
        if ((subset >> g & 1) != 0) groups.push_back(g);
      }
      if (groups.size() < best && suffices(obs, groups)) best = groups.size();
    }
    return best;
  }

  std::size_t distance(ObsId a, ObsId b) const {
    std::size_t count = 0;
    for (std::size_t g = 0; g < table_.vocabulary().group_count(); ++g) {
      count += table_.values(a)[g] != table_.values(b)[g] ? 1 : 0;
    }
    return count;
  }

 private:
  const ObservationTable& table_;
  const PolicyTable& policy_;
  const std::vector<ObsId>& scope_;
};

/// Every n-th: the oracle is slow.
std::vector<ObsId> some(const std::vector<ObsId>& all, std::size_t most) {
  std::vector<ObsId> chosen;
  const std::size_t stride = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size(); i += stride) chosen.push_back(all[i]);
  return chosen;
}

/// Every set is an edge between one of the groups 0 to 6 and one of 7 to 10, and the latter four alone hit
/// all. By the number of sets hit, a greedy choice takes all of the former seven, none of which is redundant.
TEST(Reason, IsSmallerThanTheGreedyOne) {
  const std::vector<Groups> edges{{0, 7}, {0, 8},  {0, 9}, {0, 10}, {1, 7}, {1, 8},
                                  {2, 9}, {2, 10}, {3, 7}, {4, 8},  {5, 9}, {6, 10}};
  std::vector<AtomGroup> groups;
  for (char name = 'a'; name < 'a' + 11; ++name) groups.push_back(AtomGroup::single(std::string(1, name)));
  ObservationTable table(std::make_shared<Vocabulary>(groups, std::vector<std::string>{"left", "right"}));
  std::vector<ObsId> scope{table.intern(std::vector<std::uint32_t>(groups.size()))};
  std::vector<double> rows{1, 0};
  for (const Groups& edge : edges) {
    std::vector<std::uint32_t> values(groups.size());
    for (const std::size_t g : edge) values[g] = 1;
    scope.push_back(table.intern(values));
    rows.insert(rows.end(), {0, 1});
  }
  const auto reason = ReasonFinder(table, PolicyTable(2, rows), scope).reason(scope[0]);
  ASSERT_TRUE(reason);
  EXPECT_TRUE(reason->smallest);
  EXPECT_EQ(reason->groups, (Groups{7, 8, 9, 10}));
}

TEST(Reason, IsPrimeAndSmallestByBruteForceOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    const std::vector<ObsId> scope = reachable(model).observations;
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const PolicyTable policy = testing::random_deterministic(model, seed);
      const ReasonFinder finder(model.observations(), policy, scope);
      const BruteForce oracle(model.observations(), policy, scope);
      for (const ObsId obs : some(scope, 60)) {
        const auto reason = finder.reason(obs);
        ASSERT_TRUE(reason) << spec;
        EXPECT_TRUE(oracle.suffices(obs, reason->groups)) << spec;
        for (std::size_t leave = 0; leave < reason->groups.size(); ++leave) {
          Groups fewer = reason->groups;
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(leave));
          EXPECT_FALSE(oracle.suffices(obs, fewer)) << spec;
        }
        EXPECT_TRUE(reason->smallest) << spec;
        EXPECT_EQ(reason->groups.size(), oracle.least(obs)) << spec;
      }
    }
  }
}

TEST(WhyNot, IsNearestByBruteForceOnEveryTask) {
  for (const std::string& spec : testing::all_specs()) {
    const FiniteModel model = make_task(spec).model();
    const std::vector<ObsId> scope = reachable(model).observations;
    const PolicyTable policy = testing::random_stochastic(model, 9);
    const ReasonFinder finder(model.observations(), policy, scope);
    const BruteForce oracle(model.observations(), policy, scope);
    for (const ObsId obs : scope) {
      const std::vector<WhyNot> answers = finder.why_not(obs);
      EXPECT_EQ(answers.size(), model.action_count() - 1);
      for (const WhyNot& answer : answers) {
        EXPECT_NE(answer.action, policy.argmax(obs));
        std::size_t least = static_cast<std::size_t>(-1);
        for (const ObsId other : scope) {
          if (policy.argmax(other) == answer.action) least = std::min(least, oracle.distance(obs, other));
        }
        ASSERT_EQ(answer.nearest.has_value(), least != static_cast<std::size_t>(-1)) << spec;
        if (!answer.nearest) continue;
        EXPECT_EQ(policy.argmax(*answer.nearest), answer.action) << spec;
        EXPECT_EQ(oracle.distance(obs, *answer.nearest), least) << spec;
        EXPECT_EQ(answer.groups.size(), least) << spec;
      }
    }
  }
}

/// Two single atoms and a one-hot group of three.
struct Toy {
  std::shared_ptr<const Vocabulary> vocabulary =
      std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("p"), AtomGroup::single("q"),
                                                          AtomGroup::numbered("r", "r", 3)},
                                   std::vector<std::string>{"go", "stay"});
  ObservationTable table{vocabulary, 1};
};

TEST(WhyNot, PrefersTheNearestValueAmongEquallyFewChanges) {
  Toy toy;
  for (const std::uint32_t r : {2U, 0U, 1U}) {
    toy.table.intern(std::vector<std::uint32_t>{0, 0, r}, std::vector<float>{0});
  }
  const PolicyTable policy(2, {1, 0, 0, 1, 0, 1});
  const ReasonFinder finder(toy.table, policy, {0, 1, 2});
  const WhyNot answer = finder.why_not(0).at(0);
  EXPECT_EQ(finder.describe(*answer.nearest, answer.groups), "r1");
}

/// One observation with all atoms false, and one of another action for each of these sets of true atoms.
Reason reason_against(const std::vector<Groups>& sets, std::size_t atoms) {
  std::vector<AtomGroup> groups;
  for (std::size_t g = 0; g < atoms; ++g) groups.push_back(AtomGroup::single("p" + std::to_string(g)));
  ObservationTable table(std::make_shared<Vocabulary>(groups, std::vector<std::string>{"go", "stay"}));
  std::vector<ObsId> scope{table.intern(std::vector<std::uint32_t>(atoms, 0))};
  std::vector<double> rows{1, 0};
  for (const Groups& set : sets) {
    std::vector<std::uint32_t> values(atoms, 0);
    for (const std::size_t g : set) values[g] = 1;
    scope.push_back(table.intern(values));
    rows.insert(rows.end(), {0, 1});
  }
  const PolicyTable policy(2, rows);
  return *ReasonFinder(table, policy, scope).reason(0);
}

/// The greedy search takes p0 first, which p1, p2 and p3 then make redundant.
TEST(Reason, HasNothingSuperfluousEvenWhereTheSearchForTheSmallestGivesUp) {
  std::vector<Groups> sets = {{1}, {2}, {3}, {0, 1}, {0, 2}, {0, 3}};
  const Reason easy = reason_against(sets, 4);
  EXPECT_TRUE(easy.smallest);
  EXPECT_EQ(easy.groups, (Groups{1, 2, 3}));
  for (std::size_t first = 4; first < 74; first += 10) {  // 10^7 ways to hit seven disjoint sets
    sets.emplace_back();
    for (std::size_t g = first; g < first + 10; ++g) sets.back().push_back(g);
  }
  const Reason hard = reason_against(sets, 74);
  EXPECT_FALSE(hard.smallest);
  EXPECT_EQ(hard.groups, (Groups{1, 2, 3, 4, 14, 24, 34, 44, 54, 64}));
}

TEST(Reason, IsEmptyWhenTheActionNeverChanges) {
  Toy toy;
  toy.table.intern(std::vector<std::uint32_t>{0, 0, 0}, std::vector<float>{0});
  toy.table.intern(std::vector<std::uint32_t>{1, 0, 2}, std::vector<float>{0});
  const PolicyTable policy(2, {1, 0, 1, 0});
  const ReasonFinder finder(toy.table, policy, {0, 1});
  EXPECT_TRUE(finder.reason(0)->groups.empty());
  EXPECT_EQ(finder.describe(0, {}), "nothing");
  EXPECT_FALSE(finder.why_not(0)[0].nearest);
}

TEST(Reason, UndefinedRowsCountAsAnotherAction) {
  Toy toy;
  toy.table.intern(std::vector<std::uint32_t>{0, 0, 0}, std::vector<float>{0});
  toy.table.intern(std::vector<std::uint32_t>{0, 1, 0}, std::vector<float>{0});
  const PolicyTable policy(2, {1, 0, 1, 1});
  const ReasonFinder finder(toy.table, policy, {0, 1});
  EXPECT_EQ(finder.describe(0, finder.reason(0)->groups), "not q");
  EXPECT_EQ(finder.why_not(1).size(), 2u);
}

TEST(Reason, IsMissingWhereOnlyTheImageTellsObservationsApart) {
  Toy toy;
  toy.table.intern(std::vector<std::uint32_t>{0, 0, 0}, std::vector<float>{0});
  toy.table.intern(std::vector<std::uint32_t>{0, 0, 0}, std::vector<float>{1});
  const PolicyTable policy(2, {1, 0, 0, 1});
  EXPECT_FALSE(ReasonFinder(toy.table, policy, {0, 1}).reason(0));
}

}  // namespace
}  // namespace ndnf
