#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "ndnf/mdp/absorbing_chain.h"
#include "ndnf/mdp/components.h"
#include "ndnf/properties/tally.h"

namespace ndnf {

/// Whether a formula has no bound and neither has the episode: then its value solves linear equations.
inline bool is_endless(const Until& until) { return until.steps == FiniteModel::kEndless; }

/// Tally over episodes of any length, without a bound: one equation per arrival. Every row of probabilities
/// is rescaled to sum to 1 (docs/properties.md).
template <class Number>
class EndlessTally {
 public:
  EndlessTally(const EpisodeChain& chain, const Until& until, Property::Measure measure)
      : chain_(chain),
        until_(until),
        measure_(measure),
        probability_(measure == Property::Measure::kProbability),
        kept_(measure == Property::Measure::kReturn ? chain.model().discount() : 1),
        seen_(chain.arrival_count(), false) {
    explore();
  }

  /// Nothing if `spend` stops it. REQUIRES: without a discount, a return or length is asked for only where
  /// every episode ends with probability 1.
  template <class Spend>
  std::optional<Tally<Number>> run(Spend spend) {
    constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number(chain_.arrival_count(), kOutside);
    std::vector<ArrivalId> arrivals;
    for (ArrivalId a = 0; a < chain_.arrival_count(); ++a) {
      if (!seen_[a] || !counts_[a]) continue;
      number[a] = static_cast<std::uint32_t>(arrivals.size());
      arrivals.push_back(a);
    }
    AbsorbingChain<Number> equations;
    std::vector<Number> gains;
    for (const ArrivalId a : arrivals) gains.push_back(add_equation(a, number, kOutside, equations));
    if (!equations.eliminate(spend)) return std::nullopt;
    const std::vector<Number> values = equations.values(std::move(gains));
    Number all{};
    for (const auto& start : chain_.starts()) all += Number(start.probability);
    for (const auto& start : chain_.starts()) {
      if (number[start.arrival] != kOutside)
        tally_.total += Number(start.probability) / all * values[number[start.arrival]];
    }
    return tally_;
  }

 private:
  using ArrivalId = EpisodeChain::ArrivalId;
  using PositionId = EpisodeChain::PositionId;

  bool hits(PositionId p) const { return until_.goal[p]; }
  bool goes_on(PositionId p) const { return until_.goes_on(chain_, p, 0); }

  /// The arrivals that an undecided episode may come to, what can happen there, and which of them count: for
  /// a probability those from which the goal can be reached.
  void explore() {
    std::vector<ArrivalId> found;
    const auto enter = [&](ArrivalId a) {
      if (!seen_[a]) found.push_back(a);
      seen_[a] = true;
    };
    std::vector<std::vector<std::uint32_t>> next(chain_.arrival_count());
    std::vector<bool> goal(chain_.arrival_count(), false);
    for (const auto& start : chain_.starts()) enter(start.arrival);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ArrivalId a = found[i];
      for (const auto& choice : chain_.choices(a, 0)) {
        if (hits(choice.position)) {
          goal[a] = tally_.hit = true;
        } else if (!goes_on(choice.position)) {
          tally_.miss = true;
        } else {
          for (const auto& move : chain_.moves(choice.position)) {
            next[a].push_back(move.arrival);
            enter(move.arrival);
          }
        }
      }
    }
    counts_ = probability_ ? can_reach(next, std::move(goal)) : seen_;
    for (const ArrivalId a : found) tally_.miss = tally_.miss || !counts_[a];
  }

  /// Adds the row of an arrival; returns what a visit to it contributes.
  Number add_equation(ArrivalId a, const std::vector<std::uint32_t>& number, std::uint32_t outside,
                      AbsorbingChain<Number>& equations) const {
    std::vector<typename AbsorbingChain<Number>::Move> row;
    Number leaves{};
    Number gained{};
    Number all{};
    for (const auto& choice : chain_.choices(a, 0)) all += Number(choice.probability);
    for (const auto& choice : chain_.choices(a, 0)) {
      const Number taken = Number(choice.probability) / all;
      const PositionId p = choice.position;
      if (hits(p)) gained += taken;
      if (hits(p) || !goes_on(p)) {
        leaves += taken;
        continue;
      }
      Number sum{};
      for (const auto& move : chain_.moves(p)) sum += Number(move.probability);
      leaves += taken * (Number(1) - kept_);
      for (const auto& move : chain_.moves(p)) {
        const Number share = taken * (Number(move.probability) / sum);
        if (!probability_) gained += share * Number(gain(move, measure_));
        if (number[move.arrival] == outside) {
          leaves += share * kept_;
        } else {
          row.push_back({number[move.arrival], share * kept_});
        }
      }
    }
    equations.add_state(row, leaves);
    return gained;
  }

  const EpisodeChain& chain_;
  const Until& until_;
  const Property::Measure measure_;
  const bool probability_;
  const Number kept_;
  std::vector<bool> seen_;    ///< Per arrival.
  std::vector<bool> counts_;  ///< Per arrival.
  Tally<Number> tally_;
};

}  // namespace ndnf
