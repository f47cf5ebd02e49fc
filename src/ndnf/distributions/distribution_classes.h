#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/vocabulary.h"
#include "ndnf/model/layers.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

/// Observations that share one distribution: a rule for each conjunction of the DNF that describes them, and
/// one annotated disjunction, or plain rules for an action that is certain.
struct DistributionClass {
  std::vector<double> distribution;  // (A), sums to 1
  Dnf dnf;                           ///< Its conjunctions may overlap.
};

/// The action that has probability 1, if there is one.
std::optional<ActionId> certain_action(std::span<const double> distribution);
/// Whether a plain rule for the most probable action is within epsilon of a distribution. Probabilities sum
/// to 1, so no other action is further off than this one.
bool is_nearly_certain(std::span<const double> distribution, double epsilon);

/// The classes exclude each other, and every observation of the scope is in one.
struct DistributionClasses {
  std::vector<DistributionClass> classes;
  std::vector<std::size_t> class_of;  ///< Per observation of the scope.
  double max_dp = 0;                  ///< The largest |p − q| in the scope.
  double mean_kl = 0;                 ///< Mean KL(p‖q) over the scope.

  /// Classes without a certain action.
  std::size_t annotated_disjunctions() const;
};

/// Few classes with few conjunctions such that no probability is off by more than epsilon and the first most
/// probable action stays the same. A distribution within epsilon of a certain action becomes that action,
/// which saves an annotated disjunction. `targets` (observations of the scope, A) are distributions.
/// REQUIRES: epsilon ≥ 0.
DistributionClasses distribution_classes(const Scope& scope, const Matrix<double>& targets, double epsilon);

/// The network's stand-in for probability 0: its logits are logarithms.
inline constexpr double kLeastProbability = 1e-12;

/// The classes as a neural DNF-MT with ±6 conjunctions, exact on the scope. Conjunction 0 is always true and
/// carries the bias. If conjunctions of a class overlap, their intersections become conjunctions too.
NeuralDnf<double> network(const DistributionClasses& classes, const Scope& scope);

}  // namespace ndnf
