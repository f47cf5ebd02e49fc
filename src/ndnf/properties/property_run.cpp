#include "ndnf/properties/property_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/components.h"
#include "ndnf/properties/endless_tally.h"

namespace ndnf {
namespace {

using PositionId = EpisodeChain::PositionId;
using ArrivalId = EpisodeChain::ArrivalId;
using Move = EpisodeChain::Move;
using Choice = EpisodeChain::Choice;
using Set = std::vector<bool>;

TraceStep step_at(const EpisodeChain& chain, PositionId p) {
  const EpisodeChain::Position& position = chain[p];
  TraceStep step{position.state};
  if (position.action != EpisodeChain::kNoAction) step.action = position.action;
  step.end = position.is_end();
  step.tag = position.tag;
  step.truncated = position.is_last();
  return step;
}

/// A shortest run to the goal, by breadth-first search. The reachable positions depend on the step (most of
/// all at the step limit), so the search keeps one set of positions per step. Time O(steps · (moves +
/// choices)). Without a limit they do not, so that a position counts only when it is first found, and the
/// search is over when there is no new one.
class ShortestHit {
 public:
  ShortestHit(const EpisodeChain& chain, const Until& until) : chain_(chain), until_(until) {}

  std::optional<Trace> trace() {
    layers_.emplace_back(chain_.size(), false);
    for (const auto& start : chain_.starts()) enter(start.arrival, 0);
    for (std::size_t step = 0; step <= until_.steps; ++step) {
      for (PositionId p = 0; p < chain_.size(); ++p) {
        if (layers_[step][p] && until_.reached(p, step)) return walk_back(p);
      }
      if (is_endless(until_) && !keep_new(layers_[step])) return std::nullopt;
      layers_.emplace_back(chain_.size(), false);
      for (PositionId p = 0; p < chain_.size(); ++p) {
        if (!leaves(p, step)) continue;
        for (const Move& move : chain_.moves(p)) enter(move.arrival, step + 1);
      }
    }
    return std::nullopt;
  }

 private:
  void enter(ArrivalId arrival, std::size_t step) {
    for (const Choice& choice : chain_.choices(arrival, step)) layers_[step][choice.position] = true;
  }
  /// Takes out the positions found before; false if none is left.
  bool keep_new(Set& layer) {
    found_.resize(chain_.size(), false);
    bool any = false;
    for (PositionId p = 0; p < chain_.size(); ++p) {
      layer[p] = layer[p] && !found_[p];
      found_[p] = found_[p] || layer[p];
      any = any || layer[p];
    }
    return any;
  }
  bool leaves(PositionId p, std::size_t step) const {
    return layers_[step][p] && until_.goes_on(chain_, p, step);
  }

  /// From the goal, which lies in the last layer, to a start.
  Trace walk_back(PositionId goal) const {
    Trace trace{{step_at(chain_, goal)}, ""};
    PositionId now = goal;
    for (std::size_t step = layers_.size() - 1; step-- > 0;) {
      PositionId before = 0;
      const Move* move = nullptr;
      for (; before < chain_.size(); ++before) {
        move = leaves(before, step) ? move_to(now, before, step + 1) : nullptr;
        if (move != nullptr) break;
      }
      trace.steps.push_back(step_at(chain_, before));
      trace.steps.back().reward = move->reward;
      now = before;
    }
    std::reverse(trace.steps.begin(), trace.steps.end());
    return trace;
  }

  const Move* move_to(PositionId to, PositionId from, std::size_t step) const {
    for (const Move& move : chain_.moves(from)) {
      for (const Choice& choice : chain_.choices(move.arrival, step)) {
        if (choice.position == to) return &move;
      }
    }
    return nullptr;
  }

  const EpisodeChain& chain_;
  const Until& until_;
  Set found_;
  std::vector<Set> layers_;  ///< Per step: positions of episodes that have neither hit nor missed.
};

/// The most probable run that never reaches the goal, by dynamic programming from the last step back
/// (Viterbi). Weights are logarithms of probabilities, which do not underflow. Time O(steps · (moves +
/// choices)), memory O(steps · arrivals).
class LikelyMiss {
 public:
  LikelyMiss(const EpisodeChain& chain, const Until& until)
      : chain_(chain), until_(until), best_(until.steps + 1) {
    for (std::size_t step = until.steps + 1; step-- > 0;) {
      best_[step].resize(chain.arrival_count());
      for (ArrivalId a = 0; a < chain.arrival_count(); ++a) best_[step][a] = best_choice(a, step).weight;
    }
  }

  std::optional<Trace> trace() const {
    const auto start = best_of(chain_.starts(), [&](const auto& s) { return best_[0][s.arrival]; });
    if (start.weight == kImpossible) return std::nullopt;
    return run_from(start.item->arrival, start.weight);
  }

 private:
  static constexpr double kImpossible = -std::numeric_limits<double>::infinity();
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  template <class Item>
  struct Best {
    const Item* item = nullptr;
    double weight = kImpossible;  ///< Log-probability of the best miss that begins with it.
  };

  template <class Item, class Later>
  static Best<Item> best_of(std::span<const Item> items, Later later) {
    Best<Item> best;
    for (const Item& item : items) {
      const double weight = std::log(item.probability) + later(item);
      if (weight > best.weight) best = {&item, weight};
    }
    return best;
  }

  Best<Choice> best_choice(ArrivalId arrival, std::size_t step) const {
    return best_of(chain_.choices(arrival, step), [&](const Choice& choice) {
      if (until_.reached(choice.position, step)) return kImpossible;
      if (!until_.goes_on(chain_, choice.position, step)) return 0.0;
      return best_move(choice.position, step).weight;
    });
  }
  Best<Move> best_move(PositionId p, std::size_t step) const {
    return best_of(chain_.moves(p), [&](const Move& move) { return best_[step + 1][move.arrival]; });
  }

  Trace run_from(ArrivalId arrival, double weight) const {
    Trace trace;
    bool only = chain_.starts().size() == 1;
    const Set can_hit = can_ever_hit();
    std::vector<std::size_t> seen_at(chain_.size(), kNever);
    std::string back;
    for (std::size_t step = 0;; ++step) {
      only = only && chain_.choices(arrival, step).size() == 1;
      const PositionId p = best_choice(arrival, step).item->position;
      trace.steps.push_back(step_at(chain_, p));
      if (!until_.goes_on(chain_, p, step)) break;
      if (!can_hit[p] && seen_at[p] != kNever) {
        back = fmt::format("; it is back where it was at step {}", seen_at[p]);
        break;
      }
      seen_at[p] = step;
      only = only && chain_.moves(p).size() == 1;
      const Move& move = *best_move(p, step).item;
      trace.steps.back().reward = move.reward;
      arrival = move.arrival;
    }
    trace.note = (only ? "every episode is this one"
                       : fmt::format("the most probable run of this kind, with probability {:.4g}",
                                     std::exp(weight))) +
                 back;
    return trace;
  }

  /// The positions from which the goal can be reached at all, however long it takes.
  Set can_ever_hit() const {
    Set can = until_.goal;
    const auto leads_there = [&](const Move& move) {
      const auto hits = [&](const Choice& choice) { return can[choice.position]; };
      const auto now = chain_.choices(move.arrival, 0);
      const auto last = chain_.choices(move.arrival, chain_.model().horizon());
      return std::any_of(now.begin(), now.end(), hits) || std::any_of(last.begin(), last.end(), hits);
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (PositionId p = static_cast<PositionId>(chain_.size()); p-- > 0;) {
        if (can[p] || !until_.stay[p]) continue;
        const auto moves = chain_.moves(p);
        can[p] = std::any_of(moves.begin(), moves.end(), leads_there);
        changed = changed || can[p];
      }
    }
    return can;
  }

  const EpisodeChain& chain_;
  const Until& until_;
  std::vector<std::vector<double>> best_;  ///< Per step and arrival: as Best::weight.
};

/// The same without a bound on the steps: the most probable way to a position from which the goal cannot be
/// reached (Dijkstra), and on from there by the most probable steps, until the episode ends or is back where
/// it was.
class EndlessMiss {
 public:
  EndlessMiss(const EpisodeChain& chain, const Until& until)
      : chain_(chain), until_(until), can_hit_(positions_that_can_hit()), ways_(chain.size()) {}

  std::optional<Trace> trace() {
    for (const auto& start : chain_.starts()) enter(start.arrival, {kNobody, nullptr, start.probability});
    while (!queue_.empty()) {
      const PositionId p = queue_.top().second;
      queue_.pop();
      if (std::exchange(ways_[p].done, true)) continue;
      if (!can_hit_[p]) return run_through(p);
      if (until_.goal[p] || !until_.goes_on(chain_, p, 0)) continue;
      for (const Move& move : chain_.moves(p))
        enter(move.arrival, {p, &move, ways_[p].probability * move.probability});
    }
    return std::nullopt;
  }

 private:
  static constexpr PositionId kNobody = std::numeric_limits<PositionId>::max();

  /// How the search came to a position.
  struct Way {
    PositionId before = kNobody;
    const Move* move = nullptr;
    double probability = 0;
    bool done = false;
  };

  void enter(ArrivalId arrival, const Way& way) {
    for (const Choice& choice : chain_.choices(arrival, 0)) {
      const double probability = way.probability * choice.probability;
      Way& own = ways_[choice.position];
      if (own.done || probability <= own.probability) continue;
      own = {way.before, way.move, probability};
      queue_.push({probability, choice.position});
    }
  }

  /// Of the positions on the way, and further on.
  Trace run_through(PositionId last) {
    Trace trace;
    std::vector<std::size_t> seen_at(chain_.size(), kNever);
    for (PositionId p = last; p != kNobody; p = ways_[p].before) {
      trace.steps.push_back(step_at(chain_, p));
      if (p != last) trace.steps.back().reward = reward_of_next_;
      reward_of_next_ = ways_[p].move == nullptr ? 0 : ways_[p].move->reward;
    }
    std::reverse(trace.steps.begin(), trace.steps.end());
    double probability = ways_[last].probability;
    std::string back;
    for (PositionId p = last; until_.goes_on(chain_, p, 0) && chain_.moves(p).size() > 0;) {
      seen_at[p] = trace.steps.size() - 1;
      const Move& move = likeliest(chain_.moves(p));
      const Choice& choice = likeliest(chain_.choices(move.arrival, 0));
      trace.steps.back().reward = move.reward;
      probability *= move.probability * choice.probability;
      p = choice.position;
      trace.steps.push_back(step_at(chain_, p));
      if (seen_at[p] == kNever) continue;
      back = fmt::format("; it is back where it was at step {}", seen_at[p]);
      break;
    }
    trace.note = (probability == 1
                      ? "every episode is this one"
                      : fmt::format("a probable run of this kind, with probability {:.4g}", probability)) +
                 back;
    return trace;
  }

  template <class Item>
  static const Item& likeliest(std::span<const Item> items) {
    return *std::max_element(items.begin(), items.end(),
                             [](const Item& a, const Item& b) { return a.probability < b.probability; });
  }

  Set positions_that_can_hit() const {
    std::vector<std::vector<std::uint32_t>> next(chain_.size());
    for (PositionId p = 0; p < chain_.size(); ++p) {
      if (until_.goal[p] || !until_.goes_on(chain_, p, 0)) continue;
      for (const Move& move : chain_.moves(p)) {
        for (const Choice& choice : chain_.choices(move.arrival, 0)) next[p].push_back(choice.position);
      }
    }
    return can_reach(next, until_.goal);
  }

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  const EpisodeChain& chain_;
  const Until& until_;
  Set can_hit_;
  std::vector<Way> ways_;
  double reward_of_next_ = 0;
  std::priority_queue<std::pair<double, PositionId>> queue_;
};

}  // namespace

std::optional<Trace> find_run(const EpisodeChain& chain, const Until& until, bool satisfies) {
  if (satisfies != until.complement) return ShortestHit(chain, until).trace();
  return is_endless(until) ? EndlessMiss(chain, until).trace() : LikelyMiss(chain, until).trace();
}

}  // namespace ndnf
