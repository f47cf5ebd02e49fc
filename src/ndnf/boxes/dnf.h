#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/vocabulary.h"
#include "ndnf/nn/matrix.h"

// What rules are made of. Every result of extraction and every input of compilation is built from these
// types; boxes (box.h) are the sets of observations behind them, for the algorithms that search.

namespace ndnf {

/// An atom, or its negation. In rules over the nodes of a layer the "atoms" are the numbers of the nodes.
struct AtomLiteral {
  AtomId atom = 0;
  bool positive = true;
  auto operator<=>(const AtomLiteral&) const = default;
};

/// True where all literals hold; without literals, everywhere.
using Conjunction = std::vector<AtomLiteral>;

/// True where one of the conjunctions holds; without conjunctions, nowhere.
using Dnf = std::vector<Conjunction>;

/// `action :- body.` A policy's rules are a DNF per action, listed rule by rule where their order matters.
struct ActionRule {
  ActionId action = 0;
  Conjunction body;
};

/// The positions of the observations in which it holds.
PositionSet members(const Conjunction& conjunction, const Scope& scope);
PositionSet members(const Dnf& dnf, const Scope& scope);

/// ±6, the paper's symbolic weights: tanh(6) is 1 to five digits.
inline constexpr double kSymbolicWeight = 6;

/// A conjunctive layer for these conjunctions, (atoms, conjunctions), with weights ±6 and 0.
Matrix<double> conjunctive_weights(std::span<const Conjunction> conjunctions, std::size_t atom_count);

/// The reverse, for any weights: the literals with a weight in a column, by its sign. In ascending order.
Conjunction literals_of_column(const Matrix<double>& W, std::size_t column);

}  // namespace ndnf
