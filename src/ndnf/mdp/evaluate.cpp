#include "ndnf/mdp/evaluate.h"

#include <algorithm>

#include "ndnf/mdp/compensated_sum.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/visited_chain.h"

namespace ndnf {

std::optional<Evaluation::Undefined> find_undefined(const FiniteModel& model, const PolicyTable& policy,
                                                    const std::vector<StateId>& states) {
  for (const StateId s : states) {
    if (!policy.defined(model.observation(s))) return Evaluation::Undefined{s, model.observation(s)};
  }
  return std::nullopt;
}

std::optional<StateId> find_endless(const FiniteModel& model, const PolicyTable& policy) {
  if (!model.endless() || model.discount() < 1) return std::nullopt;
  const std::vector<bool> lost = lost_states({model, policy});
  const auto found = std::find(lost.begin(), lost.end(), true);
  if (found == lost.end()) return std::nullopt;
  return static_cast<StateId>(found - lost.begin());
}

// By linearity of expectation every figure is a sum over states: the expected number of visits times what a
// visit contributes. Exact up to rounding, step limit included; sums over many terms are compensated. A
// discount applies to the visits that rewards are multiplied by.
Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  const VisitedChain visited(chain);
  Evaluation result;
  result.tag_rates.assign(model.tags().size(), 0.0);
  result.visits.assign(model.observations().size(), 0.0);
  result.undefined = find_undefined(model, policy, visited.states());
  if (result.undefined) return result;
  result.endless = find_endless(model, policy);
  if (result.endless) return result;
  const std::vector<double> visits = visited.expected_visits();
  const std::vector<double> weights =
      model.discount() == 1 ? visits : VisitedChain(chain, model.discount()).expected_visits();
  CompensatedSum returns;
  CompensatedSum length;
  CompensatedSum terminated;
  std::vector<CompensatedSum> tags(model.tags().size());
  std::vector<CompensatedSum> decisions(model.observations().size());
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const StateId s = visited.states()[i];
    double reward = 0;
    length.add(visits[i]);
    decisions[model.observation(s)].add(visits[i]);
    chain.for_each_step(s, [&](double taken, const Outcome& outcome) {
      const double probability = taken * outcome.probability;
      reward += probability * outcome.reward;
      if (!outcome.terminal) return;
      terminated.add(visits[i] * probability);
      if (outcome.tag >= 0) tags[static_cast<std::size_t>(outcome.tag)].add(visits[i] * probability);
    });
    returns.add(weights[i] * reward);
  }
  result.mean_return = returns.value();
  result.length = length.value();
  if (!model.endless()) result.length = std::min(result.length, static_cast<double>(model.horizon()));
  result.terminated = std::min(terminated.value(), 1.0);
  for (std::size_t t = 0; t < tags.size(); ++t) result.tag_rates[t] = std::min(tags[t].value(), 1.0);
  for (ObsId obs = 0; obs < decisions.size(); ++obs) result.visits[obs] = decisions[obs].value();
  return result;
}

}  // namespace ndnf
