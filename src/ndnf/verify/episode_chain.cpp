#include "ndnf/verify/episode_chain.h"

#include <map>
#include <utility>

#include "ndnf/mdp/reachability.h"

namespace ndnf {

EpisodeChain::EpisodeChain(const FiniteModel& model, const PolicyTable& policy) : model_(model) {
  // The positions of state s go from first[s] on, one per action that the policy may take there.
  constexpr PositionId kNotVisited = std::numeric_limits<PositionId>::max();
  std::vector<PositionId> first(model.state_count(), kNotVisited);
  for (const StateId s : visited(model, policy).states) {
    first[s] = static_cast<PositionId>(positions_.size());
    for (ActionId a = 0; a < model.action_count(); ++a) {
      if (policy.row(model.observation(s))[a] > 0) positions_.push_back({s, a, -1});
    }
  }
  const std::size_t decisions = positions_.size();
  std::map<std::pair<StateId, std::int8_t>, PositionId> ends;
  const auto end_position = [&](const Outcome& outcome) {
    const auto [it, fresh] =
        ends.try_emplace({outcome.next, outcome.tag}, static_cast<PositionId>(positions_.size()));
    if (fresh) positions_.push_back({outcome.next, kNoAction, outcome.tag});
    return it->second;
  };
  // Calls `add(position, probability)` for every position of a visited state.
  const auto draw_action = [&](StateId s, auto add) {
    const std::span<const double> row = policy.row(model.observation(s));
    for (PositionId p = first[s]; p < decisions && positions_[p].state == s; ++p)
      add(p, row[positions_[p].action]);
  };
  for (PositionId p = 0; p < decisions; ++p) {
    const Position position = positions_[p];
    for (const Outcome& outcome : model.outcomes(position.state, position.action)) {
      if (outcome.terminal) {
        moves_.push_back({outcome.probability, outcome.reward, end_position(outcome)});
      } else if (first[outcome.next] == kNotVisited) {
        moves_.push_back({outcome.probability, outcome.reward, p});
      } else {
        draw_action(outcome.next, [&](PositionId next, double probability) {
          moves_.push_back({outcome.probability * probability, outcome.reward, next});
        });
      }
    }
    move_ends_.push_back(moves_.size());
  }
  for (auto p = static_cast<PositionId>(decisions); p < positions_.size(); ++p) {
    moves_.push_back({1, 0, p});
    move_ends_.push_back(moves_.size());
  }
  for (const ndnf::Start& start : model.starts()) {
    draw_action(start.state, [&](PositionId p, double probability) {
      starts_.push_back({start.probability * probability, p});
    });
  }
}

double EpisodeChain::reward(PositionId p) const {
  double sum = 0;
  for (const Move& move : moves(p)) sum += move.probability * move.reward;
  return sum;
}

}  // namespace ndnf
