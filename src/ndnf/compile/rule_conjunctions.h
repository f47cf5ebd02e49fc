#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/model/layers.h"
#include "ndnf/syntax/program.h"

// Rules as a starting point for training. A compiled network cannot learn: step has no gradient, and at
// weights of ±6 that of tanh almost vanishes (tanh′(6) = 2.5e-5). So rules start at a smaller scale, with
// tanh.

namespace ndnf {

/// The conjunctions that a program's rules for actions consist of, as the nodes of one layer: each occurs
/// once, whichever actions and statements it serves. This is more than a DNF per action, because the user
/// locks rules by their statements.
struct RuleConjunctions {
  std::vector<Conjunction> conjunctions;            ///< None is empty.
  std::vector<std::set<ActionId>> actions;          ///< Per conjunction: the actions it supports.
  std::vector<std::set<std::size_t>> of_statement;  ///< Per statement of the program; empty for helpers.
};

/// The rules, with derived atoms replaced by their definitions. A body that always holds becomes two
/// conjunctions, an atom and its negation, because a conjunction without literals would be neither true nor
/// false: tanh(0) = 0. The scope is every_value of the vocabulary for ASP, the reachable observations for
/// ProbLog.
/// REQUIRES: the program can be bound to the scope's vocabulary.
RuleConjunctions rule_conjunctions(const Program& program, const Scope& scope);

/// The same for a compiled network, with its conjunctions as statements.
RuleConjunctions rule_conjunctions(const NeuralDnf<double>& compiled);

/// An actor whose first conjunctions are these rules, followed by the conjunctions of `spare`. Literals of
/// locked conjunctions have weights ±6, all others ±scale; the weight from a rule to its action is `scale`.
NeuralDnf<double> with_rules(const RuleConjunctions& rules, const std::set<std::size_t>& locked, double scale,
                             const NeuralDnf<double>& spare);

}  // namespace ndnf
