#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndnf {

/// Which nodes each node needs.
using Dependencies = std::vector<std::vector<std::uint32_t>>;

struct DependencyOrder {
  std::vector<std::uint32_t> order;                ///< All nodes, each after what it needs.
  std::vector<std::vector<std::uint32_t>> cycles;  ///< Each node needs the next, the last one the first.
};

/// Linear in nodes and edges, however deep the chains are. With cycles, some of them are given and the order
/// is of no use.
DependencyOrder order_by_dependency(const Dependencies& needs);

}  // namespace ndnf
