#include "ndnf/nodes/threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

/// Observations whose outputs are compared, over all thresholds.
constexpr std::size_t kMostCompared = 20'000'000;
constexpr double kLeast = 1e-8;  // inside the logarithm, as in the authors' code

// An edge of either layer: from `from` into node `node`.
struct Edge {
  double magnitude;
  bool conjunctive;
  std::size_t node;
  std::size_t from;
};

void add_edges(const Matrix<double>& W, bool conjunctive, std::vector<Edge>& edges) {
  for (std::size_t node = 0; node < W.cols(); ++node) {
    for (std::size_t from = 0; from < W.rows(); ++from) {
      if (W(from, node) != 0) edges.push_back({std::abs(W(from, node)), conjunctive, node, from});
    }
  }
}

// Raises tau from 0: each step removes the edges of one magnitude. Calls visit(tau) for each tau until it
// returns false. Every edge is removed once, and a removal only recomputes its node and the outputs that
// depend on it, so no threshold needs a full evaluation of the network.
template <class Visit>
void raise_tau(ScopedDnf& network, std::vector<Edge> edges, Visit visit) {
  const OutputCheck always;
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.magnitude < b.magnitude; });
  if (!visit(0.0)) return;
  for (std::size_t k = 0; k < edges.size();) {
    const double tau = edges[k].magnitude;
    for (; k < edges.size() && edges[k].magnitude == tau; ++k) {
      const Edge& edge = edges[k];
      if (edge.conjunctive) {
        network.remove_conjunctive_edge(edge.node, edge.from, always);
      } else {
        network.remove_disjunctive_edge(edge.node, edge.from, always);
      }
    }
    if (!visit(tau)) return;
  }
}

std::size_t changed_actions(const Target& network, const RawOutputs& raw) {
  std::size_t changed = 0;
  for (std::size_t k = 0; k < raw.cols(); ++k) {
    if ((network.best[k] >> largest_action(raw, k) & 1) == 0) ++changed;
  }
  return changed;
}

/// Mean KL(softmax of raw ‖ target) over the observations.
double reverse_kl(const Target& target, const RawOutputs& raw) {
  std::vector<double> q;
  double sum = 0;
  for (std::size_t k = 0; k < raw.cols(); ++k) {
    probabilities(raw, k, q);
    sum += kl_divergence(q, {target.p.row(k), target.p.cols()}, kLeast);
  }
  return sum / static_cast<double>(raw.cols());
}

}  // namespace

Matrix<double> thresholded(const Matrix<double>& W, double tau) {
  Matrix<double> out(W.rows(), W.cols());
  for (std::size_t r = 0; r < W.rows(); ++r) {
    for (std::size_t c = 0; c < W.cols(); ++c) {
      if (std::abs(W(r, c)) > tau) out(r, c) = std::copysign(kSymbolicWeight, W(r, c));
    }
  }
  return out;
}

ThresholdCriterion least_kl(const Target& pruned) {
  return [&pruned](const RawOutputs& raw) { return ThresholdCost{false, 0, mean_kl(pruned, raw)}; };
}

ThresholdCriterion least_change(const Target& network, const Target& pruned, OutputCheck finishes) {
  return [&network, &pruned, finishes = std::move(finishes)](const RawOutputs& raw) {
    return ThresholdCost{!finishes(raw), changed_actions(network, raw), reverse_kl(pruned, raw)};
  };
}

Threshold threshold_conjunctions(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                                 const ThresholdCriterion& criterion, Activation activation) {
  Threshold best{0, dnf, {true, scope.size(), std::numeric_limits<double>::infinity()}};
  best.dnf.activation = activation;
  best.dnf.conjunctions = thresholded(dnf.conjunctions, 0);
  ScopedDnf network(best.dnf, falsehood, scope);
  std::vector<Edge> edges;
  add_edges(dnf.conjunctions, true, edges);
  const std::size_t stride = edges.size() * scope.size() / kMostCompared + 1;
  raise_tau(network, edges, [&, step = std::size_t{0}](double tau) mutable {
    if (step++ % stride != 0) return true;
    const ThresholdCost cost = criterion(network.raw());
    if (cost < best.cost) {
      best.cost = cost;
      best.tau = tau;
    }
    return true;
  });
  best.dnf.conjunctions = thresholded(dnf.conjunctions, best.tau);
  return best;
}

std::optional<Threshold> threshold_both_layers(const NeuralDnf<double>& dnf, double falsehood,
                                               const Scope& scope, const OutputCheck& check) {
  Threshold result{0, dnf, {}};
  result.dnf.activation = Activation::kStep;
  result.dnf.conjunctions = thresholded(dnf.conjunctions, 0);
  result.dnf.disjunctions = thresholded(dnf.disjunctions, 0);
  ScopedDnf network(result.dnf, falsehood, scope);
  std::vector<Edge> edges;
  add_edges(dnf.conjunctions, true, edges);
  add_edges(dnf.disjunctions, false, edges);
  bool found = false;
  raise_tau(network, edges, [&](double tau) {
    found = check(network.raw());
    result.tau = tau;
    return !found;
  });
  if (!found) return std::nullopt;
  result.dnf = network.dnf();
  return result;
}

}  // namespace ndnf
