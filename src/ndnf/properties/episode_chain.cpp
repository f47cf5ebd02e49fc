#include "ndnf/properties/episode_chain.h"

#include <map>
#include <utility>

#include "ndnf/mdp/induced_chain.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {

/// Numbers positions and arrivals: first the decisions, then the end states, then the states in which the
/// step limit stops.
class EpisodeChain::Builder {
 public:
  Builder(EpisodeChain& chain, const PolicyTable& policy)
      : chain_(chain),
        model_(chain.model_),
        induced_(model_, policy),
        visited_(visited(model_, policy).states),
        truncated_(truncated_states(model_, policy)),
        arrival_(model_.state_count(), kNone) {}

  void build() {
    for (const StateId s : visited_) add_decisions(s);
    for (const StateId s : truncated_) {
      if (arrival_[s] == kNone) add_arrival(s);
    }
    const std::size_t decisions = chain_.positions_.size();
    for (PositionId p = 0; p < decisions; ++p) add_moves(p);
    for (const StateId s : truncated_) {
      chain_.lasts_[arrival_[s]] = {1, add_position({s, kNoAction, false, -1})};
    }
    chain_.move_ends_.resize(chain_.positions_.size(), chain_.moves_.size());
    chain_.truncates_ = !truncated_.empty();
    for (const ndnf::Start& start : model_.starts()) {
      chain_.starts_.push_back({start.probability, arrival_[start.state]});
    }
  }

 private:
  static constexpr ArrivalId kNone = std::numeric_limits<ArrivalId>::max();

  PositionId add_position(const Position& position) {
    chain_.positions_.push_back(position);
    return static_cast<PositionId>(chain_.positions_.size() - 1);
  }

  /// Its choices are those added since the previous arrival.
  ArrivalId close_arrival(const Choice& last) {
    chain_.choice_ends_.push_back(chain_.choices_.size());
    chain_.lasts_.push_back(last);
    return static_cast<ArrivalId>(chain_.lasts_.size() - 1);
  }

  void add_arrival(StateId s) { arrival_[s] = close_arrival({0, 0}); }

  void add_decisions(StateId s) {
    induced_.for_each_action(s, [&](ActionId a, double probability) {
      chain_.choices_.push_back({probability, add_position({s, a, false, -1})});
    });
    add_arrival(s);
  }

  void add_moves(PositionId p) {
    const Position position = chain_.positions_[p];
    for (const Outcome& outcome : model_.outcomes(position.state, position.action)) {
      chain_.moves_.push_back({outcome.probability, outcome.reward,
                               outcome.terminal ? end_arrival(outcome) : arrival_[outcome.next]});
    }
    chain_.move_ends_.push_back(chain_.moves_.size());
  }

  ArrivalId end_arrival(const Outcome& outcome) {
    const auto [it, fresh] = ends_.try_emplace({outcome.next, outcome.tag}, kNone);
    if (fresh) {
      const Choice end{1, add_position({outcome.next, kNoAction, true, outcome.tag})};
      chain_.choices_.push_back(end);
      it->second = close_arrival(end);
    }
    return it->second;
  }

  EpisodeChain& chain_;
  const FiniteModel& model_;
  InducedChain induced_;
  std::vector<StateId> visited_;
  std::vector<StateId> truncated_;
  std::vector<ArrivalId> arrival_;  ///< Per state.
  std::map<std::pair<StateId, std::int8_t>, ArrivalId> ends_;
};

EpisodeChain::EpisodeChain(const FiniteModel& model, const PolicyTable& policy) : model_(model) {
  Builder(*this, policy).build();
}

double EpisodeChain::reward(PositionId p) const {
  double sum = 0;
  for (const Move& move : moves(p)) sum += move.probability * move.reward;
  return sum;
}

}  // namespace ndnf
