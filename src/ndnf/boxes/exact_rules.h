#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/boxes/solve_limit.h"

namespace ndnf {

inline constexpr std::uint64_t kSearchLimit = 200'000'000;

struct ExactOptions {
  std::size_t max_boxes = 4000;             ///< Per action; beyond this, only some maximal boxes are tried.
  std::uint64_t solve_limit = kSolveLimit;  ///< For each call of clingo.
  /// Words of bit sets that the search for fewer rules and for their bound may read, about: it grows with
  /// the cube of the scope. A larger scope gets the rules of greedy_rules.h, without a search.
  std::uint64_t search_limit = kSearchLimit;
};

/// As few rules as we can find. In every observation of the scope exactly one action holds, and it is an
/// allowed one (several of its rules may fire).
struct ExactProgram {
  std::vector<ActionRule> rules;  ///< By action, the rule that fires most often first.
  std::size_t lower_bound = 0;    ///< No exactly-one program of boxes has fewer rules (class E).
  bool proved_minimal = false;    ///< lower_bound == rules.size()
  std::string proof;              ///< The proof of the bound: "fooling set" or "clingo".
  bool all_boxes = true;          ///< False if there were more than max_boxes and only some were tried.
  bool searched = false;          ///< False if the search would have exceeded its limit.
  /// Per action a fooling set, as positions in the scope (fooling_set.h).
  std::vector<std::vector<std::size_t>> witnesses;
  /// Per action a lower bound on the boxes that cover its observations. Empty if actions tie: then it is not
  /// fixed which observations these are.
  std::vector<std::size_t> covers;

  std::size_t rules_for(ActionId action) const;
};

/// True if some observation allows several actions.
bool has_ties(std::span<const std::uint64_t> allowed);

/// The position in the scope of an observation that no rules can serve, because another observation with the
/// same atoms shares no allowed action with it; nothing if there is none.
std::optional<std::size_t> inseparable(const Scope& scope, std::span<const std::uint64_t> allowed);

/// `allowed` has one bit per action for each position of the scope: at least one, several where actions tie.
/// The number of rules comes first, then their length: each rule has the fewest literals among the boxes
/// tried in its place. Throws Error if an observation is inseparable, or if clingo is needed but missing.
ExactProgram extract_exactly(const Scope& scope, std::span<const std::uint64_t> allowed,
                             const ExactOptions& options = {});

}  // namespace ndnf
