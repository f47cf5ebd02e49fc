#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/mdp/vocabulary.h"
#include "ndnf/nn/semi_symbolic.h"

namespace ndnf {

/// A disjunction of conjunctions of literals. One that is empty is false; an empty conjunction in it is true.
using Dnf = std::vector<std::vector<AtomLiteral>>;

/// A semi-symbolic node on its own: z = Σ w x + bias, true where z > 0. Inputs are ±1.
struct Node {
  std::vector<double> w;
  double bias = 0;
};

/// Node `column` of a layer, with its logical bias of Eq. (1).
Node node_of(const Matrix<double>& W, std::size_t column, NodeType type, BiasType bias, double delta);

/// The node as an equivalent DNF, exactly: all its prime implicants. A node is a threshold function, so a
/// conjunction implies it as soon as the worst input it leaves open still gives z > 0. `groups` tells which
/// inputs come as one-hot groups (observations) so that impossible inputs need not be told apart; each prime
/// is then a maximal box. Nothing if there are more than `most` primes, or finding them takes too long.
///
/// A node whose z is exactly 0 is false. A node without weights has no primes: it is neither.
std::optional<Dnf> disentangled(const Node& node, std::span<const AtomGroup> groups, std::size_t most);

/// The same for inputs that are free of each other, as the disjunctive layer's are.
std::optional<Dnf> disentangled(const Node& node, std::size_t most);

}  // namespace ndnf
