#pragma once

#include <optional>
#include <string_view>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The evidence for an optimum.
enum class OptimumProof {
  kDynamicProgramming,  ///< Backward induction itself yields a memoryless policy.
  kAttainedBound,       ///< A memoryless policy attains the value of the MDP, which no policy exceeds.
  kGlobalSearch,  ///< Branch and bound over the few free probabilities: `bound` − value ≤ 1e-6, and ≤ 1e-6
                  ///< of the largest value or reward where that is below 1.
  kBestFound,  ///< Local search only: the optimum lies between value and `bound`.
};

/// "dynamic-programming", "attained-bound", "global-search", "best-found".
std::string_view to_string(OptimumProof proof);

/// Bounds on the best return of memoryless policies: it lies between `found` and `bound`.
struct BestReturn {
  double found = 0;  ///< The return of a known policy.
  double bound = 0;  ///< An upper bound; equal to `found` if the proof leaves no gap.
  OptimumProof proof{};
  double rounding = 0;  ///< Rounding error: returns that differ by no more may be equal.

  bool proved() const { return proof != OptimumProof::kBestFound; }
  /// How far a return is below the best one found; 0 if only rounding separates them.
  double gap(double mean_return) const;
  /// How far it may be below the true optimum.
  double gap_bound(double mean_return) const;
};

/// The best memoryless policy, i.e. one that depends on the observation alone, with the model's step limit
/// and discount.
struct Optimum {
  OptimumProof proof;
  double bound;           ///< Upper bound for all memoryless policies.
  PolicyTable policy;     ///< Defined on every observation.
  Evaluation evaluation;  ///< Exact, of `policy`.
  double rounding;        ///< How much the bound and an evaluation may differ by rounding alone.

  BestReturn best_return() const;
};

/// Throws NoOptimum (endless_optimum.h) if an endless model without a discount has no best return.
Optimum find_optimum(const FiniteModel& model);

/// The same for those who show it beside something else: nothing if there is none.
std::optional<Optimum> find_optimum_if_any(const FiniteModel& model);

/// The best policy with its ties: where the observation determines the optimal actions that need the fewest
/// expected steps (backward_induction.h), a row is uniform over them; elsewhere it is that of `optimum`. Any
/// choice among them is meant to be optimal, but with a step limit this is not certain: evaluate it.
PolicyTable with_ties(const FiniteModel& model, const Optimum& optimum);

/// Whether that takes about a second at most. What shows the optimum beside something else leaves it out of
/// larger models unless it is asked for.
bool is_optimum_cheap(const FiniteModel& model);
/// The best policy among those that take only allowed actions.
Optimum find_optimum(const FiniteModel& model, const ActionMask& mask);

}  // namespace ndnf
