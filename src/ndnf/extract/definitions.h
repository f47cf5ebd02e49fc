#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/boxes/solve_limit.h"

namespace ndnf {

/// An invented predicate with its truth value in each observation of a scope of raw atoms.
struct InventedPredicate {
  std::string name;
  std::vector<bool> truth;
};

/// One conjunction of raw atoms per predicate: a way to define them all.
using Definitions = std::vector<std::vector<AtomLiteral>>;

struct DefinitionSearch {
  bool proved = true;  ///< False: the limit was reached. `optima` has the best set so far, if any.
  std::vector<Definitions>
      optima;       ///< All smallest sets of definitions, up to `most`; none if there is none.
  bool all = true;  ///< There are no others.
};

/// The paper's step 5, by the real clingo: for each predicate at least one literal, so that the conjunction
/// equals the predicate in every observation of the scope; no two predicates use the same literal, and none
/// an atom that ends in `_agent` (the mark of the start, which is no part of the world). Smallest first by
/// literals; then those in which no two predicates use an atom with opposite signs; then by the predicates
/// that have a negation, as the authors' program counts; clingo proves the optimum.
/// DIFFERS FROM PAPER: atoms that hold in no observation of the scope may be used too; there they are not
/// among the candidates.
DefinitionSearch define_by_conjunctions(std::span<const InventedPredicate> predicates, const Scope& scope,
                                        std::uint64_t solve_limit = kSolveLimit, std::size_t most = 100);

}  // namespace ndnf
