#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/boxes/solve_limit.h"

namespace ndnf {

/// An invented predicate with its truth value in each observation of a scope of raw atoms.
struct InventedPredicate {
  std::string name;
  std::vector<bool> truth;
};

/// Ways to define all predicates: each is one conjunction of raw atoms per predicate, in their order.
struct DefinitionSearch {
  bool proved = true;  ///< False if the limit was reached; `optima` has the best way so far, if any.
  std::vector<std::vector<Conjunction>> optima;  ///< All smallest ways, up to `most`; may be empty.
  bool all = true;                               ///< There are no others.
};

/// The paper's step 5, by the real clingo: at least one literal for each predicate, so that the conjunction
/// equals the predicate in every observation of the scope. No two predicates use the same literal, and none
/// an atom that may not define predicates (Vocabulary::may_define). Minimises first the literals, then the
/// atoms that two predicates use with opposite signs, then the predicates with a negation, as the authors'
/// program does; clingo proves the optimum.
/// DIFFERS FROM PAPER: atoms that hold in no observation of the scope may be used, too; in the paper they are
/// not candidates.
DefinitionSearch define_by_conjunctions(std::span<const InventedPredicate> predicates, const Scope& scope,
                                        std::uint64_t solve_limit = kSolveLimit, std::size_t most = 100);

}  // namespace ndnf
