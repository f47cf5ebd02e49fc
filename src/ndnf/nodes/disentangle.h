#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/mdp/vocabulary.h"
#include "ndnf/nn/semi_symbolic.h"

namespace ndnf {

/// A single semi-symbolic node: z = Σ w x + bias, true where z > 0. Inputs are ±1.
struct Node {
  std::vector<double> w;
  double bias = 0;
};

/// Node `column` of a layer, with its logical bias of Eq. (1).
Node node_of(const Matrix<double>& W, std::size_t column, NodeType type, BiasType bias, double delta);

/// The node as an exactly equivalent DNF: all its prime implicants. A node is a threshold function, so a
/// conjunction implies it if the worst input that satisfies the conjunction still gives z > 0. `groups` says
/// which inputs form one-hot groups (observations), so that impossible inputs are don't-cares; each prime is
/// then a maximal box. Nothing if there are more than `most` primes, or if finding them takes too long.
///
/// A node with z exactly 0 is false. A node without weights has no primes: it is neither true nor false.
std::optional<Dnf> disentangled(const Node& node, std::span<const AtomGroup> groups, std::size_t most);

/// The same for independent inputs, such as those of the disjunctive layer.
std::optional<Dnf> disentangled(const Node& node, std::size_t most);

}  // namespace ndnf
