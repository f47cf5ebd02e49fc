#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/boxes/box_placement.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

/// Class L, an ordered list: the first entry whose box holds decides; where none does, `otherwise`.
struct DecisionList {
  std::vector<ActionBox> entries;
  ActionId otherwise = 0;
};

/// Entries of one action in a row, [begin, end). They need no order among themselves.
struct ListBlock {
  ActionId action = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool named =
      false;  ///< Its action comes again further down, so that it takes a helper atom to refer to it.
};
std::vector<ListBlock> blocks(const DecisionList& list);

/// How many rules it takes to write the list: one per entry, one for the end, and one per named block.
std::size_t rule_count(const DecisionList& list);

/// A list with few rules that gives an allowed action in every observation of the scope. `allowed` is as for
/// extract_exactly; `starts` are lists that do this, the best of which is what there is to beat.
///
/// Greedy: the next entry is always the box that settles most of what is left for what it costs. What earlier
/// entries have settled does not matter to it, which is why lists can be short. Repeated with other weights
/// and random orders, always the same ones. Never a proof of anything.
DecisionList find_decision_list(const Scope& scope, std::span<const std::uint64_t> allowed,
                                std::span<const DecisionList> starts);

}  // namespace ndnf
