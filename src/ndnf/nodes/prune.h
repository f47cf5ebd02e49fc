#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/nodes/scoped_dnf.h"

namespace ndnf {

/// What one pruning pass removed.
struct PrunePass {
  std::size_t disjunctive_edges = 0;
  std::size_t unused_conjunctions = 0;
  std::size_t conjunctive_edges = 0;
  std::size_t uses_of_empty_conjunctions = 0;

  std::size_t total() const {
    return disjunctive_edges + unused_conjunctions + conjunctive_edges + uses_of_empty_conjunctions;
  }
};

/// The paper's post-training steps 1 and 3: removes every edge whose removal `check` accepts, pass by pass,
/// until a pass removes nothing. Each removal is checked against the original network, so small changes
/// cannot add up.
std::vector<PrunePass> prune(ScopedDnf& network, const OutputCheck& check);

}  // namespace ndnf
