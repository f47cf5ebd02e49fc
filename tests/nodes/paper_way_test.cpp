#include "ndnf/nodes/paper_way.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "boxes/free_atoms.h"
#include "distributions/distributions.h"
#include "model/drawn_network.h"
#include "ndnf/logic/bound_program.h"

namespace ndnf {
namespace {

using testing::all_inputs;
using testing::any_below;
using testing::drawn_network;
using ::testing::HasSubstr;

Target target_of(const NeuralDnf<double>& dnf, const Scope& scope) {
  const Matrix<double> p = testing::distributions_of(dnf, scope);
  return make_target(scope, PolicyTable(p.cols(), {p.values().begin(), p.values().end()}));
}

std::string text(const LayeredRules& rules, const Scope& scope) {
  return to_text(to_program(rules, scope.vocabulary()));
}

PolicyTable rows(const LayeredRules& rules, const Scope& scope) {
  const BoundProgram program(to_program(rules, scope.vocabulary()), scope.table().shared_vocabulary());
  return tabulate(program, scope.table());
}

std::size_t edge_count(const NeuralDnf<double>& dnf) {
  const auto edges = [](const Matrix<double>& W) {
    return std::count_if(W.values().begin(), W.values().end(), [](double w) { return w != 0; });
  };
  return static_cast<std::size_t>(edges(dnf.conjunctions) + edges(dnf.disjunctions));
}

/// Action 0 where atom 0 is true, else action 1; with an edge and a conjunction that do not matter.
const NeuralDnf<double> kNoisy = drawn_network({{3, 0.2}, {-2, 0}, {0.1, 0.1}}, {{4, 0, 0.01}, {0, 5, 0}});

TEST(PaperWay, PrunesWhatDoesNotMatterToTheBestAction) {
  const Scope scope = all_inputs(2, 2);
  const Target target = target_of(kNoisy, scope);
  const NeuralDnf<double> pruned = pruned_for_asp(kNoisy, -1, scope, target).dnf();
  EXPECT_LT(edge_count(pruned), edge_count(kNoisy));
  EXPECT_EQ(target_of(pruned, scope).best, target.best);
}

TEST(PaperWay, ThresholdsADeterministicNetworkToItsRules) {
  const Scope scope = all_inputs(2, 2);
  const Target target = target_of(kNoisy, scope);
  const ScopedDnf whole(kNoisy, -1, scope);
  const NodeRules result = threshold_to_asp(whole, -1, scope, target);
  ASSERT_TRUE(result.rules);
  EXPECT_EQ(text(*result.rules, scope), "action(act_0) :- a_0.\naction(act_1) :- not a_0.\n");
  EXPECT_GE(result.tau, 0.01);  // below, the third conjunction is an act_0 of its own
  EXPECT_LT(result.tau, 2);
}

TEST(PaperWay, SaysWhyThereIsNoThreshold) {
  const Scope scope = all_inputs(2, 2);
  Target target = target_of(kNoisy, scope);
  target.best = {0b01, 0b10, 0b10, 0b01};  // an exclusive or: out of reach of these conjunctions
  const NodeRules result = threshold_to_asp(ScopedDnf(kNoisy, -1, scope), -1, scope, target);
  EXPECT_FALSE(result.rules);
  EXPECT_THAT(result.reason, HasSubstr("no threshold leaves exactly one action"));
}

/// A conjunction that holds with any one of two atoms missing is two rules, not the one of its literals.
TEST(PaperWay, DisentanglesWhatThresholdingMerges) {
  const Scope scope = all_inputs(3, 2);
  const NeuralDnf<double> dnf = drawn_network({{3, 1, 1}}, {{2}, {-2}});
  const NodeRules result = disentangle_to_asp(ScopedDnf(dnf, -1, scope), -1, scope);
  ASSERT_TRUE(result.rules);
  EXPECT_EQ(text(*result.rules, scope),
            "action(act_0) :- a_0, a_2.\n"
            "action(act_0) :- a_0, a_1.\n"
            "action(act_1) :- not conj_0.\n"
            "conj_0 :- a_0, a_2.\n"
            "conj_0 :- a_0, a_1.\n");
}

TEST(PaperWay, ReadsNodesWithTheInputCodingOfTheNetwork) {
  const Scope scope = all_inputs(3, 2);
  // With 0 for falsehood z = 3 a_0 + a_1 + a_2 − 2: atom 0 alone decides.
  const NeuralDnf<double> dnf = drawn_network({{3, 1, 1}}, {{2}, {-2}});
  const NodeRules result = disentangle_to_asp(ScopedDnf(dnf, 0, scope), 0, scope);
  ASSERT_TRUE(result.rules);
  EXPECT_EQ(text(*result.rules, scope), "action(act_0) :- a_0.\naction(act_1) :- not a_0.\n");
}

// Pruning may leave a conjunction without literals whose edge still holds up a bias: it is true.
TEST(PaperWay, ReadsAnEmptyConjunctionAsTrue) {
  const NeuralDnf<double> dnf = drawn_network({{0, 0}, {3, 0}}, {{2, 1}, {0, -1}});
  const Scope scope = all_inputs(2, 2);
  const NodeRules result = disentangle_to_problog(ScopedDnf(dnf, -1, scope), -1, scope);
  ASSERT_TRUE(result.rules);
  EXPECT_EQ(result.rules->choices.size(), 2u);
  const PolicyTable program = rows(*result.rules, scope);
  for (ObsId obs = 0; obs < program.size(); ++obs) EXPECT_TRUE(program.defined(obs));
}

/// The program of one node: act_0 where its rules hold, act_1 elsewhere.
PolicyTable program_of(const std::vector<double>& w, bool conjunctive, const Scope& scope) {
  LayeredRules rules;
  Dnf node(1);
  if (!conjunctive) node.clear();
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i] == 0) continue;
    const AtomLiteral literal{static_cast<AtomId>(i), w[i] > 0};
    if (conjunctive) {
      node.front().push_back(literal);
    } else {
      node.push_back({literal});
    }
  }
  rules.nodes = {node};
  rules.actions = {{{{0, true}}}, {{{0, false}}}};
  return rows(rules, scope);
}

// The paper's translation proof, by all cases of four inputs: a node with weights ±6 and 0 is true where its
// rule is, and its raw output is 6 or at most −6 (a conjunction), −6 or at least 6 (a disjunction).
TEST(Translation, OfEverySixNodeIsItsRule) {
  const Scope scope = all_inputs(4, 2);
  for (int code = 1; code < 81; ++code) {
    std::vector<double> w;
    for (int rest = code, i = 0; i < 4; rest /= 3, ++i) w.push_back(6 * (rest % 3 == 2 ? -1 : rest % 3));
    for (const bool conjunctive : {true, false}) {
      const PolicyTable program = program_of(w, conjunctive, scope);
      const NodeType type = conjunctive ? NodeType::kConjunction : NodeType::kDisjunction;
      const double bias = logical_bias(w, type, BiasType::kMax, 1);
      for (const ObsId obs : scope.observations()) {
        double raw = bias;
        for (AtomId i = 0; i < 4; ++i) raw += w[i] * (scope.table().holds(obs, i) ? 1 : -1);
        EXPECT_TRUE(conjunctive ? raw == 6 || raw <= -6 : raw == -6 || raw >= 6) << raw;
        EXPECT_EQ(program.argmax(obs), raw > 0 ? 0u : 1u);
      }
    }
  }
}

TEST(PaperWay, GivesUpOnANodeWithTooManyPrimeImplicants) {
  std::vector<double> w(21, 1.0);
  w[0] = 10;  // up to four of the others may be wrong: 4845 maximal choices
  const NeuralDnf<double> dnf = drawn_network(nlohmann::json::array({w}), {{2}, {-2}});
  const Scope scope = testing::scope_of({std::vector<std::uint32_t>(21, 1)}, 2);
  for (const NodeRules& result : {disentangle_to_asp(ScopedDnf(dnf, -1, scope), -1, scope),
                                  disentangle_to_problog(ScopedDnf(dnf, -1, scope), -1, scope)}) {
    EXPECT_FALSE(result.rules);
    EXPECT_THAT(result.reason, HasSubstr("more than 4096 prime implicants"));
  }
}

/// A network with strict conjunctions and any disjunctive weights.
NeuralDnf<double> random_symbolic(std::size_t atoms) {
  NeuralDnf<double> dnf;
  dnf.activation = Activation::kStep;
  dnf.conjunctions = Matrix<double>(atoms, 3);
  dnf.disjunctions = Matrix<double>(3, 3);
  for (double& w : dnf.conjunctions.values()) w = 6 * (any_below(3) - 1);
  for (std::size_t q = 0; q < 3; ++q) dnf.conjunctions(any_below(atoms), q) = 6;
  for (double& w : dnf.disjunctions.values()) w = (any_below(400) - 200) / 100.0;
  return dnf;
}

RC_GTEST_PROP(PaperWay, KeepsTheDistributionsOfSymbolicConjunctions, ()) {
  const NeuralDnf<double> dnf = random_symbolic(4);
  const Scope scope = all_inputs(4, 3);
  const Target target = target_of(dnf, scope);
  const ScopedDnf pruned = pruned_for_problog(dnf, -1, scope, target);
  for (const NodeRules& result :
       {threshold_to_problog(pruned, -1, scope, target), disentangle_to_problog(pruned, -1, scope)}) {
    RC_ASSERT(result.rules.has_value());
    const PolicyTable program = rows(*result.rules, scope);
    for (std::size_t k = 0; k < scope.size(); ++k) {
      RC_ASSERT(program.defined(scope.observations()[k]));
      for (std::size_t a = 0; a < 3; ++a) {
        // Pruning takes its tolerance twice: before thresholding and after.
        RC_ASSERT(std::abs(program.row(scope.observations()[k])[a] - target.p(k, a)) <=
                  2 * kPruneTolerance + 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace ndnf
