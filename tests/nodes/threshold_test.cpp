#include "ndnf/nodes/threshold.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "boxes/free_atoms.h"
#include "model/drawn_network.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/nodes/prune.h"
#include "nn/golden.h"

namespace ndnf {
namespace {

using testing::as_weights;
using testing::drawn_network;

Scope scope_of(const nlohmann::json& X, std::size_t actions) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (const auto& x : X) {
    auto& row = rows.emplace_back();
    for (const auto& value : x) row.push_back(value.get<double>() > 0 ? 1 : 0);
  }
  return testing::scope_of(rows, actions);
}

Target target_of(const nlohmann::json& distribution) {
  Target target;
  target.p = testing::as_matrix(distribution);
  target.best.resize(target.p.rows());
  return target;
}

double largest_difference(const Target& target, const RawOutputs& raw) {
  std::vector<double> p;
  double largest = 0;
  for (std::size_t k = 0; k < raw.cols(); ++k) {
    probabilities(raw, k, p);
    largest = std::max(largest, ndnf::largest_difference({target.p.row(k), target.p.cols()}, p));
  }
  return largest;
}

TEST(Threshold, SetsWeightsAsTheReferenceDoes) {
  for (const auto& c : testing::golden_cases("threshold_cases.json")) {
    const double tau = c.at("tau");
    for (const std::string layer : {"Wc", "Wd"}) {
      const Matrix<double> ours = thresholded(as_weights(c.at(layer)), tau);
      const Matrix<double> theirs = as_weights(c.at(layer + "_thresholded"));
      ASSERT_EQ(ours.size(), theirs.size());
      for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours.values()[i], theirs.values()[i]);
    }
  }
}

// The reference tries a grid of 0.01; every network on that grid is among ours, so ours is as good or better.
TEST(Threshold, IsAsCloseAsTheReferencesBest) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Scope scope = scope_of(c.at("X"), c.at("n_out"));
    const Target target = target_of(c.at("dist1"));
    const NeuralDnf<double> pruned = drawn_network(c.at("Wc_pruned"), c.at("Wd_pruned"));
    const Threshold best = threshold_conjunctions(pruned, -1, scope, least_kl(target), Activation::kTanh);
    EXPECT_LE(best.cost.kl, c.at("kl_batchmean_at_tau").get<double>() + 1e-4);
    // The reference's own choice, replayed.
    NeuralDnf<double> theirs = pruned;
    theirs.conjunctions = thresholded(pruned.conjunctions, c.at("chosen_tau"));
    const Matrix<double> expected = as_weights(c.at("Wc_thresholded"));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(theirs.conjunctions.values()[i], expected.values()[i]);
    }
    const ScopedDnf outputs(theirs, -1, scope);
    EXPECT_LE(largest_difference(target_of(c.at("dist2")), outputs.raw()), 1e-9);
    EXPECT_NEAR(mean_kl(target, outputs.raw()), c.at("kl_batchmean_at_tau").get<double>(), 1e-4);
    // (the reference adds 1e-8 inside its logarithms)
  }
}

TEST(Threshold, TriesEveryDistinctNetwork) {
  const nlohmann::json cases = testing::golden_cases("postprocess_cases.json");
  for (const auto& c : cases) {
    const Scope scope = scope_of(c.at("X"), c.at("n_out"));
    const Target target = target_of(c.at("dist1"));
    const NeuralDnf<double> pruned = drawn_network(c.at("Wc_pruned"), c.at("Wd_pruned"));
    const Threshold best = threshold_conjunctions(pruned, -1, scope, least_kl(target));
    std::set<double> taus = {0};
    for (const double w : pruned.conjunctions.values()) taus.insert(std::abs(w));
    for (const double tau : taus) {
      NeuralDnf<double> other = pruned;
      other.activation = Activation::kStep;
      other.conjunctions = thresholded(pruned.conjunctions, tau);
      const double kl = mean_kl(target, ScopedDnf(other, -1, scope).raw());
      EXPECT_GE(kl, best.cost.kl - 1e-12);
      if (tau == best.tau) {
        EXPECT_NEAR(kl, best.cost.kl, 1e-12);
      }
    }
  }
}

/// A network that thresholding at 0 leaves its best actions, at 1 all but one, and from 2 on few.
struct TwoThresholds {
  NeuralDnf<double> dnf = drawn_network({{1, 0}, {0, 2}, {-5, 0}}, {{3, 0, 0}, {0, 3.5, 0}, {0, 0, 2.5}});
  Scope scope = testing::all_inputs(2, 3);
  ScopedDnf at(double tau) const {
    NeuralDnf<double> other = dnf;
    other.conjunctions = thresholded(dnf.conjunctions, tau);
    other.activation = Activation::kStep;
    return ScopedDnf(other, -1, scope);
  }
  Target target() const {
    Target target{Matrix<double>(scope.size(), 3), std::vector<std::uint64_t>(scope.size())};
    const ScopedDnf outputs(dnf, -1, scope);
    std::vector<double> p;
    for (std::size_t k = 0; k < scope.size(); ++k) {
      probabilities(outputs.raw(), k, p);
      std::copy(p.begin(), p.end(), target.p.row(k));
      target.best[k] = std::uint64_t{1} << largest_action(outputs.raw(), k);
    }
    return target;
  }
};

TEST(Threshold, ByActionsPrefersFewerChangesToALesserDivergence) {
  const TwoThresholds own;
  const Target pruned = own.target();
  Target wanted = pruned;
  const ThresholdCriterion criterion = least_change(wanted, pruned, {});
  const auto chosen = [&] { return threshold_conjunctions(own.dnf, -1, own.scope, criterion); };
  EXPECT_EQ(chosen().tau, 0);
  EXPECT_EQ(chosen().cost.changed, 0u);
  // If the network itself did what is left at tau 1, that would be chosen, however far off.
  for (std::size_t k = 0; k < own.scope.size(); ++k)
    wanted.best[k] = std::uint64_t{1} << largest_action(own.at(1).raw(), k);
  const Threshold result = chosen();
  EXPECT_EQ(result.tau, 1);
  EXPECT_EQ(result.cost.changed, 0u);
  EXPECT_GT(criterion(own.at(0).raw()).changed, 0u);
  EXPECT_LT(criterion(own.at(0).raw()).kl, result.cost.kl);
  EXPECT_EQ(threshold_conjunctions(own.dnf, -1, own.scope, least_kl(pruned)).tau, 0);
}

TEST(Threshold, ByActionsPrefersWhatFinishesAndElseTakesTheLeastChange) {
  const TwoThresholds own;
  const Target pruned = own.target();
  const auto chosen = [&](const OutputCheck& finishes) {
    return threshold_conjunctions(own.dnf, -1, own.scope, least_change(pruned, pruned, finishes));
  };
  // Only from tau 1 on, where the first conjunction is empty and its action has the same output everywhere.
  const Threshold last =
      chosen({{}, [](const RawOutputs& raw) { return raw(0, 0) == raw(0, raw.cols() - 1); }});
  EXPECT_EQ(last.tau, 1);
  EXPECT_FALSE(last.cost.unfinished);
  EXPECT_GT(last.cost.changed, 0u);
  const Threshold none = chosen({{}, [](const RawOutputs&) { return false; }});
  EXPECT_EQ(none.tau, 0);
  EXPECT_TRUE(none.cost.unfinished);
}

TEST(Threshold, OfBothLayersIsTheSmallestThatKeepsExactlyOneAction) {
  NeuralDnf<double> dnf;
  dnf.conjunctions = Matrix<double>(2, 2);
  dnf.conjunctions(0, 0) = 3;
  dnf.conjunctions(1, 0) = 0.2;  // noise that a tau of 0.2 removes
  dnf.conjunctions(0, 1) = -2;
  dnf.disjunctions = Matrix<double>(2, 2);
  dnf.disjunctions(0, 0) = 4;
  dnf.disjunctions(1, 1) = 5;
  const Scope scope = testing::all_inputs(2, 2);
  Target target{Matrix<double>(4, 2), {0b10, 0b10, 0b01, 0b01}};  // action 0 where atom 0 is true
  const auto result = threshold_both_layers(dnf, -1, scope, keeps_exactly_one(target));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->tau, 0.2);
  EXPECT_EQ(result->dnf.conjunctions(1, 0), 0);
  EXPECT_EQ(result->dnf.conjunctions(0, 1), -6);

  target.best = {0b01, 0b10, 0b10, 0b01};  // an exclusive or: out of reach
  EXPECT_FALSE(threshold_both_layers(dnf, -1, scope, keeps_exactly_one(target)));
}

TEST(Prune, KeepsWithinItsToleranceOfTheOriginal) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Scope scope = scope_of(c.at("X"), c.at("n_out"));
    const Target original = target_of(c.at("dist0"));
    ScopedDnf net(drawn_network(c.at("Wc"), c.at("Wd")), -1, scope);
    EXPECT_LE(largest_difference(original, net.raw()), 1e-9);
    const auto passes = prune(net, keeps_distribution(original, 1e-3));
    EXPECT_EQ(passes.back().total(), 0u);
    // The outputs kept edge by edge are those of the network that is left.
    const ScopedDnf again(net.dnf(), -1, scope);
    for (std::size_t i = 0; i < again.raw().size(); ++i) {
      EXPECT_NEAR(again.raw().values()[i], net.raw().values()[i], 1e-12);
    }
    EXPECT_LE(largest_difference(original, again.raw()), 1e-3);
  }
}

// Where the reference's first pass over the disjunctive layer starts from the original network, ours removes
// as many edges: later passes of the reference compare with an earlier pass and drift.
TEST(Prune, RemovesAsManyDisjunctiveEdgesInTheFirstPassAsTheReference) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Scope scope = scope_of(c.at("X"), c.at("n_out"));
    const Target original = target_of(c.at("dist0"));
    ScopedDnf net(drawn_network(c.at("Wc"), c.at("Wd")), -1, scope);
    const auto passes = prune(net, keeps_distribution(original, 1e-3));
    EXPECT_EQ(passes[0].disjunctive_edges, c.at("prune_log_1").at(0).at(0).get<std::size_t>());
    EXPECT_EQ(passes[0].unused_conjunctions, c.at("prune_log_1").at(0).at(1).get<std::size_t>());
  }
}

}  // namespace
}  // namespace ndnf
