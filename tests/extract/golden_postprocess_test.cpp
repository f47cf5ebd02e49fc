#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "boxes/free_atoms.h"
#include "model/drawn_network.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/nodes/prune.h"
#include "ndnf/nodes/simplify.h"
#include "ndnf/nodes/threshold.h"
#include "ndnf/syntax/program.h"
#include "nn/golden.h"

// The last stages of the paper's post-processing, replayed on what an independent implementation recorded of
// them: each stage starts from the recorded weights before it.

namespace ndnf {
namespace {

using testing::as_matrix;
using testing::as_weights;
using testing::close;
using testing::drawn_network;

/// The network after pruning, and the one left in the end.
NeuralDnf<double> pruned_network(const nlohmann::json& c) {
  return drawn_network(c.at("Wc_pruned"), c.at("Wd_pruned"));
}
NeuralDnf<double> final_network(const nlohmann::json& c) {
  return drawn_network(c.at("Wc_final"), c.at("Wd_final"));
}

Scope scope_of(const nlohmann::json& c) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (const auto& x : testing::elements(c, "X")) {
    auto& row = rows.emplace_back();
    for (const auto& value : x) row.push_back(value.get<double>() > 0 ? 1 : 0);
  }
  return testing::scope_of(rows, c.at("n_out"));
}

/// softmax of the outputs, (observations, actions).
Matrix<double> distributions(const ScopedDnf& net) {
  Matrix<double> p(net.raw().cols(), net.raw().rows());
  std::vector<double> row;
  for (std::size_t k = 0; k < p.rows(); ++k) {
    probabilities(net.raw(), k, row);
    std::copy(row.begin(), row.end(), p.row(k));
  }
  return p;
}

/// The reference's step 4, which it does not check: removes the uses of a conjunction without literals.
void drop_uses_of_empty_conjunctions(ScopedDnf& net) {
  for (std::size_t q = 0; q < net.conjunction_count(); ++q) {
    if (net.is_empty(q)) net.remove_uses(q, {});
  }
}

TEST(GoldenPostprocess, ThePrunedNetworkHasTheRecordedDistributions) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const ScopedDnf net(pruned_network(c), -1, scope_of(c));
    EXPECT_EQ(net.input_count(), c.at("n_in").get<std::size_t>());
    EXPECT_EQ(net.conjunction_count(), c.at("n_conj").get<std::size_t>());
    EXPECT_TRUE(close(distributions(net), as_matrix(c.at("dist1"))));
  }
}

// The reference's grid of thresholds: 0, 0.01, …, in single precision.
TEST(GoldenPostprocess, EveryThresholdIsAsFarFromThePrunedNetworkAsRecorded) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Scope scope = scope_of(c);
    const NeuralDnf<double> pruned = pruned_network(c);
    const Matrix<double> wanted = as_matrix(c.at("dist1"));
    const Target target{wanted, std::vector<std::uint64_t>(wanted.rows())};
    const auto elementwise = c.at("kl_elementwise_first10").get<std::vector<double>>();
    const auto batchmean = c.at("kl_batchmean_first10").get<std::vector<double>>();
    ASSERT_EQ(elementwise.size(), 10u);
    ASSERT_EQ(batchmean.size(), 10u);
    std::vector<double> kl;
    for (std::size_t t = 0; t < c.at("n_tau").get<std::size_t>(); ++t) {
      NeuralDnf<double> dnf = pruned;
      dnf.conjunctions = thresholded(pruned.conjunctions, static_cast<float>(0.01 * static_cast<double>(t)));
      const ScopedDnf net(dnf, -1, scope);
      kl.push_back(mean_kl(target, net.raw()) / static_cast<double>(wanted.cols()));
      if (t >= 10) continue;
      EXPECT_TRUE(close(kl.back(), elementwise[t], 1e-9)) << t;
      const Matrix<double> p = distributions(net);
      double sum = 0;  // the other figure has 1e-8 inside its logarithms
      for (std::size_t i = 0; i < p.size(); ++i) {
        const double w = wanted.values()[i];
        sum += w * (std::log(w + 1e-8) - std::log(p.values()[i] + 1e-8));
      }
      EXPECT_TRUE(close(sum / static_cast<double>(p.rows()), batchmean[t], 1e-7)) << t;
    }
    EXPECT_NEAR(static_cast<double>(kl.size()) * 0.01, c.at("tau_upper_bound").get<double>(), 1e-9);
    const auto least = std::min_element(kl.begin(), kl.end());
    EXPECT_EQ(static_cast<std::size_t>(least - kl.begin()), c.at("chosen_tau_index").get<std::size_t>());
    EXPECT_TRUE(close(*least, c.at("kl_mean_elementwise_at_tau").get<double>(), 1e-9));
  }
}

TEST(GoldenPostprocess, PruningTheThresholdedNetworkLeavesTheRecordedOne) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Matrix<double> before = as_matrix(c.at("dist2"));
    const Target target{before, std::vector<std::uint64_t>(before.rows())};
    ScopedDnf net(drawn_network(c.at("Wc_thresholded"), c.at("Wd_pruned")), -1, scope_of(c));
    EXPECT_TRUE(close(distributions(net), before));
    const std::vector<PrunePass> passes = prune(net, keeps_distribution(target, 1e-3));
    const auto log = testing::elements(c, "prune_log_2")[0].get<std::vector<std::size_t>>();
    EXPECT_EQ(passes[0].disjunctive_edges, log.at(0));
    EXPECT_EQ(passes[0].unused_conjunctions, log.at(1));
    EXPECT_EQ(passes[0].conjunctive_edges, log.at(2));
    drop_uses_of_empty_conjunctions(net);
    const NeuralDnf<double> left = net.dnf();
    EXPECT_TRUE(close(left.conjunctions, as_weights(c.at("Wc_final")), 0));
    EXPECT_TRUE(close(left.disjunctions, as_weights(c.at("Wd_final")), 0));
    EXPECT_TRUE(close(distributions(net), as_matrix(c.at("dist3"))));
  }
}

/// One node per conjunction, and for each pattern of those that are used an annotated disjunction.
LayeredRules rules_of(const ScopedDnf& net) {
  LayeredRules rules;
  for (std::size_t q = 0; q < net.conjunction_count(); ++q) {
    Conjunction literals;
    for (std::size_t i = 0; i < net.input_count(); ++i) {
      if (net.conjunctive(q, i) != 0) literals.push_back({static_cast<AtomId>(i), net.conjunctive(q, i) > 0});
    }
    rules.nodes.push_back({literals});
  }
  const Matrix<double> p = distributions(net);
  std::set<Conjunction> seen;
  for (std::size_t k = 0; k < p.rows(); ++k) {
    Conjunction body;
    for (std::size_t q = 0; q < net.conjunction_count(); ++q) {
      if (net.is_used(q)) body.push_back({static_cast<AtomId>(q), net.conjunctions()(q, k) > 0});
    }
    if (seen.insert(body).second) rules.choices.push_back({body, {p.row(k), p.row(k) + p.cols()}});
  }
  return rules;
}

TEST(GoldenPostprocess, SimplifyingUsesTheRecordedConjunctions) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    const Scope scope = scope_of(c);
    const ScopedDnf net(final_network(c), -1, scope);
    LayeredRules rules = rules_of(net);
    const std::vector<Dnf> nodes = rules.nodes;
    simplify(rules, scope);
    std::set<std::size_t> used;
    for (const auto& choice : rules.choices) {
      for (const AtomLiteral& literal : choice.body) used.insert(literal.atom);
    }
    EXPECT_EQ(used, c.at("used_conjunctions").get<std::set<std::size_t>>());
    // Of two that are always equal the first is kept.
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = a + 1; b < nodes.size(); ++b) {
        if (net.is_used(a) && net.is_used(b) && members(nodes[a], scope) == members(nodes[b], scope))
          pairs.emplace(a, b);
      }
    }
    EXPECT_EQ(pairs, (c.at("duplicate_pairs").get<std::set<std::pair<std::size_t, std::size_t>>>()));
    EXPECT_TRUE(c.at("always_true").empty());  // the recording has no such case
    EXPECT_TRUE(c.at("always_false").empty());
  }
}

/// The reference's program over our names, its probabilities to three digits.
TEST(GoldenPostprocess, TheRecordedProgramHasTheRecordedDistributions) {
  for (const auto& c : testing::golden_cases("postprocess_cases.json")) {
    std::string text;
    for (std::string rule : testing::elements(c, "problog_rules").get<std::vector<std::string>>()) {
      rule = std::regex_replace(rule, std::regex(R"(input\((\d+)\))"), "a_$1");
      text += std::regex_replace(rule, std::regex(R"(action\((\d+)\))"), "action(act_$1)") + "\n";
    }
    const Scope scope = scope_of(c);
    const BoundProgram program(parse_program("golden.pl", text, Syntax::kProbLog),
                               scope.table().shared_vocabulary());
    const PolicyTable rows = tabulate(program, scope.table());
    const Matrix<double> expected = as_matrix(c.at("dist3"));
    for (std::size_t k = 0; k < scope.size(); ++k) {
      const auto row = rows.row(scope.observations()[k]);
      for (std::size_t a = 0; a < row.size(); ++a) EXPECT_NEAR(row[a], expected(k, a), 1.001e-3) << text;
    }
  }
}

/// The truth of rules such as `conj_0 :- not a_1, a_3.`, each head once for every rule.
class WrittenRules {
 public:
  explicit WrittenRules(const std::vector<std::string>& rules) {
    for (const std::string& rule : rules) {
      const std::size_t neck = rule.find(" :- ");
      bodies_[rule.substr(0, neck)].push_back(rule.substr(neck + 4, rule.size() - neck - 5));
    }
  }

  bool holds(const std::string& atom, const std::vector<std::uint32_t>& input) const {
    if (atom.starts_with("not ")) return !holds(atom.substr(4), input);
    if (atom.starts_with("a_")) return input[std::stoul(atom.substr(2))] != 0;
    const auto found = bodies_.find(atom);
    if (found == bodies_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](const std::string& body) { return body_holds(body, input); });
  }

 private:
  bool body_holds(const std::string& body, const std::vector<std::uint32_t>& input) const {
    std::size_t begin = 0;
    while (begin != std::string::npos) {
      const std::size_t comma = body.find(", ", begin);
      if (!holds(body.substr(begin, comma == std::string::npos ? comma : comma - begin), input)) return false;
      begin = comma == std::string::npos ? comma : comma + 2;
    }
    return true;
  }

  std::map<std::string, std::vector<std::string>> bodies_;
};

/// The outputs of a thresholded network match what the reference recorded, on every input or a thousand of
/// them.
TEST(GoldenPostprocess, AThresholdedNetworkIsItsRecordedAspRules) {
  for (const auto& c : testing::elements(testing::read_golden("postprocess_cases.json"), "asp_extraction")) {
    const std::size_t atoms = c.at("Wc")[0].size();
    const std::size_t actions = c.at("Wd").size();
    std::vector<std::vector<std::uint32_t>> inputs;
    const std::size_t step = atoms > 10 ? 61 : 1;  // odd: every atom is seen with either value
    for (std::size_t k = 0; k < std::size_t{1} << atoms; k += step) {
      auto& input = inputs.emplace_back();
      for (std::size_t i = 0; i < atoms; ++i) input.push_back(static_cast<std::uint32_t>(k >> i & 1));
    }
    ScopedDnf net(drawn_network(c.at("Wc"), c.at("Wd")), -1, testing::scope_of(inputs, actions));
    drop_uses_of_empty_conjunctions(net);
    const WrittenRules rules(testing::elements(c, "rules").get<std::vector<std::string>>());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      for (std::size_t j = 0; j < actions; ++j) {
        EXPECT_EQ(net.raw()(j, k) > 0, rules.holds("disj_" + std::to_string(j), inputs[k])) << j << ' ' << k;
      }
    }
  }
}

}  // namespace
}  // namespace ndnf
