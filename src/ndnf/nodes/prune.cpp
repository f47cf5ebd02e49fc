#include "ndnf/nodes/prune.h"

namespace ndnf {
namespace {

std::size_t prune_disjunctive_edges(ScopedDnf& network, const OutputCheck& check) {
  std::size_t removed = 0;
  for (std::size_t j = 0; j < network.action_count(); ++j) {
    for (std::size_t q = 0; q < network.conjunction_count(); ++q) {
      if (network.disjunctive(j, q) != 0 && network.remove_disjunctive_edge(j, q, check)) ++removed;
    }
  }
  return removed;
}

std::size_t clear_unused_conjunctions(ScopedDnf& network) {
  std::size_t cleared = 0;
  for (std::size_t q = 0; q < network.conjunction_count(); ++q) {
    if (network.is_used(q) || network.is_empty(q)) continue;
    network.clear(q);
    ++cleared;
  }
  return cleared;
}

std::size_t prune_conjunctive_edges(ScopedDnf& network, const OutputCheck& check) {
  std::size_t removed = 0;
  for (std::size_t q = 0; q < network.conjunction_count(); ++q) {
    for (std::size_t i = 0; i < network.input_count(); ++i) {
      if (network.conjunctive(q, i) != 0 && network.remove_conjunctive_edge(q, i, check)) ++removed;
    }
  }
  return removed;
}

std::size_t prune_uses_of_empty_conjunctions(ScopedDnf& network, const OutputCheck& check) {
  std::size_t removed = 0;
  for (std::size_t q = 0; q < network.conjunction_count(); ++q) {
    if (network.is_used(q) && network.is_empty(q) && network.remove_uses(q, check)) ++removed;
  }
  return removed;
}

}  // namespace

// Greedy, in the fixed order of the edges. It terminates because each pass but the last removes an edge or
// clears a conjunction. The result is locally minimal: `check` rejects every single further removal. A pass
// tries each edge once, at a cost of O(n · (conjunctions + actions)) for n observations, plus the check.
std::vector<PrunePass> prune(ScopedDnf& network, const OutputCheck& check) {
  std::vector<PrunePass> passes;
  do {
    PrunePass& pass = passes.emplace_back();
    pass.disjunctive_edges = prune_disjunctive_edges(network, check);
    pass.unused_conjunctions = clear_unused_conjunctions(network);
    pass.conjunctive_edges = prune_conjunctive_edges(network, check);
    pass.uses_of_empty_conjunctions = prune_uses_of_empty_conjunctions(network, check);
  } while (passes.back().total() > 0);
  return passes;
}

}  // namespace ndnf
