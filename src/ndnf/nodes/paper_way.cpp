#include "ndnf/nodes/paper_way.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ndnf/nodes/disentangle.h"
#include "ndnf/nodes/prune.h"
#include "ndnf/nodes/simplify.h"
#include "ndnf/nodes/threshold.h"

namespace ndnf {
namespace {

// Step 4: a thresholded conjunction is the conjunction of its literals.
std::vector<Dnf> thresholded_nodes(const NeuralDnf<double>& dnf) {
  std::vector<Dnf> nodes;
  for (std::size_t q = 0; q < dnf.conjunctions.cols(); ++q) {
    nodes.push_back({literals_of_column(dnf.conjunctions, q)});
  }
  return nodes;
}

// Step 4.b: a thresholded disjunction is one rule per literal.
std::vector<Dnf> thresholded_actions(const NeuralDnf<double>& dnf) {
  std::vector<Dnf> actions;
  for (std::size_t j = 0; j < dnf.disjunctions.cols(); ++j) {
    Dnf& action = actions.emplace_back();
    for (const AtomLiteral& literal : literals_of_column(dnf.disjunctions, j)) action.push_back({literal});
  }
  return actions;
}

// Step 4.a: every achievable sign pattern of the used conjunctions is the body of an annotated disjunction.
std::vector<LayeredRules::Choice> choices_of(const ScopedDnf& network) {
  std::vector<std::size_t> used;
  for (std::size_t q = 0; q < network.conjunction_count(); ++q) {
    if (network.is_used(q)) used.push_back(q);
  }
  std::map<Conjunction, std::vector<double>> patterns;
  for (std::size_t k = 0; k < network.raw().cols(); ++k) {
    Conjunction body;
    for (const std::size_t q : used) {
      body.push_back({static_cast<AtomId>(q), network.conjunctions()(q, k) > 0});
    }
    probabilities(network.raw(), k, patterns[body]);
  }
  std::vector<LayeredRules::Choice> choices;
  for (auto& [body, p] : patterns) choices.push_back({body, std::move(p)});
  return choices;
}

// The equivalent node for ±1 inputs, for actors that read 0/1: w (x + 1)/2.
Node for_signed_inputs(Node node, double falsehood) {
  if (falsehood == -1) return node;
  for (double& w : node.w) {
    w /= 2;
    node.bias += w;
  }
  return node;
}

// The exact DNF of every used conjunction; nothing if one has too many primes.
std::optional<std::vector<Dnf>> disentangled_nodes(const ScopedDnf& network, double falsehood,
                                                   const Scope& scope) {
  const NeuralDnf<double> dnf = network.dnf();
  std::vector<AtomGroup> groups;
  for (std::size_t g = 0; g < scope.vocabulary().group_count(); ++g)
    groups.push_back(scope.vocabulary().group(g));
  std::vector<Dnf> nodes(network.conjunction_count());
  for (std::size_t q = 0; q < nodes.size(); ++q) {
    if (!network.is_used(q)) continue;
    if (network.is_empty(q)) {
      nodes[q] = {{}};  // true, as in all other places: pruning has left only the bias
      continue;
    }
    const Node node = node_of(dnf.conjunctions, q, NodeType::kConjunction, dnf.bias, dnf.delta);
    const auto primes = disentangled(for_signed_inputs(node, falsehood), groups, kMostPrimes);
    if (!primes) return std::nullopt;
    nodes[q] = irredundant(*primes, scope);
  }
  return nodes;
}

std::optional<std::vector<Dnf>> disentangled_actions(const NeuralDnf<double>& dnf) {
  std::vector<Dnf> actions;
  for (std::size_t j = 0; j < dnf.disjunctions.cols(); ++j) {
    const Node node = node_of(dnf.disjunctions, j, NodeType::kDisjunction, dnf.bias, dnf.delta);
    auto primes = disentangled(node, kMostPrimes);
    if (!primes) return std::nullopt;
    actions.push_back(std::move(*primes));
  }
  return actions;
}

NodeRules too_many_primes() {
  NodeRules result;
  result.reason = fmt::format("a node has more than {} prime implicants", kMostPrimes);
  return result;
}

// The network's present behaviour, to be kept from here on.
Target target_of(const ScopedDnf& network) {
  const RawOutputs& raw = network.raw();
  Target target{Matrix<double>(raw.cols(), raw.rows()), std::vector<std::uint64_t>(raw.cols())};
  std::vector<double> p;
  for (std::size_t k = 0; k < raw.cols(); ++k) {
    probabilities(raw, k, p);
    std::copy(p.begin(), p.end(), target.p.row(k));
    target.best[k] = std::uint64_t{1} << largest_action(raw, k);
  }
  return target;
}

// Also requires `finishes`, if the network satisfies it now.
OutputCheck also(OutputCheck check, const OutputCheck& finishes, const ScopedDnf& network) {
  if (finishes(network.raw())) check.as_a_whole = finishes.as_a_whole;
  return check;
}

NeuralDnf<double> with_steps(NeuralDnf<double> dnf) {
  dnf.activation = Activation::kStep;
  return dnf;
}

}  // namespace

ScopedDnf pruned_for_asp(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                         const Target& target) {
  ScopedDnf network(dnf, falsehood, scope);
  prune(network, keeps_best_action(target, network.raw()));
  return network;
}

ScopedDnf pruned_for_problog(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                             const Target& target, const OutputCheck& finishes) {
  ScopedDnf network(dnf, falsehood, scope);
  prune(network, also(keeps_distribution(target, kPruneTolerance), finishes, network));
  return network;
}

NodeRules threshold_to_asp(const ScopedDnf& pruned, double falsehood, const Scope& scope,
                           const Target& target) {
  NodeRules result;
  const OutputCheck exactly_one = keeps_exactly_one(target);
  const auto threshold = threshold_both_layers(pruned.dnf(), falsehood, scope, exactly_one);
  if (!threshold) {
    result.reason = "no threshold leaves exactly one action, the network's, in every observation";
    return result;
  }
  result.tau = threshold->tau;
  ScopedDnf symbolic(threshold->dnf, falsehood, scope);
  prune(symbolic, exactly_one);
  const NeuralDnf<double> last = symbolic.dnf();
  result.rules.emplace();
  result.rules->nodes = thresholded_nodes(last);
  result.rules->actions = thresholded_actions(last);
  simplify(*result.rules, scope);
  return result;
}

NodeRules threshold_to_problog(const ScopedDnf& pruned, double falsehood, const Scope& scope,
                               const Target& target, const OutputCheck& finishes) {
  NodeRules result;
  const Target before = target_of(pruned);
  const Threshold threshold =
      threshold_conjunctions(pruned.dnf(), falsehood, scope,
                             finishes.as_a_whole ? least_change(target, before, finishes) : least_kl(before));
  result.tau = threshold.tau;
  ScopedDnf symbolic(threshold.dnf, falsehood, scope);
  // Thresholding has moved the distribution; re-pruning must not move it further.
  const Target moved = target_of(symbolic);
  prune(symbolic, also(keeps_distribution(moved, kPruneTolerance), finishes, symbolic));
  result.rules.emplace();
  result.rules->nodes = thresholded_nodes(symbolic.dnf());
  result.rules->choices = choices_of(symbolic);
  simplify(*result.rules, scope);
  return result;
}

NodeRules disentangle_to_asp(const ScopedDnf& pruned, double falsehood, const Scope& scope) {
  auto nodes = disentangled_nodes(pruned, falsehood, scope);
  auto actions = disentangled_actions(pruned.dnf());
  if (!nodes || !actions) return too_many_primes();
  NodeRules result;
  result.rules.emplace();
  result.rules->nodes = std::move(*nodes);
  result.rules->actions = std::move(*actions);
  simplify(*result.rules, scope);
  return result;
}

NodeRules disentangle_to_problog(const ScopedDnf& pruned, double falsehood, const Scope& scope) {
  auto nodes = disentangled_nodes(pruned, falsehood, scope);
  if (!nodes) return too_many_primes();
  NodeRules result;
  result.rules.emplace();
  result.rules->nodes = std::move(*nodes);
  result.rules->choices = choices_of(ScopedDnf(with_steps(pruned.dnf()), falsehood, scope));
  simplify(*result.rules, scope);
  return result;
}

}  // namespace ndnf
