#include "ndnf/distributions/refit.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "distributions/distributions.h"
#include "ndnf/distributions/softmax_regression.h"
#include "ndnf/optimum/backward_induction.h"

namespace ndnf {
namespace {

using testing::any_below;
using testing::Distributions;
using testing::trained;

const Distributions& blackjack() {
  static const Distributions network = trained("bj_ndnf_1.json", "blackjack");
  return network;
}

double difference(const Matrix<double>& p, const Matrix<double>& q) { return distance(p, q).max_dp; }

TEST(Refit, OfBlackjackIsSmall) {
  const auto& [scope, p] = blackjack();
  const std::vector<double> epsilons{0.05, 0.03, 0.01, 0.001};
  const std::vector<std::size_t> at_most{16, 20, 32, 80};  // the goals: 60 at 0.01, 130 at 0.001
  const std::vector<Refit> frontier = refit_frontier(scope, p, epsilons);
  ASSERT_EQ(frontier.size(), epsilons.size());
  for (std::size_t k = 0; k < epsilons.size(); ++k) {
    EXPECT_LE(frontier[k].boxes.size(), at_most[k]);
    EXPECT_LE(frontier[k].max_dp, epsilons[k]);
    EXPECT_NEAR(difference(p, probabilities(frontier[k], scope)), frontier[k].max_dp, 1e-12);
  }
}

TEST(Refit, IsANetworkWithSymbolicConjunctions) {
  const auto& [scope, p] = blackjack();
  const Refit result = refit(scope, p, 0.01);
  const NeuralDnf<double> dnf = network(result, scope);
  EXPECT_EQ(dnf.conjunctions.cols(), result.boxes.size() + 1);
  for (const double w : dnf.conjunctions.values()) EXPECT_TRUE(w == 0 || std::abs(w) == kSymbolicWeight);
  EXPECT_LE(difference(probabilities(result, scope), testing::distributions_of(dnf, scope)), 1e-12);
}

TEST(Refit, WithALimitStopsThereAndComesAsCloseAsItCan) {
  const auto& [scope, p] = blackjack();
  double last = 1;
  for (const std::size_t limit : {0u, 4u, 8u, 16u}) {
    RefitOptions options;
    options.max_conjunctions = limit;
    const Refit result = refit(scope, p, 0.001, options);
    EXPECT_LE(result.boxes.size(), limit);
    EXPECT_LT(result.max_dp, last);
    EXPECT_NEAR(difference(p, probabilities(result, scope)), result.max_dp, 1e-12);
    last = result.max_dp;
  }
}

TEST(Refit, OfCorridorsWithWallsNeedsAHandfulOfConjunctions) {
  for (const auto& [file, env] : {std::pair{"sc_pomdp_ndnf_1.json", "small-corridor:wall"},
                                  std::pair{"lc11_pomdp_ndnf_1.json", "long-corridor-11:wall"}}) {
    const auto [scope, p] = trained(file, env);
    const Refit result = refit(scope, p, 0.001);
    EXPECT_LT(result.boxes.size(), scope.size());
    EXPECT_LE(result.max_dp, 0.001);
  }
}

TEST(Refit, PrefersCandidatesThatServe) {
  // The logit is a sum over two boxes of the four observations: exactly these are taken.
  const Scope scope = testing::lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  Matrix<double> p(4, 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const double z = 2.0 * scope.values(i)[0] + 1.0 * scope.values(i)[1];
    p(i, 0) = 1 / (1 + std::exp(z));
    p(i, 1) = 1 - p(i, 0);
  }
  RefitOptions options;
  for (const AtomId atom : {0u, 1u}) {
    options.candidates.push_back(box_of(std::vector<AtomLiteral>{{atom, true}}, scope));
  }
  const Refit result = refit(scope, p, 1e-4, options);
  EXPECT_EQ(result.boxes.size(), 2u);
  EXPECT_EQ(result.from_candidates, (std::vector<bool>{true, true}));
}

TEST(Refit, OfTaxisTiesServesSixActions) {
  const Environment taxi = make_environment("taxi:factored");
  const BackwardInduction optimum = induct_backward(taxi.model);
  const Scope scope = testing::reachable_scope(taxi);
  std::vector<std::uint64_t> best(taxi.model.observations().size());
  for (const StateId s : reachable(taxi.model).states) best[taxi.model.observation(s)] = optimum.actions[s];
  Matrix<double> p(scope.size(), taxi.model.action_count());
  for (std::size_t i = 0; i < p.rows(); ++i) {
    const std::uint64_t actions = best[scope.observations()[i]];
    for (std::size_t a = 0; a < p.cols(); ++a) {
      p(i, a) = (actions >> a & 1) != 0 ? 1.0 / std::popcount(actions) : 0;
    }
  }
  const Refit result = refit(scope, p, 0.05);
  EXPECT_LE(result.max_dp, 0.05);
  EXPECT_LE(result.boxes.size(), 35u);
  EXPECT_LE(
      difference(probabilities(result, scope), testing::distributions_of(network(result, scope), scope)),
      1e-12);
}

/// No sum over fewer boxes gets within 1e-13 of certain actions: the weights would be too large.
TEST(Refit, TakesOneBoxPerObservationWhereNothingElseComesCloseEnough) {
  const Scope scope = testing::lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  Matrix<double> p(4, 2);
  const std::vector<double> first{1, 0, 0, 0.3};
  for (std::size_t i = 0; i < 4; ++i) {
    p(i, 0) = first[i];
    p(i, 1) = 1 - first[i];
  }
  const Refit result = refit(scope, p, 1e-13);
  EXPECT_EQ(result.boxes.size(), 4u);
  EXPECT_LE(result.max_dp, 1e-13);
  EXPECT_LE(difference(p, probabilities(result, scope)), 1e-12);
}

RC_GTEST_PROP(Refit, ComesWithinAnyEpsilonWithAtMostOneBoxPerObservation, ()) {
  const std::size_t actions = 2 + any_below<std::size_t>(3);
  const Scope scope = testing::random_scope(16, actions);
  const Matrix<double> p = testing::random_distributions(scope);
  const double epsilon = std::pow(10, -1 - static_cast<double>(any_below(5)));
  const Refit result = refit(scope, p, epsilon);
  RC_ASSERT(result.max_dp <= epsilon);
  RC_ASSERT(result.boxes.size() <= scope.size());
  RC_ASSERT(difference(p, probabilities(result, scope)) <= epsilon + 1e-12);
  RC_ASSERT(difference(probabilities(result, scope),
                       testing::distributions_of(network(result, scope), scope)) <= 1e-12);
}

}  // namespace
}  // namespace ndnf
