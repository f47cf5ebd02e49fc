#include "ndnf/mdp/state_values.h"

#include <limits>
#include <utility>

#include "ndnf/mdp/components.h"
#include "ndnf/mdp/endless_equations.h"
#include "ndnf/mdp/merged_chain.h"

namespace ndnf {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// V_k(s) = reward + discount · Σ p V_{k−1}(next), for k = 1, 2, … up to the horizon. NaN spreads to every
/// state from which it can be reached in time.
std::vector<double> values_within_horizon(const InducedChain& chain) {
  const FiniteModel& model = chain.model();
  const MergedChain merged(chain);
  std::vector<double> values(model.state_count(), 0);
  std::vector<double> longer(values);
  for (std::size_t step = 0; step < model.horizon(); ++step) {
    bool changed = false;
    for (StateId s = 0; s < values.size(); ++s) {
      double rest = 0;
      for (const MergedChain::Move& move : merged.moves(s)) rest += move.probability * values[move.next];
      const bool defined = model.is_end(s) || chain.policy().defined(model.observation(s));
      longer[s] = defined ? merged.reward(s) + model.discount() * rest : kNoValue;
      changed = changed || !(longer[s] == values[s] || (longer[s] != longer[s] && values[s] != values[s]));
    }
    values.swap(longer);
    if (!changed) break;
  }
  return values;
}

/// The same for episodes of any length, in the states where there is a value.
std::vector<double> endless_values(const InducedChain& chain) {
  const FiniteModel& model = chain.model();
  std::vector<std::vector<std::uint32_t>> next(model.state_count());
  std::vector<bool> ends(model.state_count(), model.discount() < 1);
  std::vector<bool> without(model.state_count(), false);
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!model.is_end(s) && !chain.policy().defined(model.observation(s))) without[s] = true;
    chain.for_each_step(s, [&](double, const Outcome& outcome) {
      if (outcome.terminal) {
        ends[s] = true;
      } else {
        next[s].push_back(outcome.next);
      }
    });
  }
  ends = can_reach(next, std::move(ends));
  for (StateId s = 0; s < model.state_count(); ++s) without[s] = without[s] || (!model.is_end(s) && !ends[s]);
  without = can_reach(next, std::move(without));
  std::vector<StateId> states;
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!model.is_end(s) && !without[s]) states.push_back(s);
  }
  const std::vector<double> found = EndlessEquations<double>(chain, states, model.discount()).values();
  std::vector<double> values(model.state_count(), kNoValue);
  for (std::size_t i = 0; i < states.size(); ++i) values[states[i]] = found[i];
  return values;
}

}  // namespace

std::vector<double> state_values(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  std::vector<double> values = model.endless() ? endless_values(chain) : values_within_horizon(chain);
  for (StateId s = 0; s < values.size(); ++s) {
    if (model.is_end(s)) values[s] = kNoValue;
  }
  return values;
}

}  // namespace ndnf
