#include "ndnf/nodes/disentangle.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nn/golden.h"

namespace ndnf {
namespace {

bool holds(const Conjunction& conjunction, std::uint32_t input) {
  return std::all_of(conjunction.begin(), conjunction.end(), [&](const AtomLiteral& literal) {
    return ((input >> literal.atom & 1) != 0) == literal.positive;
  });
}

bool holds(const Dnf& dnf, std::uint32_t input) {
  return std::any_of(dnf.begin(), dnf.end(), [&](const auto& c) { return holds(c, input); });
}

double output(const Node& node, std::uint32_t input) {
  double z = node.bias;
  for (std::size_t i = 0; i < node.w.size(); ++i) z += node.w[i] * ((input >> i & 1) != 0 ? 1 : -1);
  return z;
}

Node node_from(const nlohmann::json& weights, NodeType type, BiasType bias = BiasType::kMax) {
  Matrix<double> W(weights.size(), 1);
  for (std::size_t i = 0; i < weights.size(); ++i) W(i, 0) = weights[i].get<double>();
  return node_of(W, 0, type, bias, 1.0);
}

Node negated(Node node) {
  for (double& w : node.w) w = -w;
  node.bias = -node.bias;
  return node;
}

// The reference's result as a Boolean function: ±6 is a literal, 0 none; `false` marks a conjunction.
bool golden_holds(const nlohmann::json& result, bool pairs, std::uint32_t input) {
  for (const auto& entry : result) {
    const nlohmann::json& weights = pairs ? entry.at(0) : entry;
    const bool any = pairs && entry.at(1).get<bool>();
    std::size_t literals = 0;
    std::size_t matching = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double w = weights[i].get<double>();
      if (w == 0) continue;
      ++literals;
      if ((w > 0) == ((input >> i & 1) != 0)) ++matching;
    }
    if (any ? matching > 0 : matching == literals) return true;
  }
  return false;
}

TEST(Disentangle, GivesTheReferencesBooleanFunctions) {
  std::size_t compared = 0;
  for (const auto& c : testing::golden_cases("disentangle_cases.json")) {
    if (!c.at("options").empty() || c.at("result").is_null()) continue;
    const std::string kind = c.at("kind");
    Node node = node_from(c.at("weights"), kind == "disj" ? NodeType::kDisjunction : NodeType::kConjunction);
    if (kind == "conj_neg") node = negated(node);
    const auto dnf = disentangled(node, 100000);
    ASSERT_TRUE(dnf);
    for (std::uint32_t input = 0; input < (1u << node.w.size()); ++input) {
      if (std::abs(output(node, input)) < 1e-9) continue;  // on the border either answer will do
      EXPECT_EQ(holds(*dnf, input), golden_holds(c.at("result"), kind == "disj", input)) << kind;
      EXPECT_EQ(holds(*dnf, input), output(node, input) > 0);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 82u);
}

TEST(Disentangle, FindsPrimesOnly) {
  for (const auto& c : testing::golden_cases("disentangle_cases.json")) {
    if (!c.at("options").empty()) continue;
    const Node node = node_from(c.at("weights"), NodeType::kConjunction);
    const auto dnf = disentangled(node, 100000);
    ASSERT_TRUE(dnf);
    for (const auto& prime : *dnf) {
      for (std::size_t left_out = 0; left_out < prime.size(); ++left_out) {
        auto weaker = prime;
        weaker.erase(weaker.begin() + static_cast<std::ptrdiff_t>(left_out));
        bool implies = true;
        for (std::uint32_t input = 0; input < (1u << node.w.size()); ++input) {
          if (holds(weaker, input) && !(output(node, input) > 0)) implies = false;
        }
        EXPECT_FALSE(implies);
      }
    }
  }
}

// The paper's last appendix: with the bias type `min` a conjunction is exactly its non-zero literals.
TEST(Disentangle, WithMinBiasAConjunctionIsItsLiterals) {
  const Node node = node_from({3, 0, -1, 1}, NodeType::kConjunction, BiasType::kMin);
  EXPECT_EQ(disentangled(node, 10), (Dnf{{{0, true}, {2, false}, {3, true}}}));
  const Node with_max = node_from({3, 0, -1, 1}, NodeType::kConjunction, BiasType::kMax);
  EXPECT_EQ(disentangled(with_max, 10)->size(), 2u);
}

TEST(Disentangle, KnowsThatOnlyOneAtomOfAGroupIsTrue) {
  AtomGroup group;
  group.name = "v";
  group.atoms = {"v(0)", "v(1)", "v(2)", "v(3)"};
  // True for v(0) and v(1): 6 is mandatory in plain logic, here it only says what v is not.
  const Node node = node_from({-0.1, -0.2, -6, -6}, NodeType::kConjunction);
  EXPECT_EQ(disentangled(node, std::vector<AtomGroup>{group}, 10), (Dnf{{{2, false}, {3, false}}}));
}

TEST(Disentangle, SaysWhatAGroupIsWhereOnlyOneValueWillDo) {
  const std::vector<AtomGroup> groups{AtomGroup::numbered("a", "a", 3)};
  EXPECT_EQ(disentangled({{0, 2, 0}, -1}, groups, 10), (Dnf{{{1, true}}}));
  EXPECT_EQ(disentangled({{0, -2, 0}, -1}, groups, 10), (Dnf{{{1, false}}}));
}

/// Of three atoms one is true: with equal weights they add the same whichever it is.
TEST(Disentangle, AGroupOfEqualWeightsShiftsTheBias) {
  const std::vector<AtomGroup> groups{AtomGroup::numbered("a", "a", 3), AtomGroup::single("b")};
  EXPECT_EQ(disentangled({{3, 3, 3, 2}, 0.5}, groups, 10), Dnf{});
  EXPECT_EQ(disentangled({{1, 1, 1, 2}, 0.5}, groups, 10), (Dnf{{{3, true}}}));
  EXPECT_EQ(disentangled({{-3, -3, -3, 2}, 0.5}, groups, 10), (Dnf{{}}));
}

TEST(Disentangle, GivesUpBeyondItsLimit) {
  const std::vector<double> equal(20, 1.0);
  Node node{equal, 0.5};  // true when at least half of the inputs are
  EXPECT_FALSE(disentangled(node, 1000));
}

// The paper's listing of the run that thresholding breaks: over its four inputs each action's truth value is
// kept by splitting its node alone, and action 3 no longer fires with action 1.
class FailingRun : public ::testing::Test {
 protected:
  // Inputs x_2, x_7, x_9, x_13; conjunctions c_0, c_7, c_9, c_11; actions 1, 2, 3.
  const std::vector<std::vector<double>> conjunctive = {
      {0, 3.03, 0, 0}, {0, 0, 0, 0.56}, {-1.56, 0, 0, 0}, {0, 0, -1.05, 0}};
  const std::vector<std::vector<double>> disjunctive = {
      {4.58, 0, 0, 0}, {0, 0, -3.48, 0}, {0, 1.29, 0.76, 4.33}};

  static Node node(const std::vector<double>& w, NodeType type) { return node_from(nlohmann::json(w), type); }
};

TEST_F(FailingRun, HasTheActivationsOfThePapersTable) {
  const std::uint32_t input = 0b0110;  // x_2 = −1, x_7 = 1, x_9 = 1, x_13 = −1
  std::vector<double> c;
  for (const auto& w : conjunctive) c.push_back(std::tanh(output(node(w, NodeType::kConjunction), input)));
  const std::vector<double> expected_c = {1.00, -0.51, 0.92, -0.78};
  for (std::size_t q = 0; q < 4; ++q) EXPECT_NEAR(c[q], expected_c[q], 0.005);
  const std::vector<double> expected_y = {1.00, -1.00, -0.86};
  for (std::size_t j = 0; j < 3; ++j) {
    const Node d = node(disjunctive[j], NodeType::kDisjunction);
    double z = d.bias;
    for (std::size_t q = 0; q < 4; ++q) z += d.w[q] * c[q];
    EXPECT_NEAR(std::tanh(z), expected_y[j], 0.005);
  }
  // Row 2: the signs, thresholded.
  const std::vector<double> thresholded_y = {1, -1, 1};
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> w = disjunctive[j];
    for (double& v : w) v = v == 0 ? 0 : std::copysign(6, v);
    const Node d = node(w, NodeType::kDisjunction);
    double z = d.bias;
    for (std::size_t q = 0; q < 4; ++q) z += d.w[q] * (c[q] > 0 ? 1 : -1);
    EXPECT_NEAR(std::tanh(z), thresholded_y[j], 0.005);
  }
}

TEST_F(FailingRun, SplitsIntoTheSingleRuleThatRemovesTheConflict) {
  EXPECT_EQ(disentangled(node(disjunctive[2], NodeType::kDisjunction), 10), (Dnf{{{3, true}}}));
}

// Exact per node is not exact end to end: values between the nodes are not ±1.
TEST_F(FailingRun, LosesTwoTruthValuesNodeByNode) {
  std::size_t wrong = 0;
  for (std::uint32_t input = 0; input < 16; ++input) {
    std::vector<double> c;
    for (const auto& w : conjunctive) c.push_back(std::tanh(output(node(w, NodeType::kConjunction), input)));
    std::uint32_t signs = 0;
    for (std::uint32_t q = 0; q < 4; ++q) signs |= (c[q] > 0 ? 1u : 0u) << q;
    for (const auto& w : disjunctive) {
      const Node d = node(w, NodeType::kDisjunction);
      double z = d.bias;
      for (std::size_t q = 0; q < 4; ++q) z += d.w[q] * c[q];
      if (holds(*disentangled(d, 10), signs) != (z > 0)) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 2u);
}

// The recording's own statistics: the number of terms, and the number of inputs on which it is not the node's
// sign.
TEST(Disentangle, ReadsTheReferencesResultsAsTheyAreMeant) {
  std::size_t compared = 0;
  for (const auto& c : testing::golden_cases("disentangle_cases.json")) {
    if (c.at("result").is_null()) continue;
    const std::string kind = c.at("kind");
    EXPECT_EQ(c.at("result").size(), c.at("n").get<std::size_t>());
    Node node = node_from(c.at("weights"), kind == "disj" ? NodeType::kDisjunction : NodeType::kConjunction);
    if (kind == "conj_neg") node = negated(node);
    std::size_t wrong = 0;
    for (std::uint32_t input = 0; input < (1u << node.w.size()); ++input) {
      const double z = output(node, input);
      if (std::abs(z) >= 1e-9 && golden_holds(c.at("result"), kind == "disj", input) != (z > 0)) ++wrong;
    }
    if (!c.contains("truth_table_mismatches_vs_sign_of_node")) continue;
    ++compared;
    EXPECT_EQ(wrong, c.at("truth_table_mismatches_vs_sign_of_node").at("nonzero_output").get<std::size_t>());
  }
  EXPECT_GT(compared, 30u);
}

}  // namespace
}  // namespace ndnf
