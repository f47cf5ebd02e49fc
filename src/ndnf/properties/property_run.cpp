#include "ndnf/properties/property_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

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
/// choices)).
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

}  // namespace

std::optional<Trace> find_run(const EpisodeChain& chain, const Until& until, bool satisfies) {
  return satisfies == until.complement ? LikelyMiss(chain, until).trace() : ShortestHit(chain, until).trace();
}

}  // namespace ndnf
