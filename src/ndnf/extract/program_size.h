#pragma once

#include <cstddef>

#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The size of a program for a reader.
struct ProgramSize {
  std::size_t rules = 0;         ///< All of them, definitions included.
  std::size_t action_rules = 0;  ///< Those with an action as head.
  std::size_t conjunctions = 0;  ///< Distinct bodies over observed atoms.
  std::size_t literals = 0;
  std::size_t annotated_disjunctions = 0;
  /// Equivalent axis splits: what a decision tree would need for the value sets that the literals of a body
  /// leave of each group (box.h); 1 for a literal of a derived atom. Comparable with trees.
  std::size_t splits = 0;
};

/// `scope` is over the observed atoms.
ProgramSize size_of(const Program& program, const Scope& scope);

}  // namespace ndnf
