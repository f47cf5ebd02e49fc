#include "ndnf/boxes/greedy_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/fooling_set.h"
#include "ndnf/boxes/maximal_boxes.h"

namespace ndnf {
namespace {

/// Per position, the actions that all observations with the same atoms allow.
std::vector<std::uint64_t> common_actions(const Scope& scope, std::span<const std::uint64_t> allowed) {
  const std::vector<std::uint32_t> alike = scope.first_alike();
  std::vector<std::uint64_t> common(allowed.begin(), allowed.end());
  for (std::size_t i = 0; i < common.size(); ++i) common[alike[i]] &= allowed[i];
  for (std::size_t i = 0; i < common.size(); ++i) common[i] = common[alike[i]];
  return common;
}

/// A candidate for the next rule.
struct Candidate {
  ActionId action = 0;
  Box box;
  PositionSet members;
  std::size_t gain = 0;
  std::size_t literals = 0;

  bool better_than(const Candidate& other) const {
    return gain != other.gain ? gain > other.gain : literals < other.literals;
  }
};

class GreedySearch {
 public:
  GreedySearch(const Scope& scope, std::span<const std::uint64_t> allowed)
      : scope_(scope), orders_(group_rotations(scope)), left_(PositionSet::first(scope.size())) {
    const std::vector<std::uint64_t> common = common_actions(scope, allowed);
    for (ActionId a = 0; a < scope.vocabulary().action_count(); ++a)
      inside_.push_back(allowing(scope, common, a));
  }

  /// A single action, in these observations only.
  GreedySearch(const Scope& scope, const PositionSet& inside)
      : scope_(scope), orders_(group_rotations(scope)), inside_{inside}, left_(inside) {}

  std::vector<ActionRule> run() {
    std::vector<ActionRule> rules;
    const std::vector<std::uint32_t> seeds = left_.values();
    for (const std::uint32_t seed : seeds) {
      if (!left_.contains(seed)) continue;
      const Candidate best = best_around(seed);
      rules.push_back({best.action, literals(best.box, scope_)});
      left_ -= best.members;
      for (ActionId a = 0; a < inside_.size(); ++a) {
        if (a != best.action) inside_[a] -= best.members;  // where actions tie, this one is taken now
      }
    }
    return rules;
  }

 private:
  Candidate best_around(std::size_t seed) const {
    std::optional<Candidate> best;
    for (ActionId a = 0; a < inside_.size(); ++a) {
      if (!inside_[a].contains(seed)) continue;
      const Box core = hull(scope_, std::array{seed});
      for (const std::vector<std::size_t>& order : orders_) {
        Candidate next{a, grown(core, scope_, inside_[a], order), {}, 0, 0};
        next.members = members(next.box, scope_);
        next.gain = common(next.members, left_);
        next.literals = literals(next.box, scope_).size();
        if (!best || next.better_than(*best)) best = std::move(next);
      }
    }
    return std::move(*best);
  }

  const Scope& scope_;
  std::vector<std::vector<std::size_t>> orders_;  // in which groups are widened
  std::vector<PositionSet> inside_;               // per action: where it may still be taken
  PositionSet left_;
};

/// Replaces each body, the last first, by a shorter one that still holds where no other does, and removes
/// those without such a part. `inside` is where one of them holds.
void shorten_cover(const Scope& scope, const PositionSet& inside, std::vector<Conjunction>& bodies) {
  std::vector<std::uint32_t> covered(scope.size(), 0);  // how many bodies hold
  for (const Conjunction& body : bodies)
    members(body, scope).for_each([&](std::uint32_t i) { ++covered[i]; });
  for (std::size_t k = bodies.size(); k-- > 0;) {
    PositionSet needed(scope.size());
    members(bodies[k], scope).for_each([&](std::uint32_t i) {
      if (--covered[i] == 0) needed.insert(i);
    });
    if (needed.empty()) {
      bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(k));
      continue;
    }
    const Box box = shortest_box(scope, needed, inside);
    bodies[k] = literals(box, scope);
    members(box, scope).for_each([&](std::uint32_t i) { ++covered[i]; });
  }
}

}  // namespace

std::vector<Conjunction> greedy_cover(const Scope& scope, const PositionSet& inside) {
  GreedySearch search(scope, inside);
  std::vector<Conjunction> bodies;
  for (ActionRule& rule : search.run()) bodies.push_back(std::move(rule.body));
  shorten_cover(scope, inside, bodies);
  return bodies;
}

std::vector<ActionRule> greedy_rules(const Scope& scope, std::span<const std::uint64_t> allowed) {
  return GreedySearch(scope, allowed).run();
}

void shorten(const Scope& scope, std::vector<ActionRule>& rules) {
  std::map<ActionId, std::vector<Conjunction>> bodies;
  for (ActionRule& rule : rules) bodies[rule.action].push_back(std::move(rule.body));
  rules.clear();
  for (auto& [action, own] : bodies) {
    shorten_cover(scope, members(own, scope), own);
    for (Conjunction& body : own) rules.push_back({action, std::move(body)});
  }
}

void sort_rules(const Scope& scope, std::vector<ActionRule>& rules) {
  using Keyed = std::pair<std::pair<ActionId, std::size_t>, ActionRule>;
  std::vector<Keyed> keyed;
  for (ActionRule& rule : rules) {
    const std::size_t silent = scope.size() - members(rule.body, scope).size();
    keyed.emplace_back(std::pair(rule.action, silent), std::move(rule));
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const Keyed& x, const Keyed& y) { return x.first < y.first; });
  std::transform(keyed.begin(), keyed.end(), rules.begin(),
                 [](Keyed& entry) { return std::move(entry.second); });
}

}  // namespace ndnf
