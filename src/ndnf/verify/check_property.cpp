#include "ndnf/verify/check_property.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ndnf/verify/positions_where.h"

namespace ndnf {
namespace {

using PositionId = EpisodeChain::PositionId;
using Move = EpisodeChain::Move;
using Set = std::vector<bool>;

/// The path formulas in one form: after `first` to `steps` steps a position of `goal`, until then only
/// positions of `stay`. X counts from step 1; G is the complement of reaching its negation.
struct Until {
  Set stay;
  Set goal;
  std::size_t first = 0;
  std::size_t steps = 0;
  bool complement = false;

  bool reached(PositionId p, std::size_t step) const { return step >= first && goal[p]; }
};

std::size_t step_bound(const PathFormula& path, const EpisodeChain& chain) {
  const std::size_t horizon = chain.model().horizon();
  return std::min(path.steps.value_or(horizon), horizon);
}

Until until_form(const PathFormula& path, const EpisodeChain& chain) {
  Until until{Set(chain.size(), true), positions_where(path.right, chain), 0, step_bound(path, chain), false};
  if (path.kind == PathFormula::Kind::kNext) until.first = until.steps = 1;
  if (path.kind == PathFormula::Kind::kUntil) until.stay = positions_where(path.left, chain);
  if (path.kind == PathFormula::Kind::kGlobally) {
    until.goal.flip();
    until.complement = true;
  }
  return until;
}

double at_start(const EpisodeChain& chain, const std::vector<double>& values) {
  double sum = 0;
  for (const auto& start : chain.starts()) sum += start.probability * values[start.position];
  return sum;
}

double expected(std::span<const Move> moves, const std::vector<double>& values) {
  double sum = 0;
  for (const Move& move : moves) sum += move.probability * values[move.next];
  return sum;
}

double probability(const EpisodeChain& chain, const Until& until) {
  std::vector<double> later(chain.size());
  for (PositionId p = 0; p < chain.size(); ++p) later[p] = until.reached(p, until.steps) ? 1 : 0;
  std::vector<double> now(chain.size());
  for (std::size_t step = until.steps; step-- > 0; now.swap(later)) {
    for (PositionId p = 0; p < chain.size(); ++p) {
      now[p] = until.reached(p, step) ? 1 : until.stay[p] ? expected(chain.moves(p), later) : 0;
    }
  }
  const double reached = at_start(chain, later);
  return std::clamp(until.complement ? 1 - reached : reached, 0.0, 1.0);
}

double reward_sum(const EpisodeChain& chain, std::size_t steps, bool count_steps) {
  std::vector<double> rewards(chain.size());
  for (PositionId p = 0; p < chain.size(); ++p) {
    rewards[p] = count_steps ? (chain[p].is_end() ? 0 : 1) : chain.reward(p);
  }
  std::vector<double> later(chain.size(), 0.0);
  std::vector<double> now(chain.size());
  for (std::size_t step = 0; step < steps; ++step, now.swap(later)) {
    for (PositionId p = 0; p < chain.size(); ++p) now[p] = rewards[p] + expected(chain.moves(p), later);
  }
  return at_start(chain, later);
}

TraceStep step_at(const EpisodeChain& chain, PositionId p) {
  const EpisodeChain::Position& position = chain[p];
  if (position.is_end()) return {position.state, std::nullopt, std::nullopt, true, position.tag};
  return {position.state, position.action};
}

/// A shortest run that reaches the goal, by breadth-first search.
std::optional<Trace> shortest_hit(const EpisodeChain& chain, const Until& until) {
  struct Entry {
    PositionId position;
    std::size_t parent;
    double reward;
  };
  std::vector<Entry> entries;
  Set seen(chain.size(), false);
  for (const auto& start : chain.starts()) entries.push_back({start.position, 0, 0});
  const std::size_t roots = entries.size();
  std::size_t next = 0;
  for (std::size_t step = 0; step <= until.steps && next < entries.size(); ++step) {
    for (const std::size_t layer_end = entries.size(); next < layer_end; ++next) {
      const PositionId p = entries[next].position;
      if (until.reached(p, step)) {
        Trace trace{{step_at(chain, p)}, ""};
        for (std::size_t i = next; i >= roots; i = entries[i].parent) {
          trace.steps.push_back(step_at(chain, entries[entries[i].parent].position));
          trace.steps.back().reward = entries[i].reward;
        }
        std::reverse(trace.steps.begin(), trace.steps.end());
        return trace;
      }
      if (!until.stay[p] || chain[p].is_end()) continue;
      for (const Move& move : chain.moves(p)) {
        if (seen[move.next]) continue;
        seen[move.next] = true;
        entries.push_back({move.next, next, move.reward});
      }
    }
  }
  return std::nullopt;
}

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// The most probable run that never reaches the goal, by dynamic programming over logarithms, which do not
/// underflow.
class LikelyMiss {
 public:
  LikelyMiss(const EpisodeChain& chain, const Until& until)
      : chain_(chain), until_(until), best_move_(until.steps, std::vector<std::uint32_t>(chain.size())) {
    std::vector<double> later(chain.size());
    for (PositionId p = 0; p < chain.size(); ++p) later[p] = until.reached(p, until.steps) ? kImpossible : 0;
    best_ = later;
    for (std::size_t step = until.steps; step-- > 0; later = best_) {
      for (PositionId p = 0; p < chain.size(); ++p) best_[p] = best_from(p, step, later);
    }
  }

  std::optional<Trace> trace() const {
    double best = kImpossible;
    PositionId p = 0;
    for (const auto& start : chain_.starts()) {
      const double weight = std::log(start.probability) + best_[start.position];
      if (weight <= best) continue;
      best = weight;
      p = start.position;
    }
    if (best == kImpossible) return std::nullopt;
    return run_from(p, std::exp(best));
  }

 private:
  double best_from(PositionId p, std::size_t step, const std::vector<double>& later) {
    if (until_.reached(p, step)) return kImpossible;
    if (!until_.stay[p]) return 0;
    double best = kImpossible;
    const auto moves = chain_.moves(p);
    for (std::uint32_t m = 0; m < moves.size(); ++m) {
      const double weight = std::log(moves[m].probability) + later[moves[m].next];
      if (weight <= best) continue;
      best = weight;
      best_move_[step][p] = m;
    }
    return best;
  }

  Trace run_from(PositionId p, double run_probability) const {
    const bool certain = run_probability >= 1 - kPropertyTolerance;
    Trace trace{{},
                certain ? "every episode is this one"
                        : fmt::format("the most probable run of this kind, with probability {:.4g}",
                                      run_probability)};
    const Set can_hit = can_ever_hit();
    std::vector<std::size_t> seen_at(chain_.size(), kNever);
    for (std::size_t step = 0;; ++step) {
      trace.steps.push_back(step_at(chain_, p));
      if (step == until_.steps || chain_[p].is_end() || !until_.stay[p]) return trace;
      if (!can_hit[p] && seen_at[p] != kNever) {
        trace.note += fmt::format("; it is back where it was at step {}", seen_at[p]);
        return trace;
      }
      seen_at[p] = step;
      const Move& move = chain_.moves(p)[best_move_[step][p]];
      trace.steps.back().reward = move.reward;
      p = move.next;
    }
  }

  /// The positions from which the goal can be reached at all, however long it takes.
  Set can_ever_hit() const {
    Set can = until_.goal;
    for (bool changed = true; changed;) {
      changed = false;
      for (PositionId p = static_cast<PositionId>(chain_.size()); p-- > 0;) {
        if (can[p] || !until_.stay[p]) continue;
        const auto moves = chain_.moves(p);
        can[p] = std::any_of(moves.begin(), moves.end(), [&](const Move& m) { return can[m.next]; });
        changed = changed || can[p];
      }
    }
    return can;
  }

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  const EpisodeChain& chain_;
  const Until& until_;
  std::vector<std::vector<std::uint32_t>> best_move_;  ///< Per step and position.
  std::vector<double> best_;  ///< Per position, from step 0: logarithm of the best miss's probability.
};

/// A run that satisfies the path formula (or one that does not), if there is one.
std::optional<Trace> find_run(const EpisodeChain& chain, const Until& until, bool satisfies) {
  return satisfies == until.complement ? LikelyMiss(chain, until).trace() : shortest_hit(chain, until);
}

bool compare(double value, Property::Comparison comparison, double bound) {
  switch (comparison) {
    case Property::Comparison::kAtLeast:
      return value >= bound - kPropertyTolerance;
    case Property::Comparison::kAbove:
      return value > bound + kPropertyTolerance;
    case Property::Comparison::kAtMost:
      return value <= bound + kPropertyTolerance;
    case Property::Comparison::kBelow:
      return value < bound - kPropertyTolerance;
    case Property::Comparison::kQuery:
      break;
  }
  return true;
}

bool asks_for_more(Property::Comparison comparison) {
  return comparison == Property::Comparison::kAtLeast || comparison == Property::Comparison::kAbove;
}

/// Whether a probability compares as asked with 0 or 1, by the existence of runs.
std::optional<bool> compare_by_graph(const EpisodeChain& chain, const Until& until,
                                     const Property& property) {
  using Comparison = Property::Comparison;
  const auto exists = [&](bool satisfies) { return find_run(chain, until, satisfies).has_value(); };
  if (property.bound == 0 && property.comparison == Comparison::kAtMost) return !exists(true);
  if (property.bound == 0 && property.comparison == Comparison::kAbove) return exists(true);
  if (property.bound == 1 && property.comparison == Comparison::kAtLeast) return !exists(false);
  if (property.bound == 1 && property.comparison == Comparison::kBelow) return exists(false);
  return std::nullopt;
}

PropertyResult check_probability(const EpisodeChain& chain, const Property& property) {
  const Until until = until_form(property.path, chain);
  PropertyResult result;
  result.value = probability(chain, until);
  const auto by_graph = compare_by_graph(chain, until, property);
  result.holds = by_graph ? *by_graph : compare(result.value, property.comparison, property.bound);
  if (!result.holds) result.trace = find_run(chain, until, !asks_for_more(property.comparison));
  return result;
}

PropertyResult check_reward(const EpisodeChain& chain, const Property& property) {
  const std::size_t steps = step_bound(property.path, chain);
  PropertyResult result;
  result.value = reward_sum(chain, steps, property.measure == Property::Measure::kLength);
  result.holds = compare(result.value, property.comparison, property.bound);
  if (!result.holds) {
    const Until any{Set(chain.size(), true), Set(chain.size(), false), 0, steps, false};
    result.trace = LikelyMiss(chain, any).trace();
  }
  return result;
}

}  // namespace

PropertyResult check_property(const EpisodeChain& chain, const Property& property) {
  return property.measure == Property::Measure::kProbability ? check_probability(chain, property)
                                                             : check_reward(chain, property);
}

}  // namespace ndnf
