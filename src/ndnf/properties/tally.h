#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "ndnf/mdp/occupancy.h"
#include "ndnf/properties/until.h"

namespace ndnf {

/// Follows all episodes at once, step by step: calls visit(position, step, probability) for each position
/// with a path to it, and continues from there if `visit` returns true.
template <class Number, class Visit>
void walk_episodes(const EpisodeChain& chain, Visit visit) {
  Occupancy<Number> now(chain.arrival_count());
  Occupancy<Number> next(chain.arrival_count());
  for (const auto& start : chain.starts()) now.add(start.arrival, Number(start.probability));
  for (std::size_t step = 0; !now.empty(); ++step) {
    now.drain([&](EpisodeChain::ArrivalId arrival, const Number& mass) {
      for (const auto& choice : chain.choices(arrival, step)) {
        const Number here = mass * Number(choice.probability);
        if (!visit(choice.position, step, here)) continue;
        for (const auto& move : chain.moves(choice.position)) {
          next.add(move.arrival, here * Number(move.probability));
        }
      }
    });
    std::swap(now, next);
  }
}

/// The contribution of a step to a return or length.
inline double gain(const EpisodeChain::Move& move, Property::Measure measure) {
  return measure == Property::Measure::kLength ? 1 : move.reward;
}

/// What the next step counts, compared with this one: lengths are not discounted.
inline double discount(const EpisodeChain& chain, Property::Measure measure) {
  return measure == Property::Measure::kReturn ? chain.model().discount() : 1;
}

/// The minimum and maximum total of the first `steps` steps of any possible episode, however improbable: from
/// the graph alone, by backward induction.
template <class Number>
std::pair<Number, Number> extremes(const EpisodeChain& chain, std::size_t steps, Property::Measure measure) {
  using Range = std::optional<std::pair<Number, Number>>;
  const auto join = [](Range& range, const Number& low, const Number& high) {
    range = range ? std::pair(least(range->first, low), most(range->second, high)) : std::pair(low, high);
  };
  const double kept = discount(chain, measure);
  const auto carried = [kept](const Number& number) { return kept == 1 ? number : Number(kept) * number; };
  std::vector<Range> later(chain.arrival_count());
  std::vector<Range> now(chain.arrival_count());
  const auto add_moves = [&](EpisodeChain::PositionId p, Range& range) {
    for (const auto& move : chain.moves(p)) {
      const Number now_gained(gain(move, measure));
      const Range& after = later[move.arrival];
      if (after) join(range, now_gained + carried(after->first), now_gained + carried(after->second));
    }
  };
  for (std::size_t step = steps + 1; step-- > 0; now.swap(later)) {
    for (EpisodeChain::ArrivalId a = 0; a < chain.arrival_count(); ++a) {
      now[a].reset();
      for (const auto& choice : chain.choices(a, step)) {
        if (step == steps || chain.moves(choice.position).empty()) {
          join(now[a], Number(), Number());
        } else {
          add_moves(choice.position, now[a]);
        }
      }
    }
  }
  Range all;
  for (const auto& start : chain.starts()) {
    const Range& range = later[start.arrival];
    if (range) join(all, range->first, range->second);
  }
  return all.value_or(std::pair(Number(), Number()));
}

/// The sum over all episodes. `hit` and `miss` come from the graph alone, so they are not affected by
/// rounding.
template <class Number>
struct Tally {
  Number total{};     ///< The probability of reaching the goal, or the expected return or length, clamped
                      ///< to what an episode can give, since rows may not sum to exactly 1.
  bool hit = false;   ///< Some episode reaches the goal.
  bool miss = false;  ///< Some episode does not.
};

/// `spend(probability, moves)` is called before a probability is multiplied by those of `moves` moves, and
/// can stop the work by returning false.
template <class Number, class Spend>
Tally<Number> tally(const EpisodeChain& chain, const Until& until, Property::Measure measure, Spend spend) {
  Tally<Number> result;
  const double kept = discount(chain, measure);
  Number weight(1);  // of the current step
  std::size_t weighed = 0;
  const auto counted = [&](const Number& mass, std::size_t step) {
    if (kept == 1) return mass;
    for (; weighed < step; ++weighed) weight = weight * Number(kept);
    return mass * weight;
  };
  walk_episodes<Number>(chain, [&](Until::PositionId p, std::size_t step, const Number& mass) {
    if (until.reached(p, step)) {
      result.hit = true;
      result.total += mass;
      return false;
    }
    if (!until.goes_on(chain, p, step)) {
      result.miss = true;
      return false;
    }
    if (!spend(mass, chain.moves(p).size())) return false;
    if (measure == Property::Measure::kProbability) return true;
    const Number here = counted(mass, step);
    for (const auto& move : chain.moves(p)) {
      result.total += here * (Number(move.probability) * Number(gain(move, measure)));
    }
    return true;
  });
  if (measure == Property::Measure::kProbability) return result;
  const auto [low, high] = extremes<Number>(chain, until.steps, measure);
  result.total = most(low, least(result.total, high));
  return result;
}

}  // namespace ndnf
