#include "ndnf/symbolic/exact_rules.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/symbolic/box_placement.h"
#include "ndnf/symbolic/deadline.h"
#include "ndnf/symbolic/fooling_set.h"
#include "ndnf/symbolic/maximal_boxes.h"
#include "ndnf/symbolic/minimum_cover.h"

namespace ndnf {
namespace {

using Masks = std::span<const std::uint64_t>;

/// Boxes of allowed actions that together hold every observation. Where actions tie, boxes of several may
/// hold it.
struct LooseCover {
  std::vector<ActionBox> boxes;
  std::size_t lower_bound = 0;  ///< Holds for any exactly-one program if all maximal boxes were tried.
  bool all_boxes = true;
};

void require_covered(const Scope& scope, const std::vector<PositionSet>& sets) {
  PositionSet left = PositionSet::first(scope.size());
  for (const PositionSet& set : sets) left -= set;
  if (left.empty()) return;
  const ObsId obs = scope.observations()[left.values().front()];
  throw Error(
      "exact extraction",
      fmt::format("no rule can tell \"{}\" from another observation with the same atoms that needs another "
                  "action",
                  scope.table().describe(obs)));
}

LooseCover cover_loosely(const Scope& scope, Masks allowed, const PositionSet& witnesses,
                         std::size_t max_boxes, const Deadline& deadline) {
  LooseCover result;
  std::vector<PositionSet> sets;
  std::vector<ActionId> action_of;
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    const LegalBoxes legal = maximal_boxes(scope, allowing(scope, allowed, a), max_boxes);
    sets.insert(sets.end(), legal.members.begin(), legal.members.end());
    action_of.resize(sets.size(), a);
    result.all_boxes = result.all_boxes && legal.complete;
  }
  require_covered(scope, sets);
  const Cover cover = minimum_cover(scope.size(), sets, witnesses, deadline);
  for (const std::size_t s : cover.chosen) result.boxes.push_back({action_of[s], hull(scope, sets[s])});
  result.lower_bound = cover.lower_bound;
  return result;
}

/// One action per observation: of the boxes that hold it, that of the largest.
std::vector<std::uint64_t> settled(const Scope& scope, const std::vector<ActionBox>& boxes) {
  std::vector<std::uint64_t> action(scope.size());
  std::vector<std::size_t> largest(scope.size());
  for (const ActionBox& b : boxes) {
    const std::vector<std::uint32_t> members = ndnf::members(b.box, scope).values();
    for (const std::uint32_t i : members) {
      if (members.size() <= largest[i]) continue;
      largest[i] = members.size();
      action[i] = std::uint64_t{1} << b.action;
    }
  }
  return action;
}

bool has_ties(Masks allowed) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [](std::uint64_t mask) { return std::popcount(mask) > 1; });
}

/// Looks for fewer boxes, from the lower bound up, and raises the bound whenever there are none.
void place_fewer(const Scope& scope, Masks allowed, const Deadline& deadline, ExactProgram& program,
                 std::vector<ActionBox>& boxes) {
  while (program.lower_bound < boxes.size() && !deadline.over()) {
    Placement placement =
        place_boxes(scope, allowed, program.witnesses, program.lower_bound, deadline.share());
    if (placement.boxes) {
      boxes = std::move(*placement.boxes);
    } else if (placement.impossible) {
      ++program.lower_bound;
    } else {
      return;
    }
  }
}

PositionSet all_witnesses(const Scope& scope, const ExactProgram& program) {
  PositionSet all(scope.size());
  for (const std::vector<std::size_t>& positions : program.witnesses) {
    for (const std::size_t i : positions) all.insert(i);
  }
  return all;
}

/// Boxes for an exactly-one program. Fills in what of the program tells how good they are.
std::vector<ActionBox> find_boxes(const Scope& scope, Masks allowed, const ExactOptions& options,
                                  ExactProgram& program) {
  const Deadline deadline(options.time_limit);
  const PositionSet witnesses = all_witnesses(scope, program);
  LooseCover cover = cover_loosely(scope, allowed, witnesses, options.max_boxes, deadline);
  program.all_boxes = cover.all_boxes;
  program.lower_bound = cover.all_boxes ? cover.lower_bound : witnesses.size();
  if (has_ties(allowed)) {
    cover = cover_loosely(scope, settled(scope, cover.boxes), witnesses, options.max_boxes, deadline);
  } else if (cover.all_boxes) {
    return std::move(cover.boxes);
  }
  place_fewer(scope, allowed, deadline, program, cover.boxes);
  return std::move(cover.boxes);
}

/// The orders in which groups are given up for shorter rules: all where they are few.
std::vector<std::vector<std::size_t>> group_orders(std::size_t group_count) {
  constexpr std::size_t kFew = 4;
  std::vector<std::size_t> order(group_count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> orders;
  if (group_count <= kFew) {
    do {
      orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
  } else {
    for (std::size_t k = 0; k < group_count; ++k) {
      orders.push_back(order);
      std::rotate(order.begin(), order.begin() + 1, order.end());
    }
  }
  return orders;
}

/// The shortest box found that holds `needed` and nothing but `inside`.
Box shortest(const Scope& scope, const PositionSet& needed, const PositionSet& inside) {
  const Box core = hull(scope, needed);
  const auto length = [&](const Box& box) {
    return std::pair(literals(box, scope).size(), splits(box, scope));
  };
  Box best = core;
  for (const std::vector<std::size_t>& order : group_orders(core.groups.size())) {
    Box box = grown(core, scope, inside, order);
    if (length(box) < length(best)) best = std::move(box);
  }
  return best;
}

/// Replaces each box by a shorter one that holds at least what no other box of its action does, and leaves
/// out those without such a part.
void shorten(const Scope& scope, std::vector<ActionBox>& boxes) {
  for (std::size_t k = boxes.size(); k-- > 0;) {
    PositionSet needed = members(boxes[k].box, scope);
    PositionSet inside = PositionSet::first(scope.size());
    for (std::size_t l = 0; l < boxes.size(); ++l) {
      if (l == k) continue;
      (boxes[l].action == boxes[k].action ? needed : inside) -= members(boxes[l].box, scope);
    }
    if (needed.empty()) {
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(k));
    } else {
      boxes[k].box = shortest(scope, needed, inside);
    }
  }
}

ExactRule rule_of(const ActionBox& b, const Scope& scope) {
  const std::vector<std::uint32_t> members = ndnf::members(b.box, scope).values();
  return {b.action, b.box, {members.begin(), members.end()}};
}

}  // namespace

ExactProgram extract_exactly(const Scope& scope, std::span<const std::uint64_t> allowed,
                             const ExactOptions& options) {
  assert(allowed.size() == scope.size());
  ExactProgram program;
  std::size_t witness_count = 0;
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    program.witnesses.push_back(find_fooling_set(scope, allowed, a));
    witness_count += program.witnesses.back().size();
  }
  std::vector<ActionBox> boxes = find_boxes(scope, allowed, options, program);
  shorten(scope, boxes);
  for (const ActionBox& b : boxes) program.rules.push_back(rule_of(b, scope));
  std::stable_sort(program.rules.begin(), program.rules.end(), [](const ExactRule& x, const ExactRule& y) {
    return std::tuple(x.action, y.members.size()) < std::tuple(y.action, x.members.size());
  });
  program.proved_minimal = program.lower_bound == program.rules.size();
  program.proof = program.lower_bound == witness_count ? "fooling set" : "clingo";
  return program;
}

}  // namespace ndnf
