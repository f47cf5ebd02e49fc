#include "ndnf/nodes/simplify.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace ndnf {
namespace {

// The positions in the scope where the conjunction holds.
PositionSet covered(const std::vector<AtomLiteral>& conjunction, const Scope& scope) {
  return members(box_of(conjunction, scope), scope);
}

// The meaning of a node in the scope: another node with the same truth values, or a constant.
struct Standing {
  std::optional<bool> constant;
  std::size_t same_as = 0;
};

std::vector<Standing> standings(const std::vector<Dnf>& nodes, const Scope& scope) {
  std::vector<Standing> result;
  std::map<std::vector<bool>, std::size_t> first;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::vector<bool> values = truth(nodes[k], scope);
    Standing& standing = result.emplace_back();
    standing.same_as = first.emplace(values, k).first->second;
    const auto trues = static_cast<std::size_t>(std::count(values.begin(), values.end(), true));
    if (trues == 0) standing.constant = false;
    if (trues == values.size()) standing.constant = true;
  }
  return result;
}

// The body without literals that always hold; nothing if it can never hold.
std::optional<std::vector<AtomLiteral>> simplified(const std::vector<AtomLiteral>& body,
                                                   const std::vector<Standing>& standings) {
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
  return std::vector<AtomLiteral>(kept.begin(), kept.end());
}

// Without literals that hold in the whole scope, and without conjunctions that have a literal that never
// holds.
Dnf without_constants(const Dnf& dnf, const Scope& scope) {
  Dnf result;
  for (const auto& conjunction : dnf) {
    std::vector<AtomLiteral> kept;
    bool possible = true;
    for (const AtomLiteral& literal : conjunction) {
      const std::size_t holding = covered({literal}, scope).size();
      if (holding == 0) possible = false;
      if (holding < scope.size()) kept.push_back(literal);
    }
    if (possible) result.push_back(std::move(kept));
  }
  return result;
}

}  // namespace

std::vector<bool> truth(const Dnf& dnf, const Scope& scope) {
  std::vector<bool> values(scope.size());
  for (const auto& conjunction : dnf) {
    for (const std::uint32_t k : covered(conjunction, scope).values()) values[k] = true;
  }
  return values;
}

Dnf irredundant(const Dnf& dnf, const Scope& scope) {
  std::vector<std::vector<std::uint32_t>> covers;
  std::vector<std::size_t> times(scope.size());
  for (const auto& conjunction : dnf) {
    covers.push_back(covered(conjunction, scope).values());
    for (const std::uint32_t k : covers.back()) ++times[k];
  }
  std::vector<std::size_t> order(dnf.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return covers[a].size() < covers[b].size(); });
  std::vector<bool> dropped(dnf.size());
  for (const std::size_t c : order) {
    const bool needed =
        std::any_of(covers[c].begin(), covers[c].end(), [&](std::uint32_t k) { return times[k] == 1; });
    if (needed) continue;
    dropped[c] = true;
    for (const std::uint32_t k : covers[c]) --times[k];
  }
  Dnf kept;
  for (std::size_t c = 0; c < dnf.size(); ++c) {
    if (!dropped[c]) kept.push_back(dnf[c]);
  }
  return kept;
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
