#include "ndnf/boxes/exact_rules.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/boxes/box.h"
#include "ndnf/boxes/box_placement.h"
#include "ndnf/boxes/fooling_set.h"
#include "ndnf/boxes/greedy_rules.h"
#include "ndnf/boxes/maximal_boxes.h"
#include "ndnf/boxes/minimum_cover.h"

namespace ndnf {
namespace {

using Masks = std::span<const std::uint64_t>;

/// Rules for allowed actions that together cover every observation. Where actions tie, rules for several
/// actions may fire in the same observation.
struct LooseCover {
  std::vector<ActionRule> rules;
  std::size_t lower_bound = 0;      ///< No exactly-one program of boxes has fewer rules.
  std::vector<std::size_t> covers;  ///< As in ExactProgram.
  bool all_boxes = true;
};

PositionSet set_of(const Scope& scope, const std::vector<std::size_t>& positions) {
  PositionSet set(scope.size());
  for (const std::size_t i : positions) set.insert(i);
  return set;
}

/// The rule that fires in these observations. REQUIRES: they are the members of their hull.
ActionRule rule_of(ActionId action, const PositionSet& positions, const Scope& scope) {
  return {action, literals(hull(scope, positions), scope)};
}

/// Without ties, each action is a separate cover problem. Maximal legal boxes suffice: growing a box within
/// the observations of its action keeps a program correct.
LooseCover cover_by_action(const Scope& scope, Masks allowed, const ExactProgram& program,
                           const ExactOptions& options) {
  LooseCover result;
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    const PositionSet inside = allowing(scope, allowed, a);
    const LegalBoxes legal = maximal_boxes(scope, inside, options.max_boxes);
    const Cover cover =
        minimum_cover(inside, legal.members, set_of(scope, program.witnesses[a]), options.solve_limit);
    for (const std::size_t s : cover.chosen) result.rules.push_back(rule_of(a, legal.members[s], scope));
    result.all_boxes = result.all_boxes && legal.complete;
    result.covers.push_back(legal.complete ? cover.lower_bound : program.witnesses[a].size());
    result.lower_bound += result.covers.back();
  }
  return result;
}

/// With ties, an observation is covered by a box of any action that it allows. This drops the exactly-one
/// condition, so the minimum is a lower bound.
LooseCover cover_jointly(const Scope& scope, Masks allowed, const ExactProgram& program,
                         const ExactOptions& options) {
  LooseCover result;
  std::vector<PositionSet> sets;
  std::vector<ActionId> action_of;
  PositionSet witnesses(scope.size());
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    const LegalBoxes legal = maximal_boxes(scope, allowing(scope, allowed, a), options.max_boxes);
    sets.insert(sets.end(), legal.members.begin(), legal.members.end());
    action_of.resize(sets.size(), a);
    witnesses |= set_of(scope, program.witnesses[a]);
    result.all_boxes = result.all_boxes && legal.complete;
  }
  const Cover cover = minimum_cover(PositionSet::first(scope.size()), sets, witnesses, options.solve_limit);
  for (const std::size_t s : cover.chosen) result.rules.push_back(rule_of(action_of[s], sets[s], scope));
  result.lower_bound = result.all_boxes ? cover.lower_bound : witnesses.size();
  return result;
}

/// One action per observation: that of the rule that fires there and fires most often.
std::vector<std::uint64_t> settled(const Scope& scope, const std::vector<ActionRule>& rules) {
  std::vector<std::uint64_t> action(scope.size());
  std::vector<std::size_t> largest(scope.size());
  for (const ActionRule& rule : rules) {
    const std::vector<std::uint32_t> members = ndnf::members(rule.body, scope).values();
    for (const std::uint32_t i : members) {
      if (members.size() <= largest[i]) continue;
      largest[i] = members.size();
      action[i] = std::uint64_t{1} << rule.action;
    }
  }
  return action;
}

/// Asks clingo for exactly `lower_bound` boxes and raises the bound by one whenever that is proved
/// impossible, until the bounds meet or clingo reaches its limit.
void place_fewer(const Scope& scope, Masks allowed, std::uint64_t solve_limit, ExactProgram& program) {
  while (program.lower_bound < program.rules.size()) {
    Placement placement = place_boxes(scope, allowed, program.witnesses, program.lower_bound, solve_limit);
    if (placement.rules) {
      program.rules = std::move(*placement.rules);
    } else if (placement.impossible) {
      ++program.lower_bound;
    } else {
      return;
    }
  }
}

/// Sets the rules and bounds of the program. Without ties the minimum covers of the actions are already
/// optimal, if all maximal boxes were available. Otherwise they are an upper bound (with ties: after fixing
/// one action per observation by the joint cover), which place_fewer tries to improve. Cover and placement
/// are NP-hard; options.solve_limit bounds each call of clingo.
void find_rules(const Scope& scope, Masks allowed, const ExactOptions& options, ExactProgram& program) {
  const bool ties = has_ties(allowed);
  LooseCover cover = ties ? cover_jointly(scope, allowed, program, options)
                          : cover_by_action(scope, allowed, program, options);
  program.all_boxes = cover.all_boxes;
  program.lower_bound = cover.lower_bound;
  program.covers = cover.covers;
  if (ties) cover = cover_by_action(scope, settled(scope, cover.rules), program, options);
  program.rules = std::move(cover.rules);
  if (ties || !cover.all_boxes) place_fewer(scope, allowed, options.solve_limit, program);
}

/// About how many words of bit sets the search reads: it compares all pairs of an action's observations.
std::uint64_t search_work(const Scope& scope, Masks allowed) {
  std::uint64_t work = 0;
  for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a) {
    const std::uint64_t count = allowing(scope, allowed, a).size();
    work += count * count * (scope.size() / 64 + 1) * (scope.varying_groups().size() / 64 + 1);
  }
  return work;
}

/// A bound without a search: an action that is the only one allowed somewhere needs a rule.
void bound_simply(const Scope& scope, Masks allowed, ExactProgram& program) {
  program.witnesses.resize(scope.vocabulary().action_count());
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (std::popcount(allowed[i]) != 1) continue;
    auto& witnesses = program.witnesses[static_cast<std::size_t>(std::countr_zero(allowed[i]))];
    if (witnesses.empty()) witnesses.push_back(i);
  }
  for (const auto& witnesses : program.witnesses) {
    program.lower_bound += witnesses.size();
    if (!has_ties(allowed)) program.covers.push_back(witnesses.size());
  }
  program.proof = "fooling set";
  program.all_boxes = false;
}

/// Looks for witnesses, fewer rules and a proof.
void search(const Scope& scope, Masks allowed, const ExactOptions& options, ExactProgram& program) {
  program.searched = true;
  std::size_t witness_count = 0;
  for (ActionId a = 0; a < program.witnesses.size(); ++a) {
    program.witnesses[a] = find_fooling_set(scope, allowed, a);
    witness_count += program.witnesses[a].size();
  }
  find_rules(scope, allowed, options, program);
  shorten(scope, program.rules);
  program.proof = program.lower_bound == witness_count ? "fooling set" : "clingo";
}

}  // namespace

std::size_t ExactProgram::rules_for(ActionId action) const {
  return static_cast<std::size_t>(std::count_if(
      rules.begin(), rules.end(), [&](const ActionRule& rule) { return rule.action == action; }));
}

bool has_ties(Masks allowed) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [](std::uint64_t mask) { return std::popcount(mask) > 1; });
}

std::optional<std::size_t> inseparable(const Scope& scope, Masks allowed) {
  const std::vector<std::uint32_t> alike = scope.first_alike();
  std::vector<std::uint64_t> common(allowed.begin(), allowed.end());
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if ((common[alike[i]] &= allowed[i]) == 0) return i;
  }
  return std::nullopt;
}

ExactProgram extract_exactly(const Scope& scope, std::span<const std::uint64_t> allowed,
                             const ExactOptions& options) {
  assert(allowed.size() == scope.size());
  if (const auto position = inseparable(scope, allowed)) {
    throw Error("exact extraction",
                fmt::format("no rule can tell \"{}\" from another observation with the same atoms that needs "
                            "another action",
                            scope.table().describe(scope.observations()[*position])));
  }
  ExactProgram program;
  program.rules = greedy_rules(scope, allowed);
  shorten(scope, program.rules);
  std::vector<ActionRule> few = program.rules;
  bound_simply(scope, allowed, program);
  if (search_work(scope, allowed) <= options.search_limit) {
    search(scope, allowed, options, program);
    if (few.size() < program.rules.size()) program.rules = std::move(few);
  }
  sort_rules(scope, program.rules);
  program.proved_minimal = program.lower_bound == program.rules.size();
  return program;
}

}  // namespace ndnf
