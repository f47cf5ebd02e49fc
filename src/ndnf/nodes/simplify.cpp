#include "ndnf/nodes/simplify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ndnf/boxes/minimum_cover.h"

namespace ndnf {
namespace {

// The meaning of a node in the scope: another node with the same truth values, or a constant.
struct Standing {
  std::optional<bool> constant;
  std::size_t same_as = 0;
};

std::vector<Standing> standings(const std::vector<Dnf>& nodes, const Scope& scope) {
  std::vector<Standing> result;
  std::map<PositionSet, std::size_t> first;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const PositionSet held = members(nodes[k], scope);
    Standing& standing = result.emplace_back();
    standing.same_as = first.emplace(held, k).first->second;
    if (held.empty()) standing.constant = false;
    if (held.size() == scope.size()) standing.constant = true;
  }
  return result;
}

// The body without literals that always hold; nothing if it can never hold.
std::optional<Conjunction> simplified(const Conjunction& body, const std::vector<Standing>& standings) {
  std::set<AtomLiteral> kept;
  for (const AtomLiteral& literal : body) {
    const Standing& standing = standings[literal.atom];
    if (standing.constant) {
      if (*standing.constant != literal.positive) return std::nullopt;
      continue;
    }
    const AtomLiteral own{static_cast<AtomId>(standing.same_as), literal.positive};
    if (kept.contains({own.atom, !own.positive})) return std::nullopt;
    kept.insert(own);
  }
  return Conjunction(kept.begin(), kept.end());
}

// Without literals that hold in the whole scope, and without conjunctions that have a literal that never
// holds.
Dnf without_constants(const Dnf& dnf, const Scope& scope) {
  Dnf result;
  for (const Conjunction& conjunction : dnf) {
    Conjunction kept;
    bool possible = true;
    for (const AtomLiteral& literal : conjunction) {
      const std::size_t holding = members(Conjunction{literal}, scope).size();
      if (holding == 0) possible = false;
      if (holding < scope.size()) kept.push_back(literal);
    }
    if (possible) result.push_back(std::move(kept));
  }
  return result;
}

}  // namespace

Dnf irredundant(const Dnf& dnf, const Scope& scope) {
  std::vector<std::pair<PositionSet, std::size_t>> largest_first;
  for (std::size_t c = dnf.size(); c-- > 0;) largest_first.emplace_back(members(dnf[c], scope), c);
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  std::vector<PositionSet> sets;
  for (const auto& entry : largest_first) sets.push_back(entry.first);
  std::set<std::size_t> kept;
  for (const std::size_t k : irredundant(sets)) kept.insert(largest_first[k].second);
  Dnf result;
  for (const std::size_t c : kept) result.push_back(dnf[c]);
  return result;
}

void simplify(LayeredRules& rules, const Scope& scope) {
  for (Dnf& node : rules.nodes) node = without_constants(node, scope);
  const std::vector<Standing> known = standings(rules.nodes, scope);
  for (Dnf& action : rules.actions) {
    Dnf kept;
    for (const auto& body : action) {
      auto own = simplified(body, known);
      if (own && std::find(kept.begin(), kept.end(), *own) == kept.end()) kept.push_back(std::move(*own));
    }
    action = std::move(kept);
  }
  std::vector<LayeredRules::Choice> choices;
  for (auto& choice : rules.choices) {
    if (auto own = simplified(choice.body, known)) choices.push_back({std::move(*own), std::move(choice.p)});
  }
  rules.choices = std::move(choices);
}

}  // namespace ndnf
