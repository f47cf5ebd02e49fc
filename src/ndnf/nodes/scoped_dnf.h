#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/model/layers.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

/// Raw outputs of a network on a scope, (actions, observations): one row per action.
using RawOutputs = Matrix<double>;
/// Whether a changed network is still acceptable: in each observation, and as a whole. Empty functions accept
/// everything.
struct OutputCheck {
  std::function<bool(const RawOutputs&, std::size_t observation)> at{};
  std::function<bool(const RawOutputs&)> as_a_whole{};

  bool operator()(const RawOutputs& raw) const;
};

/// A neural DNF and its outputs on every observation of a scope, updated incrementally while edges are
/// removed one by one: the data structure for pruning and thresholding. Removing an edge recomputes one node,
/// not the whole network.
class ScopedDnf {
 public:
  /// `falsehood` is the input encoding of false, −1 or 0. The constraint layer of a DNF-EO is left out: it
  /// does not change which action is best.
  ScopedDnf(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope);

  NeuralDnf<double> dnf() const;
  const RawOutputs& raw() const { return raw_; }
  /// Outputs of the conjunctions, (conjunctions, observations).
  const Matrix<double>& conjunctions() const { return c_; }

  std::size_t input_count() const { return Wc_.cols(); }
  std::size_t conjunction_count() const { return Wc_.rows(); }
  std::size_t action_count() const { return Wd_.rows(); }
  double conjunctive(std::size_t q, std::size_t i) const { return Wc_(q, i); }
  double disjunctive(std::size_t j, std::size_t q) const { return Wd_(j, q); }
  bool is_empty(std::size_t q) const;
  bool is_used(std::size_t q) const;

  /// Sets weights to 0 if `check` accepts the resulting outputs. Returns whether it did. REQUIRES: it accepts
  /// the present ones.
  bool remove_conjunctive_edge(std::size_t q, std::size_t i, const OutputCheck& check);
  bool remove_disjunctive_edge(std::size_t j, std::size_t q, const OutputCheck& check);
  /// All edges from conjunction q to the actions at once.
  bool remove_uses(std::size_t q, const OutputCheck& check);
  /// Sets the weights of a conjunction that no action uses to 0.
  void clear(std::size_t q);

 private:
  /// Edges from conjunction q to these actions at once.
  bool remove_edges(std::size_t q, std::span<const std::size_t> actions, const OutputCheck& check);
  double conjunctive_bias(std::size_t q) const;
  double disjunctive_bias(std::size_t j) const;
  double activated(double z) const;
  void refresh_conjunction(std::size_t q);
  double output(std::size_t j, double bias, std::size_t observation) const;
  template <class TryAt>
  bool accepts(const OutputCheck& check, TryAt try_at);
  void take_changed_outputs();

  Matrix<double> Wc_;  // (Q, I)
  Matrix<double> Wd_;  // (N, Q)
  BiasType bias_;
  Activation activation_;
  bool exactly_one_;
  double delta_;

  Matrix<double> x_;     // (I, n)
  Matrix<double> sums_;  // (Q, n) without bias
  Matrix<double> c_;     // (Q, n)
  RawOutputs raw_;       // (N, n)
  // The changed outputs given to a check, in which observations they are, and the conjunction that has lost
  // an edge.
  RawOutputs tried_;
  std::vector<std::size_t> changed_;
  std::vector<double> tried_sums_;
  std::vector<double> tried_c_;
  std::vector<std::size_t> suspects_;  // observations that rejected a change, the latest last
};

/// The true actions of one observation, one bit each: those with raw output above 0.
std::uint64_t true_actions(const RawOutputs& raw, std::size_t observation);
/// softmax of one observation's raw outputs.
void probabilities(const RawOutputs& raw, std::size_t observation, std::vector<double>& p);

}  // namespace ndnf
