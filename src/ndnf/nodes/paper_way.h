#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ndnf/model/layers.h"
#include "ndnf/nodes/layered_rules.h"
#include "ndnf/nodes/scoped_dnf.h"
#include "ndnf/nodes/target.h"

namespace ndnf {

/// The paper's tolerance for pruning stochastic policies, tau_prune.
inline constexpr double kPruneTolerance = 1e-3;

/// Nodes with more prime implicants than this are not read as rules.
inline constexpr std::size_t kMostPrimes = 4096;

/// The result of reading a network's own nodes as rules.
struct NodeRules {
  std::optional<LayeredRules> rules;  ///< Nothing if the network cannot be read this way; see `reason`.
  std::string reason;
  double tau = 0;  ///< The threshold chosen, for threshold_*.
};

/// The paper's post-training step 1: the network without the edges that do not affect its best actions (for
/// ASP) or its distributions (for ProbLog). All later steps start from it.
ScopedDnf pruned_for_asp(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                         const Target& target);
ScopedDnf pruned_for_problog(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope,
                             const Target& target, const OutputCheck& finishes = {});

/// Steps 2 to 4. Deterministic rules (b) have exactly one action, the target's, in every observation of the
/// scope. Stochastic ones (a) are as close as thresholding gets: by least_kl or, if `finishes` is given, by
/// least_change. `finishes` says whether the best actions complete every episode within the step limit;
/// pruning then preserves this.
NodeRules threshold_to_asp(const ScopedDnf& pruned, double falsehood, const Scope& scope,
                           const Target& target);
NodeRules threshold_to_problog(const ScopedDnf& pruned, double falsehood, const Scope& scope,
                               const Target& target, const OutputCheck& finishes = {});

/// The alternative: each node as its exact DNF. Exact per node, not end to end: conjunction outputs strictly
/// between −1 and 1 are lost.
NodeRules disentangle_to_asp(const ScopedDnf& pruned, double falsehood, const Scope& scope);
NodeRules disentangle_to_problog(const ScopedDnf& pruned, double falsehood, const Scope& scope);

}  // namespace ndnf
