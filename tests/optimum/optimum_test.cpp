#include "ndnf/optimum/optimum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using testing::add_row;
using testing::numbered_states;

/// Like numbered_states, but state s shows observation looks[s].
FiniteModelData aliased_states(const std::vector<std::uint32_t>& looks, std::vector<std::string> actions) {
  const std::size_t count = *std::max_element(looks.begin(), looks.end()) + 1;
  FiniteModelData data = numbered_states(count, std::move(actions));
  data.observation.assign(looks.begin(), looks.end());
  return data;
}

double value_of(const FiniteModel& model, std::vector<double> rows) {
  return evaluate_exactly(model, PolicyTable(model.action_count(), std::move(rows))).mean_return;
}

/// The value of the best policy that knows state and step, by definition.
class Recursion {
 public:
  explicit Recursion(const FiniteModel& model) : model_(model) {}

  double value() {
    double sum = 0;
    for (const Start& start : model_.starts())
      sum += start.probability * value(start.state, model_.horizon());
    return sum;
  }

 private:
  double value(StateId s, std::size_t steps_to_go) {
    if (steps_to_go == 0) return 0;
    const auto found = known_.find({s, steps_to_go});
    if (found != known_.end()) return found->second;
    double best = -1e300;
    for (ActionId a = 0; a < model_.action_count(); ++a) {
      double sum = 0;
      for (const Outcome& o : model_.outcomes(s, a)) {
        sum += o.probability * (o.reward + (o.terminal ? 0 : value(o.next, steps_to_go - 1)));
      }
      best = std::max(best, sum);
    }
    return known_[{s, steps_to_go}] = best;
  }

  const FiniteModel& model_;
  std::map<std::pair<StateId, std::size_t>, double> known_;
};

/// Of the policies that obey the mask, if there is one.
double best_deterministic(const FiniteModel& model, const ActionMask* mask = nullptr) {
  const std::size_t actions = model.action_count();
  std::vector<std::size_t> choice(model.observations().size(), 0);
  double best = -1e300;
  while (true) {
    std::vector<double> rows(choice.size() * actions, 0);
    bool obeys = true;
    for (std::size_t obs = 0; obs < choice.size(); ++obs) {
      rows[obs * actions + choice[obs]] = 1;
      obeys = obeys &&
              (mask == nullptr || mask->allows(static_cast<ObsId>(obs), static_cast<ActionId>(choice[obs])));
    }
    if (obeys) best = std::max(best, value_of(model, std::move(rows)));
    std::size_t obs = 0;
    while (obs < choice.size() && ++choice[obs] == actions) choice[obs++] = 0;
    if (obs == choice.size()) return best;
  }
}

/// The best value on a grid over the probabilities of the first of two actions, refined around its best
/// point.
double best_on_grid(const FiniteModel& model, int cells) {
  const std::size_t count = model.observations().size();
  const auto value = [&](const std::vector<double>& p) {
    std::vector<double> rows;
    for (const double x : p) rows.insert(rows.end(), {x, 1 - x});
    return value_of(model, std::move(rows));
  };
  std::vector<double> best_p;
  double best = -1e300;
  std::vector<int> index(count, 0);
  for (std::size_t i = 0; i < count;) {
    std::vector<double> p;
    for (const int k : index) p.push_back(static_cast<double>(k) / cells);
    if (const double v = value(p); v > best) std::tie(best, best_p) = std::pair(v, p);
    for (i = 0; i < count && ++index[i] > cells; ++i) index[i] = 0;
  }
  for (double step = 1.0 / cells; step > 1e-7; step /= 2) {
    for (std::size_t i = 0; i < 2 * count; ++i) {
      std::vector<double> p = best_p;
      p[i / 2] = std::clamp(p[i / 2] + (i % 2 == 0 ? step : -step), 0.0, 1.0);
      if (const double v = value(p); v > best) std::tie(best, best_p) = std::pair(v, p);
    }
  }
  return best;
}

/// Fully observable; every action ends the episode with probability `ending` and otherwise leads to a random
/// state.
FiniteModel random_model(RandomSequence& random, std::size_t states, std::size_t actions, double ending,
                         std::size_t step_limit) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < actions; ++a) names.push_back(fmt::format("a{}", a));
  FiniteModelData data = numbered_states(states, names);
  for (std::size_t row = 0; row < states * actions; ++row) {
    const auto anywhere = [&] { return random.below(static_cast<std::uint32_t>(states)); };
    const double share = random.uniform() * (1 - ending) * 0.98 + 0.01 * (1 - ending);
    add_row(data, {{ending, random.normal(), 0, true, -1},
                   {share, random.normal(), anywhere(), false, -1},
                   {1 - ending - share, random.normal(), anywhere(), false, -1}});
  }
  data.starts = {{0.25, 0}, {0.75, static_cast<StateId>(states - 1)}};
  data.step_limit = step_limit;
  return FiniteModel(std::move(data));
}

struct Known {
  std::string spec;
  double value;
  double tolerance;
  OptimumProof proof;
};

TEST(Optimum, OfEveryEnvironmentOfThePaperIsAsKnown) {
  const std::vector<Known> all{{"small-corridor", -3, 1e-12, OptimumProof::kDynamicProgramming},
                               {"long-corridor-5", -4, 1e-12, OptimumProof::kDynamicProgramming},
                               {"long-corridor-11", -4, 1e-12, OptimumProof::kDynamicProgramming},
                               {"small-corridor:wall", -8.99298, 5e-6, OptimumProof::kGlobalSearch},
                               {"long-corridor-5:wall", -13.40317, 5e-6, OptimumProof::kGlobalSearch},
                               {"long-corridor-11:wall", -16.49805, 5e-6, OptimumProof::kGlobalSearch},
                               {"blackjack", -0.043113, 5e-7, OptimumProof::kDynamicProgramming},
                               {"blackjack:sab=false", -0.046556, 5e-7, OptimumProof::kDynamicProgramming},
                               {"taxi", 7.93, 1e-12, OptimumProof::kDynamicProgramming},
                               {"taxi:factored", 7.93, 1e-12, OptimumProof::kDynamicProgramming},
                               {"door-corridor", -8, 1e-12, OptimumProof::kAttainedBound},
                               {"door-corridor-t", -8, 1e-12, OptimumProof::kAttainedBound},
                               {"door-corridor-ot", -9, 1e-12, OptimumProof::kAttainedBound}};
  for (const Known& known : all) {
    const Task environment = make_task(known.spec);
    const Optimum optimum = find_optimum(environment.model());
    EXPECT_NEAR(optimum.evaluation.mean_return, known.value, known.tolerance) << known.spec;
    EXPECT_EQ(to_string(optimum.proof), to_string(known.proof)) << known.spec;
    EXPECT_GE(optimum.bound, optimum.evaluation.mean_return) << known.spec;
    EXPECT_LE(optimum.bound, optimum.evaluation.mean_return + 1e-6) << known.spec;
  }
}

TEST(Optimum, OfBlackjackWinsAndDrawsAsKnown) {
  const Optimum optimum = find_optimum(make_task("blackjack").model());
  EXPECT_NEAR(optimum.evaluation.tag_rates[0], 0.43290, 5e-6);
  EXPECT_NEAR(optimum.evaluation.tag_rates[1], 0.09109, 5e-6);
}

TEST(Optimum, HasThePublishedProbabilitiesInTheLongestCorridor) {
  const Task environment = make_task("long-corridor-11:wall");
  const Optimum optimum = find_optimum(environment.model());
  std::map<std::string, double> left;
  for (const ObsId obs : reachable(environment.model()).observations) {
    left[environment.model().observations().describe(obs)] = optimum.policy.row(obs)[0];
  }
  EXPECT_NEAR(left.at("no atom"), 0.24087, 5e-6);
  EXPECT_NEAR(left.at("right_wall_present"), 1, 1e-9);
}

TEST(Optimum, PolicyIsDefinedOnEveryObservation) {
  for (const char* spec : {"long-corridor-5:wall", "blackjack", "taxi", "door-corridor"}) {
    const Task environment = make_task(spec);
    const Optimum optimum = find_optimum(environment.model());
    ASSERT_EQ(optimum.policy.size(), environment.model().observations().size()) << spec;
    for (ObsId obs = 0; obs < optimum.policy.size(); ++obs) EXPECT_TRUE(optimum.policy.defined(obs)) << spec;
  }
}

TEST(Optimum, OfRandomEpisodicModelsIsTheBestDeterministicPolicy) {
  RandomSequence random(RandomStream(1, 0));
  for (int round = 0; round < 20; ++round) {
    const FiniteModel model = random_model(random, 4, 3, 0.3, 200);
    const Optimum optimum = find_optimum(model);
    EXPECT_EQ(to_string(optimum.proof), "dynamic-programming");
    EXPECT_NEAR(optimum.evaluation.mean_return, best_deterministic(model), 1e-9);
    EXPECT_NEAR(optimum.bound, Recursion(model).value(), 1e-9);
  }
}

TEST(Optimum, UnderAMaskIsTheBestOfThePoliciesThatObeyIt) {
  RandomSequence random(RandomStream(7, 0));
  for (int round = 0; round < 20; ++round) {
    const FiniteModel model = random_model(random, 4, 3, 0.3, 200);
    std::vector<std::uint64_t> allowed;
    for (ObsId obs = 0; obs < model.observations().size(); ++obs) allowed.push_back(1 + random.below(7));
    const ActionMask mask(3, allowed);
    const Optimum optimum = find_optimum(model, mask);
    for (ObsId obs = 0; obs < allowed.size(); ++obs) {
      EXPECT_TRUE(optimum.policy.defined(obs));
      EXPECT_TRUE(mask.allows(obs, optimum.policy.argmax(obs)));
    }
    EXPECT_NEAR(optimum.evaluation.mean_return, best_deterministic(model, &mask), 1e-9);
    EXPECT_NEAR(evaluate_exactly(model, optimum.policy).mean_return, optimum.evaluation.mean_return, 1e-12);
  }
}

// With few steps the best action depends on the clock, which a memoryless policy cannot observe.
TEST(Optimum, OfRandomModelsWithFewStepsLiesBetweenDeterministicPoliciesAndTheClock) {
  RandomSequence random(RandomStream(2, 0));
  std::size_t below_bound = 0;
  for (int round = 0; round < 20; ++round) {
    const FiniteModel model = random_model(random, 4, 3, 0.05, 3);
    const Optimum optimum = find_optimum(model);
    EXPECT_GE(optimum.evaluation.mean_return, best_deterministic(model) - 1e-9);
    EXPECT_LE(optimum.evaluation.mean_return, optimum.bound);
    EXPECT_NEAR(optimum.bound, Recursion(model).value(), 1e-12);
    if (optimum.proof == OptimumProof::kBestFound) ++below_bound;
  }
  EXPECT_GT(below_bound, 0u);
}

TEST(Optimum, OfRandomModelsWithThreeFreeProbabilitiesIsProvedAndNoWorseThanAGrid) {
  RandomSequence random(RandomStream(3, 0));
  std::size_t searched = 0;
  for (int round = 0; round < 20; ++round) {
    const FiniteModel model = random_model(random, 3, 2, 0.05, 4);
    const Optimum optimum = find_optimum(model);
    EXPECT_LE(optimum.bound - optimum.evaluation.mean_return, 1e-6);
    EXPECT_GE(optimum.evaluation.mean_return, best_on_grid(model, 10) - 1e-9);
    if (optimum.proof == OptimumProof::kGlobalSearch) ++searched;
  }
  EXPECT_GT(searched, 0u);
}

/// With a special state between start and goal.
std::string random_corridor(RandomSequence& random, const std::string& obs) {
  const std::uint32_t length = 4 + random.below(5);
  const std::uint32_t goal = random.below(length);
  const std::uint32_t start = (goal + 2 + random.below(length - 3)) % length;
  const std::uint32_t left = std::min(start, goal);
  const std::uint32_t special = left + 1 + random.below(std::max(start, goal) - left - 1);
  return fmt::format("small-corridor:obs={},length={},start={},goal={},special=[{}],step_limit={}", obs,
                     length, start, goal, special, 10 + random.below(30));
}

TEST(Optimum, OfRandomCorridorsWithStatesIsTheBestDeterministicPolicy) {
  RandomSequence random(RandomStream(4, 0));
  for (int round = 0; round < 20; ++round) {
    const std::string spec = random_corridor(random, "state");
    const Task environment = make_task(spec);
    const Optimum optimum = find_optimum(environment.model());
    EXPECT_EQ(optimum.evaluation.mean_return, best_deterministic(environment.model())) << spec;
    EXPECT_EQ(optimum.bound, optimum.evaluation.mean_return) << spec;
    EXPECT_EQ(to_string(optimum.proof), "dynamic-programming") << spec;
  }
}

TEST(Optimum, OfRandomCorridorsWithWallsIsProvedAndNoWorseThanAGrid) {
  RandomSequence random(RandomStream(5, 0));
  std::size_t searched = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string spec = random_corridor(random, "wall");
    const Task environment = make_task(spec);
    const Optimum optimum = find_optimum(environment.model());
    const double grid = best_on_grid(environment.model(), 16);
    EXPECT_GE(optimum.evaluation.mean_return, grid - 1e-9) << spec;
    EXPECT_LE(optimum.bound - optimum.evaluation.mean_return, 1e-6) << spec;
    EXPECT_NE(to_string(optimum.proof), "best-found") << spec;
    if (optimum.proof == OptimumProof::kGlobalSearch) ++searched;
  }
  EXPECT_GE(searched, 5u);
}

TEST(Optimum, OfTaxiMapsOfOtherSizesIsTheValueOfTheRecursion) {
  for (const char* spec : {"taxi:rows=3,cols=4,step_limit=30", "taxi:rows=6,cols=5,step_limit=20"}) {
    const Task environment = make_task(spec);
    const Optimum optimum = find_optimum(environment.model());
    EXPECT_NEAR(optimum.evaluation.mean_return, Recursion(environment.model()).value(), 1e-9) << spec;
    EXPECT_EQ(to_string(optimum.proof), "dynamic-programming") << spec;
  }
}

// Waiting costs nothing while there is time left, so it ties with going; a policy that waits never arrives.
TEST(Optimum, DoesNotPutOffWhatCanBeDoneAtOnce) {
  FiniteModelData data = numbered_states(3, {"wait", "go"});
  for (StateId s = 0; s < 3; ++s) {
    add_row(data, {{1, 0, s, false, -1}});
    add_row(data, {{1, s == 2 ? 1.0 : 0.0, s == 2 ? s : s + 1, s == 2, -1}});
  }
  data.starts = {{1, 0}};
  data.step_limit = 10;
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  EXPECT_EQ(optimum.evaluation.mean_return, 1);
  EXPECT_EQ(optimum.evaluation.length, 3);
  EXPECT_EQ(to_string(optimum.proof), "dynamic-programming");
}

// States 1 and 2 look alike and need different actions, but the better path leads only to 2.
TEST(Optimum, MayBeProvedFromTheStartOnly) {
  FiniteModelData data = aliased_states({0, 1, 1}, {"left", "right"});
  add_row(data, {{1, 0, 1, false, -1}});
  add_row(data, {{1, 0, 2, false, -1}});
  add_row(data, {{1, 1, 1, true, -1}});
  add_row(data, {{1, 0, 1, true, -1}});
  add_row(data, {{1, 0, 2, true, -1}});
  add_row(data, {{1, 2, 2, true, -1}});
  data.starts = {{1, 0}};
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  EXPECT_EQ(to_string(optimum.proof), "attained-bound");
  EXPECT_EQ(optimum.evaluation.mean_return, 2);
  EXPECT_THAT(optimum.policy.row(0), ::testing::ElementsAre(0, 1));
  EXPECT_THAT(optimum.policy.row(1), ::testing::ElementsAre(0, 1));
}

// `left` leads to states 1 and 2 and `right` to 3 and 4, all for the same reward; 1 and 2 look alike but
// disagree.
TEST(Optimum, TakesBackAChoiceThatLeadsToAConflict) {
  FiniteModelData data = aliased_states({0, 1, 1, 2, 2}, {"left", "right"});
  add_row(data, {{0.5, 0, 1, false, -1}, {0.5, 0, 2, false, -1}});
  add_row(data, {{0.5, 0, 3, false, -1}, {0.5, 0, 4, false, -1}});
  for (const StateId s : {1u, 2u, 3u, 4u}) {
    add_row(data, {{1, s == 1 ? 1.0 : 0.0, s, true, -1}});
    add_row(data, {{1, s == 1 ? 0.0 : 1.0, s, true, -1}});
  }
  data.starts = {{1, 0}};
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  EXPECT_EQ(to_string(optimum.proof), "attained-bound");
  EXPECT_EQ(optimum.evaluation.mean_return, 1);
  EXPECT_THAT(optimum.policy.row(0), ::testing::ElementsAre(0, 1));
}

// Guess which of three states with the same observation it is, up to three times.
TEST(Optimum, OfThreeAliasedActionsIsTheBestFound) {
  FiniteModelData data = aliased_states({0, 0, 0}, {"one", "two", "three"});
  for (StateId s = 0; s < 3; ++s) {
    for (ActionId a = 0; a < 3; ++a) add_row(data, {{1, a == s ? 1.0 : 0.0, s, a == s, -1}});
  }
  data.starts = {{0.5, 0}, {0.3, 1}, {0.2, 2}};
  data.step_limit = 3;
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  double grid = 0;
  for (int i = 0; i <= 200; ++i) {
    for (int j = 0; i + j <= 200; ++j) {
      const double p = i / 200.0;
      const double q = j / 200.0;
      const double r = (200 - i - j) / 200.0;
      grid =
          std::max(grid, 1 - 0.5 * std::pow(1 - p, 3) - 0.3 * std::pow(1 - q, 3) - 0.2 * std::pow(1 - r, 3));
    }
  }
  EXPECT_EQ(to_string(optimum.proof), "best-found");
  EXPECT_GE(optimum.evaluation.mean_return, grid - 1e-12);
  EXPECT_LE(optimum.evaluation.mean_return, grid + 1e-4);
  EXPECT_EQ(optimum.bound, 1);
}

TEST(Optimum, GivesTheMajorityActionWhereTheBestPolicyNeverGoes) {
  FiniteModelData data = aliased_states({0, 1, 1, 1}, {"stay", "leave"});
  add_row(data, {{1, 5, 0, true, -1}});
  add_row(data, {{0.5, 0, 1, false, -1}, {0.25, 0, 2, false, -1}, {0.25, 0, 3, false, -1}});
  for (const StateId s : {1u, 2u, 3u}) {
    add_row(data, {{1, s == 1 ? 1.0 : 0.0, s, true, -1}});
    add_row(data, {{1, s == 1 ? 0.0 : 1.0, s, true, -1}});
  }
  data.starts = {{1, 0}};
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  EXPECT_EQ(to_string(optimum.proof), "attained-bound");
  EXPECT_THAT(optimum.policy.row(1), ::testing::ElementsAre(0, 1));
}

TEST(Optimum, IsNotAttainedByWhatIsSmallOnlyInAbsoluteTerms) {
  // Two states with the same observation need different actions: half of the bound is the optimum, whatever
  // the unit of the rewards.
  for (const double unit : {1.0, 1e-10, 1e-14, 1e10}) {
    FiniteModelData data = aliased_states({0, 0}, {"left", "right"});
    for (const StateId s : {0u, 1u}) {
      add_row(data, {{1, s == 0 ? unit : 0.0, s, true, -1}});
      add_row(data, {{1, s == 0 ? 0.0 : unit, s, true, -1}});
    }
    data.starts = {{0.5, 0}, {0.5, 1}};
    const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
    EXPECT_EQ(to_string(optimum.proof), "global-search") << unit;
    EXPECT_NEAR(optimum.evaluation.mean_return / unit, 0.5, 1e-6);
    EXPECT_NEAR(optimum.bound / unit, 0.5, 1e-6);
  }
}

TEST(Optimum, TellsApartActionsThatDifferByLittleInAbsoluteTerms) {
  FiniteModelData data = numbered_states(1, {"nothing", "little"});
  add_row(data, {{1, 0, 0, true, -1}});
  add_row(data, {{1, 1e-13, 0, true, -1}});
  data.starts = {{1, 0}};
  const Optimum optimum = find_optimum(FiniteModel(std::move(data)));
  EXPECT_EQ(optimum.evaluation.mean_return, 1e-13);
}

TEST(BestReturn, IsNoGapAwayWhereOnlyRoundingLiesBetween) {
  const auto gap = [](double found, double mean_return) {
    return BestReturn{found, found, OptimumProof::kDynamicProgramming, 1e-13}.gap(mean_return);
  };
  EXPECT_EQ(gap(7.93, 7.93 + 1e-14), 0);
  EXPECT_EQ(gap(0, -1e-13), 0);
  EXPECT_GT(gap(0, -2e-13), 0);
  EXPECT_EQ(gap(-8, -10), 2);
  EXPECT_LT(gap(-0.043, -0.042), 0);  // a sample may be lucky
}

// Returns of 1e-13 are not rounding errors if the rewards are that small.
TEST(BestReturn, IsAGapAwayHoweverSmallTheRewardsAre) {
  FiniteModelData data = numbered_states(1, {"nothing", "little"});
  add_row(data, {{1, 0, 0, true, -1}});
  add_row(data, {{1, 1e-13, 0, true, -1}});
  data.starts = {{1, 0}};
  EXPECT_EQ(find_optimum(FiniteModel(std::move(data))).best_return().gap(0), 1e-13);
}

TEST(BestReturn, ThatIsOnlyTheBestFoundLeavesAGapToTheBound) {
  const BestReturn best{1, 1.5, OptimumProof::kBestFound};
  EXPECT_FALSE(best.proved());
  EXPECT_EQ(best.gap(1), 0);
  EXPECT_EQ(best.gap_bound(1), 0.5);
}

}  // namespace
}  // namespace ndnf
