#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/ordered_rules.h"

namespace ndnf {

/// Class L, an ordered list: the first entry whose body holds decides, or `otherwise` if there is none.
struct DecisionList {
  std::vector<ActionRule> entries;
  ActionId otherwise = 0;
};

std::vector<ListBlock> blocks(const DecisionList& list);

/// The number of rules needed to write the list: one per entry, one for `otherwise`, one per named block.
std::size_t rule_count(const DecisionList& list);

/// A list with few rules that gives an allowed action in every observation of the scope. `allowed` is as for
/// extract_exactly. `starts` are correct lists; the result is never longer than the best of them.
///
/// A greedy heuristic without optimality proof: the next entry is the box that decides the most undecided
/// observations per cost. Observations decided by earlier entries may be in it, which is why lists can be
/// short. The search is repeated with several costs and random orders from a fixed seed.
DecisionList find_decision_list(const Scope& scope, std::span<const std::uint64_t> allowed,
                                std::span<const DecisionList> starts);

}  // namespace ndnf
