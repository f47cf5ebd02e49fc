#include "ndnf/mdp/evaluate.h"

#include <algorithm>

#include "ndnf/mdp/merged_chain.h"
#include "ndnf/mdp/occupancy.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {

std::optional<Evaluation::Undefined> find_undefined(const FiniteModel& model, const PolicyTable& policy,
                                                    const std::vector<StateId>& states) {
  for (const StateId s : states) {
    if (!policy.defined(model.observation(s))) return Evaluation::Undefined{s, model.observation(s)};
  }
  return std::nullopt;
}

// Forward propagation: start with the start distribution, then push the probability mass through the induced
// chain one step at a time, up to the horizon. By linearity of expectation, the expected return is the sum
// of mass times expected reward over all steps and states. Exact up to rounding, step limit included.
Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy) {
  const MergedChain chain({model, policy});
  Evaluation result;
  result.tag_rates.assign(model.tags().size(), 0.0);
  result.visits.assign(model.observations().size(), 0.0);
  Occupancy<double> now(model.state_count());
  Occupancy<double> next(model.state_count());
  for (const Start& start : model.starts()) now.add(start.state, start.probability);
  for (std::size_t step = 0; step < model.horizon() && !now.empty(); ++step) {
    result.undefined = find_undefined(model, policy, now.places());
    if (result.undefined) return result;
    now.drain([&](StateId state, double probability) {
      result.length += probability;
      result.visits[model.observation(state)] += probability;
      result.mean_return += probability * chain.reward(state);
      for (const auto& move : chain.moves(state)) {
        const double mass = probability * move.probability;
        if (mass > 0) next.add(move.next, mass);  // not if it underflows: that counts as never
      }
      for (const auto& ending : chain.endings(state)) {
        result.terminated += probability * ending.probability;
        if (ending.tag >= 0)
          result.tag_rates[static_cast<std::size_t>(ending.tag)] += probability * ending.probability;
      }
    });
    std::swap(now, next);
  }
  result.terminated = std::min(result.terminated, 1.0);  // may exceed 1 by rounding
  return result;
}

}  // namespace ndnf
