#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/model/layers.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

struct RefitOptions {
  std::optional<std::size_t> max_conjunctions;  ///< Stop there, however far from the targets.
  /// Preferred boxes, such as the network's own conjunctions: used if they are nearly as good as the best
  /// box.
  std::vector<Box> candidates;
};

/// A softmax over strict conjunctions: logits Σ_k weights(k, a) c_k + bias(a), where c_k is 1 in the k-th box
/// and −1 elsewhere.
struct Refit {
  std::vector<Box> boxes;
  std::vector<bool> from_candidates;  ///< Per box: whether it is one of RefitOptions::candidates.
  Matrix<double> weights;             // (boxes, A)
  std::vector<double> bias;           // (A)
  double max_dp = 0;                  ///< The largest |p − q| in the scope.
  double mean_kl = 0;                 ///< Mean KL(p‖q) over the scope.
};

/// Few conjunctions with max |p − q| ≤ epsilon over the scope. `targets` (observations of the scope, A) are
/// distributions. Boxes are added one at a time where the residual is largest, each time with a refit of all
/// weights, a convex problem; then boxes that the fit does not need are dropped. Never more than one box per
/// observation.
Refit refit(const Scope& scope, const Matrix<double>& targets, double epsilon,
            const RefitOptions& options = {});

/// The same for several epsilons, descending, in one run: they share the growth.
std::vector<Refit> refit_frontier(const Scope& scope, const Matrix<double>& targets,
                                  std::span<const double> epsilons, const RefitOptions& options = {});

/// The refit's distributions on the scope, (observations, A).
Matrix<double> probabilities(const Refit& refit, const Scope& scope);

/// The refit as a neural DNF-MT with ±6 conjunctions. Conjunction 0 is always true and carries the bias; box
/// k is conjunction k + 1.
NeuralDnf<double> network(const Refit& refit, const Scope& scope);

}  // namespace ndnf
