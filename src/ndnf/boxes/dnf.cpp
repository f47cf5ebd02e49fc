#include "ndnf/boxes/dnf.h"

namespace ndnf {

PositionSet members(const Conjunction& conjunction, const Scope& scope) {
  const Vocabulary& vocabulary = scope.vocabulary();
  PositionSet held = PositionSet::first(scope.size());
  for (const AtomLiteral& literal : conjunction) {
    const std::size_t g = vocabulary.group_of(literal.atom);
    const std::size_t value = vocabulary.group(g).one_hot ? literal.atom - vocabulary.first_atom(g) : 1;
    if (literal.positive) {
      PositionSet showing(scope.size());
      for (const std::uint32_t i : scope.positions(g, value)) showing.insert(i);
      held &= showing;
    } else {
      for (const std::uint32_t i : scope.positions(g, value)) held.erase(i);
    }
  }
  return held;
}

PositionSet members(const Dnf& dnf, const Scope& scope) {
  PositionSet held(scope.size());
  for (const Conjunction& conjunction : dnf) held |= members(conjunction, scope);
  return held;
}

Matrix<double> conjunctive_weights(std::span<const Conjunction> conjunctions, std::size_t atom_count) {
  Matrix<double> W(atom_count, conjunctions.size());
  for (std::size_t q = 0; q < conjunctions.size(); ++q) {
    for (const AtomLiteral& literal : conjunctions[q]) {
      W(literal.atom, q) = literal.positive ? kSymbolicWeight : -kSymbolicWeight;
    }
  }
  return W;
}

Conjunction literals_of_column(const Matrix<double>& W, std::size_t column) {
  Conjunction literals;
  for (std::size_t i = 0; i < W.rows(); ++i) {
    if (W(i, column) != 0) literals.push_back({static_cast<AtomId>(i), W(i, column) > 0});
  }
  return literals;
}

}  // namespace ndnf
