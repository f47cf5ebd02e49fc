#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/symbolic/box.h"
#include "ndnf/symbolic/scope.h"

namespace ndnf {

struct ExactOptions {
  std::size_t max_boxes = 4000;         ///< Per action; beyond, only some maximal boxes are tried.
  std::chrono::seconds time_limit{30};  ///< For what clingo is asked, all together.
};

struct ExactRule {
  ActionId action = 0;
  Box box;
  std::vector<std::size_t> members;  ///< The positions in the scope where it fires, rising.
};

/// Rules `action :- box`, as few as we can find. In every observation of the scope exactly one action holds,
/// an allowed one (several of its rules may fire).
struct ExactProgram {
  std::vector<ExactRule> rules;  ///< By action, the rule that fires most often first.
  std::size_t lower_bound = 0;   ///< No exactly-one program of boxes has fewer rules.
  bool proved_minimal = false;   ///< lower_bound == rules.size()
  std::string proof;             ///< What proves the bound: "fooling set" or "clingo".
  bool all_boxes = true;         ///< False: there were more than max_boxes, and only some were tried.
  /// Per action a fooling set, as positions in the scope (fooling_set.h).
  std::vector<std::vector<std::size_t>> witnesses;
};

/// `allowed` has one bit per action for each position of the scope; several where actions tie, at least one.
/// Rules are few first of all and then short: each has the fewest literals of some boxes that do its work.
/// Throws Error if two observations with the same atoms have no action in common, or clingo is needed but
/// missing.
ExactProgram extract_exactly(const Scope& scope, std::span<const std::uint64_t> allowed,
                             const ExactOptions& options = {});

}  // namespace ndnf
