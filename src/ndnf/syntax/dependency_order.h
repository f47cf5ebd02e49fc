#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndnf {

/// The nodes that each node depends on.
using Dependencies = std::vector<std::vector<std::uint32_t>>;

struct DependencyOrder {
  std::vector<std::uint32_t> order;                ///< All nodes, each after its dependencies.
  std::vector<std::vector<std::uint32_t>> cycles;  ///< Each node depends on the next, the last on the first.
};

/// Topological order, linear in nodes and edges and without recursion, so chains may be deep. If there are
/// cycles, some of them are returned and the order is meaningless.
DependencyOrder order_by_dependency(const Dependencies& needs);

}  // namespace ndnf
