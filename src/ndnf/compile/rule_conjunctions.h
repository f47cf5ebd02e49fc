#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/model/layers.h"
#include "ndnf/syntax/program.h"

// Rules as a place to start learning from. A compiled network cannot learn: step has no slope, and at weights
// of ±6 tanh has next to none (tanh′(6) = 2.5e-5). So rules start at a smaller scale, with tanh.

namespace ndnf {

/// The conjunctions that a program's rules for actions consist of.
struct RuleConjunctions {
  std::vector<std::vector<AtomLiteral>> conjunctions;  ///< Each has a literal at least.
  std::vector<std::set<ActionId>> actions;             ///< Per conjunction: those that it is for.
  std::vector<std::set<std::size_t>> of_statement;     ///< Per statement of the program; empty for helpers.
};

/// The rules, with what the program defines replaced by its definitions. What always holds becomes two
/// conjunctions, an atom and its negation, since tanh(0) = 0 makes one without literals neither true nor
/// false. The scope is every_value of the vocabulary for ASP, what is reachable for ProbLog.
/// REQUIRES: the program can be bound to the scope's vocabulary.
RuleConjunctions rule_conjunctions(const Program& program, const Scope& scope);

/// The same of a compiled network, with its conjunctions as statements.
RuleConjunctions rule_conjunctions(const NeuralDnf<double>& compiled);

/// An actor that begins with these rules and has the conjunctions of `spare` behind them. The literals of
/// locked conjunctions have weights ±6, those of others ±scale; a rule's weight to its action is `scale`.
NeuralDnf<double> with_rules(const RuleConjunctions& rules, const std::set<std::size_t>& locked, double scale,
                             const NeuralDnf<double>& spare);

}  // namespace ndnf
