#include "ndnf/boxes/default_form.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ndnf/boxes/fooling_set.h"
#include "ndnf/boxes/maximal_boxes.h"
#include "ndnf/boxes/minimum_cover.h"

namespace ndnf {
namespace {

using Masks = std::span<const std::uint64_t>;

/// The program with all rules of `otherwise` replaced by one default rule.
DefaultProgram without(ActionId otherwise, const ExactProgram& exact) {
  DefaultProgram program;
  program.otherwise = otherwise;
  std::copy_if(exact.rules.begin(), exact.rules.end(), std::back_inserter(program.rules),
               [&](const ActionRule& rule) { return rule.action != otherwise; });
  return program;
}

ActionId most_rules(const ExactProgram& exact) {
  ActionId most = 0;
  for (ActionId a = 1; a < exact.witnesses.size(); ++a) {
    if (exact.rules_for(a) > exact.rules_for(most)) most = a;
  }
  return most;
}

/// 1 + Σ c − max c. Without ties the rules of an action must cover exactly its observations, so every action
/// but the default needs its own minimum cover.
std::size_t all_but_the_largest(const std::vector<std::size_t>& covers) {
  return 1 + std::accumulate(covers.begin(), covers.end(), std::size_t{0}) -
         *std::max_element(covers.begin(), covers.end());
}

std::vector<std::size_t> sizes(const std::vector<std::vector<std::size_t>>& sets) {
  std::vector<std::size_t> counts;
  for (const auto& set : sets) counts.push_back(set.size());
  return counts;
}

/// Boxes of the other actions that cover every observation which does not allow `otherwise`.
struct OtherBoxes {
  std::vector<std::pair<ActionId, PositionSet>> boxes;
  std::size_t lower_bound = 0;  ///< For programs with this default, the default rule not counted.
};

// A relaxation: boxes of different actions may overlap, which a program of class D does not allow. Its
// minimum is therefore a lower bound, but its boxes are only a proposal for which action gets which
// observation.
OtherBoxes cover_others(ActionId otherwise, const Scope& scope, Masks allowed, const ExactProgram& exact,
                        const ExactOptions& options) {
  PositionSet needed = PositionSet::first(scope.size());
  needed -= allowing(scope, allowed, otherwise);
  PositionSet witnesses(scope.size());
  std::vector<PositionSet> sets;
  std::vector<ActionId> action_of;
  bool complete = true;
  for (ActionId a = 0; a < exact.witnesses.size(); ++a) {
    if (a == otherwise) continue;
    const LegalBoxes legal = maximal_boxes(scope, allowing(scope, allowed, a), options.max_boxes);
    sets.insert(sets.end(), legal.members.begin(), legal.members.end());
    action_of.resize(sets.size(), a);
    complete = complete && legal.complete;
    for (const std::size_t i : exact.witnesses[a]) witnesses.insert(i);
  }
  const Cover cover = minimum_cover(needed, sets, witnesses, options.solve_limit);
  OtherBoxes result;
  for (const std::size_t s : cover.chosen) result.boxes.emplace_back(action_of[s], sets[s]);
  result.lower_bound = complete ? cover.lower_bound : witnesses.size();
  return result;
}

/// One action per observation: that of the largest box that contains it, or else the default.
std::vector<std::uint64_t> settled(const OtherBoxes& others, ActionId otherwise, const Scope& scope) {
  std::vector<std::uint64_t> action(scope.size(), std::uint64_t{1} << otherwise);
  std::vector<std::size_t> largest(scope.size());
  for (const auto& [a, box] : others.boxes) {
    for (const std::uint32_t i : box.values()) {
      if (box.size() <= largest[i]) continue;
      largest[i] = box.size();
      action[i] = std::uint64_t{1} << a;
    }
  }
  return action;
}

// Per default action: solve the relaxation, fix one action per observation by it, and find the exact program
// for that. Costs one joint cover and one exact extraction per action.
DefaultProgram with_ties(const Scope& scope, Masks allowed, const ExactProgram& exact,
                         const ExactOptions& options) {
  DefaultProgram best = without(most_rules(exact), exact);
  std::size_t lower_bound = best.size();
  for (ActionId d = 0; d < exact.witnesses.size(); ++d) {
    const OtherBoxes others = cover_others(d, scope, allowed, exact, options);
    lower_bound = std::min(lower_bound, 1 + others.lower_bound);
    DefaultProgram found = without(d, extract_exactly(scope, settled(others, d, scope), options));
    if (found.size() < best.size()) best = std::move(found);
  }
  best.lower_bound = lower_bound;
  return best;
}

}  // namespace

DefaultProgram default_form(const Scope& scope, Masks allowed, const ExactProgram& exact,
                            const ExactOptions& options) {
  DefaultProgram program;
  if (has_ties(allowed)) {
    program = with_ties(scope, allowed, exact, options);
  } else {
    program = without(most_rules(exact), exact);
    program.lower_bound = all_but_the_largest(exact.covers);
  }
  const bool by_witnesses = program.lower_bound == all_but_the_largest(sizes(exact.witnesses));
  program.proof = by_witnesses ? "fooling set" : "clingo";
  return program;
}

}  // namespace ndnf
