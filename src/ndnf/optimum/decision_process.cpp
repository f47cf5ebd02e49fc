#include "ndnf/optimum/decision_process.h"

#include <algorithm>

#include "ndnf/mdp/reachability.h"

namespace ndnf {

DecisionProcess::DecisionProcess(const FiniteModel& model)
    : horizon_(model.horizon()), actions_(model.action_count()), row_begins_{0} {
  constexpr std::uint32_t kUnreached = ~0u;
  Reach reach = reachable(model);
  std::vector<std::uint32_t> renumbered(model.state_count(), kUnreached);
  for (std::size_t i = 0; i < reach.states.size(); ++i)
    renumbered[reach.states[i]] = static_cast<std::uint32_t>(i);
  observations_ = std::move(reach.observations);
  for (const StateId s : reach.states) {
    const auto place = std::lower_bound(observations_.begin(), observations_.end(), model.observation(s));
    slot_.push_back(static_cast<std::uint32_t>(place - observations_.begin()));
    for (ActionId a = 0; a < actions_; ++a) {
      double all = 0;
      for (const Outcome& outcome : model.outcomes(s, a)) all += outcome.probability;
      if (!model.endless()) all = 1;
      double reward = 0;
      double leaves = 1 - model.discount();
      for (const Outcome& outcome : model.outcomes(s, a)) {
        const double probability = outcome.probability / all;
        reward += probability * outcome.reward;
        if (outcome.terminal || renumbered[outcome.next] == kUnreached) {
          leaves += probability * model.discount();
        } else {
          moves_.push_back({probability * model.discount(), renumbered[outcome.next]});
        }
      }
      rewards_.push_back(reward);
      leaves_.push_back(leaves);
      row_begins_.push_back(moves_.size());
    }
  }
  for (const Start& start : model.starts()) starts_.push_back({start.probability, renumbered[start.state]});
}

std::vector<double> DecisionProcess::gather(const std::vector<double>& rows) const {
  std::vector<double> slots;
  for (const ObsId obs : observations_) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(obs * actions_);
    slots.insert(slots.end(), begin, begin + static_cast<std::ptrdiff_t>(actions_));
  }
  return slots;
}

void DecisionProcess::scatter(const std::vector<double>& slots, std::vector<double>& rows) const {
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    std::copy_n(slots.begin() + static_cast<std::ptrdiff_t>(i * actions_), actions_,
                rows.begin() + static_cast<std::ptrdiff_t>(observations_[i] * actions_));
  }
}

}  // namespace ndnf
