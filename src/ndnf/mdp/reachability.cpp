#include "ndnf/mdp/reachability.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "ndnf/mdp/components.h"
#include "ndnf/mdp/induced_chain.h"

namespace ndnf {
namespace {

/// Breadth-first search from the start states, at most `horizon` layers deep; `steps(state, visit)` calls
/// visit(outcome) for every outcome that may happen. Breadth first, so that every state is found with its
/// smallest number of steps.
template <class Steps>
Reach explore(const FiniteModel& model, Steps steps) {
  std::vector<bool> seen(model.state_count(), false);
  std::vector<StateId> frontier;
  Reach reach;
  const auto visit = [&](StateId s) {
    if (seen[s]) return;
    seen[s] = true;
    frontier.push_back(s);
  };
  for (const Start& start : model.starts()) visit(start.state);
  for (std::size_t depth = 0; depth < model.horizon() && !frontier.empty(); ++depth) {
    std::vector<StateId> layer;
    layer.swap(frontier);
    reach.states.insert(reach.states.end(), layer.begin(), layer.end());
    for (const StateId s : layer) {
      steps(s, [&](const Outcome& outcome) {
        if (!outcome.terminal) visit(outcome.next);
      });
    }
  }
  std::sort(reach.states.begin(), reach.states.end());
  for (const StateId s : reach.states) reach.observations.push_back(model.observation(s));
  std::sort(reach.observations.begin(), reach.observations.end());
  reach.observations.erase(std::unique(reach.observations.begin(), reach.observations.end()),
                           reach.observations.end());
  return reach;
}

/// The states that an unfinished episode may be in one step later, in increasing order.
std::vector<StateId> step(const InducedChain& chain, const std::vector<StateId>& states) {
  std::vector<bool> entered(chain.model().state_count(), false);
  std::vector<StateId> next;
  for (const StateId s : states) {
    chain.for_each_step(s, [&](double, const Outcome& outcome) {
      if (outcome.terminal || entered[outcome.next]) return;
      entered[outcome.next] = true;
      next.push_back(outcome.next);
    });
  }
  std::sort(next.begin(), next.end());
  return next;
}

}  // namespace

Reach reachable(const FiniteModel& model) {
  return explore(model, [&](StateId s, auto visit) {
    for (ActionId a = 0; a < model.action_count(); ++a) {
      for (const Outcome& outcome : model.outcomes(s, a)) visit(outcome);
    }
  });
}

Reach visited(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  return explore(model, [&](StateId s, auto visit) {
    chain.for_each_step(s, [&](double, const Outcome& outcome) { visit(outcome); });
  });
}

std::vector<StateId> truncated_states(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  std::vector<StateId> states;
  if (model.endless()) return states;
  for (const Start& start : model.starts()) states.push_back(start.state);
  std::sort(states.begin(), states.end());
  for (std::size_t depth = 0; depth < model.horizon(); ++depth) {
    std::vector<StateId> next = step(chain, states);
    if (next == states) break;  // a fixed point
    states.swap(next);
  }
  return states;
}

std::vector<bool> lost_states(const InducedChain& chain) {
  return lost_states(chain, visited(chain.model(), chain.policy()).states);
}

std::vector<bool> lost_states(const InducedChain& chain, const std::vector<StateId>& states) {
  const FiniteModel& model = chain.model();
  std::vector<std::vector<std::uint32_t>> next(model.state_count());
  std::vector<bool> ends(model.state_count(), false);
  for (const StateId s : states) {
    chain.for_each_step(s, [&](double, const Outcome& outcome) {
      if (outcome.terminal) {
        ends[s] = true;
      } else {
        next[s].push_back(outcome.next);
      }
    });
  }
  ends = can_reach(next, std::move(ends));
  std::vector<bool> lost(model.state_count(), false);
  for (const StateId s : states) lost[s] = !ends[s];
  return lost;
}

bool surely_finishes(const FiniteModel& model, std::span<const ActionId> actions) {
  if (model.endless()) {
    std::vector<double> rows(actions.size() * model.action_count(), 0);
    for (std::size_t obs = 0; obs < actions.size(); ++obs)
      rows[obs * model.action_count() + actions[obs]] = 1;
    const PolicyTable policy(model.action_count(), std::move(rows));
    const std::vector<bool> lost = lost_states({model, policy});
    return std::none_of(lost.begin(), lost.end(), [](bool one) { return one; });
  }
  // The states in which an episode may still be running after 0, 1, … steps; `entered` counts steps from 1.
  std::vector<StateId> going;
  std::vector<std::size_t> entered(model.state_count(), 0);
  const auto enter = [&](StateId s, std::size_t step) {
    if (entered[s] == step || model.is_end(s)) return;
    entered[s] = step;
    going.push_back(s);
  };
  for (const Start& start : model.starts()) enter(start.state, 1);
  for (std::size_t step = 1; step <= model.horizon() && !going.empty(); ++step) {
    std::vector<StateId> layer;
    layer.swap(going);
    for (const StateId s : layer) {
      for (const Outcome& outcome : model.outcomes(s, actions[model.observation(s)])) {
        if (!outcome.terminal) enter(outcome.next, step + 1);
      }
    }
  }
  return going.empty();
}

}  // namespace ndnf
