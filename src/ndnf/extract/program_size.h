#pragma once

#include <cstddef>

#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// How much there is to read.
struct ProgramSize {
  std::size_t rules = 0;         ///< All of them, definitions included.
  std::size_t action_rules = 0;  ///< Those that conclude an action.
  std::size_t conjunctions = 0;  ///< Distinct bodies that speak of observations.
  std::size_t literals = 0;
  std::size_t annotated_disjunctions = 0;
  /// Equivalent axis splits: what a decision tree would need for the value sets that the literals of a body
  /// leave of each group (box.h); 1 for a literal of a defined atom. Comparable with trees.
  std::size_t splits = 0;
};

/// `scope` is over the atoms that are observed.
ProgramSize size_of(const Program& program, const Scope& scope);

}  // namespace ndnf
