#pragma once

#include <string_view>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Why an optimum can be believed.
enum class OptimumProof {
  kDynamicProgramming,  ///< Backward induction itself gives a policy of the observation alone.
  kAttainedBound,       ///< A memoryless policy reaches the value of the MDP, which no policy exceeds.
  kGlobalSearch,  ///< Branch and bound over the few free probabilities: `bound` − value ≤ 1e-6, and ≤ 1e-6
                  ///< of the largest value or reward where that is below 1.
  kBestFound,  ///< Local search only: the optimum lies between value and `bound`.
};

/// "dynamic-programming", "attained-bound", "global-search", "best-found".
std::string_view to_string(OptimumProof proof);

/// What is known of the best return of memoryless policies: it lies between `found` and `bound`.
struct BestReturn {
  double found = 0;  ///< Some policy earns it.
  double bound = 0;  ///< No policy earns more. The same as `found` if the proof leaves nothing between them.
  OptimumProof proof{};
  double rounding = 0;  ///< Returns that differ by no more may be equal: what computing them may be off by.

  bool proved() const { return proof != OptimumProof::kBestFound; }
  /// How far a return is below the best one found; 0 where nothing but rounding lies between them.
  double gap(double mean_return) const;
  /// How far it may be below the optimum itself.
  double gap_bound(double mean_return) const;
};

/// The best memoryless policy: one that picks its action by the observation alone, with the model's step
/// limit.
struct Optimum {
  OptimumProof proof;
  double bound;           ///< No memoryless policy does better.
  PolicyTable policy;     ///< Defined on every observation.
  Evaluation evaluation;  ///< Exact, of `policy`.
  double rounding;        ///< By how much the bound and an evaluation may differ from rounding alone.

  BestReturn best_return() const;
};

Optimum find_optimum(const FiniteModel& model);
/// The best of those that take allowed actions only.
Optimum find_optimum(const FiniteModel& model, const ActionMask& mask);

}  // namespace ndnf
