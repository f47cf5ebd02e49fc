#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/mdp/components.h"

namespace ndnf {

/// A Markov chain that is left with probability 1, and its linear equations: the expected number of visits to
/// each state, and the expected sum of rewards from each state, over episodes of any length.
///
/// States are eliminated one by one (Grassmann, Taksar and Heyman 1985): what passed through a state is
/// joined to the moves around it. The probability of leaving a state is the sum of those of its ways out,
/// never 1 minus something, so nothing is subtracted: with doubles, every number of visits has a small
/// *relative* error, however rarely the chain is left. `Number` may also be Bounded, which carries a bound on
/// that error, or an exact fraction.
///
/// Strongly connected components are processed one at a time, so that new moves arise only within a
/// component; within it a state with few moves in and out comes first (Markowitz). Worst case: cubic in the
/// largest component.
template <class Number>
class AbsorbingChain {
 public:
  struct Move {
    std::uint32_t next;
    Number probability;
  };

  /// Adds state 0, 1, …: its moves to states (several may lead to the same one) and its probability of
  /// leaving the chain. They are taken to sum to 1: the probability of staying is not used.
  void add_state(const std::vector<Move>& moves, const Number& leaves) {
    rows_.push_back(moves);
    leaves_.push_back(leaves);
  }
  std::size_t size() const { return rows_.size(); }

  /// `spend(number, products)` is called before work of this many products of such numbers, and can stop it
  /// by returning false; then nothing else may be called. REQUIRES: all states were added, and from each of
  /// them the chain can be left.
  template <class Spend>
  bool eliminate(Spend spend) {
    std::vector<std::vector<std::uint32_t>> next(size());
    for (std::size_t s = 0; s < size(); ++s) {
      for (const Move& move : rows_[s]) next[s].push_back(move.next);
    }
    components_ = strong_components(next);
    component_.resize(size());
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      for (const std::uint32_t s : components_[c]) component_[s] = c;
    }
    pivots_.resize(size());
    rights_.resize(size());
    lefts_.resize(size());
    for (auto& members : components_) {
      if (!eliminate_component(members, spend)) return false;
    }
    return true;
  }

  /// Per state: the expected sum of rewards from there, if each visit to s earns rewards[s].
  std::vector<Number> values(std::vector<Number> rewards) const {
    std::vector<Number>& sums = rewards;
    for (const auto& members : components_) {  // those that it leads to come before
      for (const std::uint32_t s : members) {
        for (const Move& move : rows_[s]) {
          if (component_[move.next] != component_[s]) sums[s] += move.probability * sums[move.next];
        }
      }
      for (const std::uint32_t s : members) {
        const Number share = sums[s] / pivots_[s];
        for (const Move& from : lefts_[s]) sums[from.next] += from.probability * share;
      }
      for (auto s = members.rbegin(); s != members.rend(); ++s) {
        for (const Move& to : rights_[*s]) sums[*s] += to.probability * sums[to.next];
        sums[*s] = sums[*s] / pivots_[*s];
      }
    }
    return sums;
  }

  /// Per state: the expected number of visits, if episodes start in s with probability starts[s].
  std::vector<Number> visits(std::vector<Number> starts) const {
    std::vector<Number>& sums = starts;
    for (auto members = components_.rbegin(); members != components_.rend(); ++members) {
      for (const std::uint32_t s : *members) {
        const Number share = sums[s] / pivots_[s];
        for (const Move& to : rights_[s]) sums[to.next] += share * to.probability;
      }
      for (auto s = members->rbegin(); s != members->rend(); ++s) {
        for (const Move& from : lefts_[*s]) sums[*s] += sums[from.next] * from.probability;
        sums[*s] = sums[*s] / pivots_[*s];
      }
      for (const std::uint32_t s : *members) {
        for (const Move& move : rows_[s]) {
          if (component_[move.next] != component_[s]) sums[move.next] += sums[s] * move.probability;
        }
      }
    }
    return sums;
  }

 private:
  using Row = std::map<std::uint32_t, Number>;

  /// What is left of a component during its elimination.
  struct Rest {
    std::map<std::uint32_t, Row> to;                          ///< Moves to other states of the rest.
    std::map<std::uint32_t, std::set<std::uint32_t>> from;    ///< The states with a move to this one.
    std::set<std::pair<std::size_t, std::uint32_t>> by_cost;  ///< New moves at most, state.

    std::size_t cost(std::uint32_t s) const { return to.at(s).size() * from.at(s).size(); }
  };

  /// Moves out of the component count as leaving.
  Rest rest_of(const std::vector<std::uint32_t>& members) {
    Rest rest;
    for (const std::uint32_t s : members) {
      Row& row = rest.to[s];
      rest.from[s];
      for (const Move& move : rows_[s]) {
        if (component_[move.next] != component_[s]) {
          leaves_[s] += move.probability;
        } else if (move.next != s) {
          row[move.next] += move.probability;
        }
      }
    }
    for (const auto& [s, row] : rest.to) {
      for (const auto& [next, probability] : row) rest.from[next].insert(s);
    }
    for (const std::uint32_t s : members) rest.by_cost.insert({rest.cost(s), s});
    return rest;
  }

  /// Sorts `members` by the order of their elimination.
  template <class Spend>
  bool eliminate_component(std::vector<std::uint32_t>& members, Spend& spend) {
    Rest rest = rest_of(members);
    members.clear();
    while (!rest.by_cost.empty()) {
      const auto [cost, s] = *rest.by_cost.begin();
      if (!spend(leaves_[s], cost + 1)) return false;
      members.push_back(s);
      eliminate_state(s, rest);
    }
    return true;
  }

  void eliminate_state(std::uint32_t s, Rest& rest) {
    const Row row = std::move(rest.to.at(s));
    const std::set<std::uint32_t> from = std::move(rest.from.at(s));
    forget(s, row, from, rest);
    Number pivot = leaves_[s];
    for (const auto& [next, probability] : row) pivot += probability;
    pivots_[s] = pivot;
    for (const auto& [next, probability] : row) rights_[s].push_back({next, probability});
    for (const std::uint32_t before : from) {
      Row& own = rest.to.at(before);
      const auto through = own.find(s);
      const Number probability = std::move(through->second);
      own.erase(through);
      lefts_[s].push_back({before, probability});
      const Number share = probability / pivot;
      leaves_[before] += share * leaves_[s];
      for (const auto& [next, onward] : row) {
        if (next == before) continue;  // back where it was: no move
        own[next] += share * onward;
        rest.from.at(next).insert(before);
      }
    }
    for (const auto& [next, probability] : row) rest.from.at(next).erase(s);
    for (const auto& [next, probability] : row) rest.by_cost.insert({rest.cost(next), next});
    for (const std::uint32_t before : from) rest.by_cost.insert({rest.cost(before), before});
  }

  /// Takes s and its neighbours, whose costs are about to change, out of the order.
  static void forget(std::uint32_t s, const Row& row, const std::set<std::uint32_t>& from, Rest& rest) {
    rest.by_cost.erase({row.size() * from.size(), s});
    for (const auto& [next, probability] : row) rest.by_cost.erase({rest.cost(next), next});
    for (const std::uint32_t before : from) rest.by_cost.erase({rest.cost(before), before});
    rest.to.erase(s);
    rest.from.erase(s);
  }

  std::vector<std::vector<Move>> rows_;  ///< As added; later only their moves to other components are read.
  std::vector<Number> leaves_;           ///< In the end: of leaving the component, from what is left of it.
  std::vector<std::vector<std::uint32_t>> components_;
  std::vector<std::uint32_t> component_;   ///< Per state.
  std::vector<Number> pivots_;             ///< Per state: its probability of not staying, when eliminated.
  std::vector<std::vector<Move>> rights_;  ///< Per state: its moves to states eliminated later.
  std::vector<std::vector<Move>> lefts_;   ///< Per state: moves from states eliminated later.
};

/// A `spend` for doubles that throws Error where the elimination would take minutes.
class WorkLimit {
 public:
  template <class Number>
  bool operator()(const Number& /*number*/, std::size_t products) {
    constexpr std::size_t kMost = 100'000'000;
    if ((spent_ += products) <= kMost) return true;
    throw Error("", "the task is too large for exact figures without a step limit", "give it one");
  }

 private:
  std::size_t spent_ = 0;
};

}  // namespace ndnf
