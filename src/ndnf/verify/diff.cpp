#include "ndnf/verify/diff.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/endless_equations.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/induced_chain.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/visited_chain.h"

namespace ndnf {
namespace {

double action_value(const FiniteModel& model, StateId s, ActionId a, const std::vector<double>& later) {
  double value = 0;
  for (const Outcome& outcome : model.outcomes(s, a)) {
    const double after = outcome.terminal ? 0 : model.discount() * later[outcome.next];
    value += outcome.probability * (outcome.reward + after);
  }
  return value;
}

double row_value(const FiniteModel& model, StateId s, std::span<const double> row,
                 const std::vector<double>& later) {
  double value = 0;
  for (ActionId a = 0; a < row.size(); ++a) {
    if (row[a] > 0) value += row[a] * action_value(model, s, a, later);
  }
  return value;
}

/// A's row or, where A is undefined, B's. A visits no such observation, so this is still A; where only B gets
/// to, the comparison continues with B's actions.
std::span<const double> base_row(const PolicyTable& a, const PolicyTable& b, ObsId obs) {
  return a.defined(obs) ? a.row(obs) : b.row(obs);
}

/// The occupied states of one step, ascending, with their probabilities.
using Occupied = std::vector<std::pair<StateId, double>>;

/// The probability, per step, that an episode of the policy is still running in each state, discounted.
std::vector<Occupied> occupancies(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  std::vector<Occupied> steps;
  std::vector<double> mass(model.state_count(), 0.0);
  for (const Start& start : model.starts()) mass[start.state] += start.probability;
  while (steps.size() < model.horizon()) {
    Occupied now;
    for (StateId s = 0; s < model.state_count(); ++s) {
      if (mass[s] > 0) now.emplace_back(s, std::exchange(mass[s], 0));
    }
    if (now.empty()) break;
    for (const auto& [s, probability] : now) {
      chain.for_each_step(s, [&, here = probability](double taken, const Outcome& outcome) {
        if (!outcome.terminal) mass[outcome.next] += here * taken * outcome.probability * model.discount();
      });
    }
    steps.push_back(std::move(now));
  }
  return steps;
}

/// A policy's rows joined with those of another where it is undefined.
PolicyTable base_of(const PolicyTable& a, const PolicyTable& b) {
  std::vector<double> rows;
  for (ObsId obs = 0; obs < a.size(); ++obs) {
    const std::span<const double> row = base_row(a, b, obs);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return {a.action_count(), std::move(rows)};
}

/// The states that a policy comes to from these.
std::vector<StateId> closure(const InducedChain& chain, std::vector<StateId> states) {
  std::vector<bool> seen(chain.model().state_count(), false);
  for (const StateId s : states) seen[s] = true;
  for (std::size_t i = 0; i < states.size(); ++i) {
    chain.for_each_step(states[i], [&](double, const Outcome& outcome) {
      if (outcome.terminal || seen[outcome.next]) return;
      seen[outcome.next] = true;
      states.push_back(outcome.next);
    });
  }
  return states;
}

/// The same identity without steps: expected (discounted) visits of B, times B's advantage under A's values.
std::vector<double> endless_contributions(const FiniteModel& model, const PolicyTable& a,
                                          const PolicyTable& b) {
  const VisitedChain visited({model, b}, model.discount());
  const PolicyTable base = base_of(a, b);
  const InducedChain chain(model, base);
  const std::vector<StateId> states = closure(chain, visited.states());
  const EndlessEquations<double> equations(chain, states, model.discount());
  if (equations.may_stay()) return {};
  const std::vector<double> found = equations.values();
  std::vector<double> values(model.state_count(), 0.0);
  for (std::size_t i = 0; i < states.size(); ++i) values[states[i]] = found[i];
  const std::vector<double> visits = visited.expected_visits();
  std::vector<double> gain(model.observations().size(), 0.0);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const StateId s = visited.states()[i];
    const ObsId obs = model.observation(s);
    gain[obs] +=
        visits[i] * (row_value(model, s, b.row(obs), values) - row_value(model, s, base.row(obs), values));
  }
  return gain;
}

/// The performance-difference identity (Kakade and Langford) with a step limit: the sum over steps t and
/// states s of P(B is in s at t) · Σ_a (π_B(a) − π_A(a)) · Q_A(s, a, steps left), grouped by observation. One
/// forward pass for B and one backward pass for A: O(steps · outcomes). Telescoping over t makes the sum
/// return_b − return_a.
std::vector<double> contributions(const FiniteModel& model, const PolicyTable& a, const PolicyTable& b) {
  if (model.endless()) return endless_contributions(model, a, b);
  const std::vector<Occupied> where_b_is = occupancies(model, b);
  std::vector<double> gain(model.observations().size(), 0.0);
  std::vector<double> later(model.state_count(), 0.0);  // expected return of A from a state after the step
  std::vector<double> now(model.state_count(), 0.0);
  for (std::size_t step = model.horizon(); step-- > 0; now.swap(later)) {
    for (StateId s = 0; s < model.state_count(); ++s) {
      now[s] = row_value(model, s, base_row(a, b, model.observation(s)), later);
    }
    if (step >= where_b_is.size()) continue;
    for (const auto& [s, probability] : where_b_is[step]) {
      const ObsId obs = model.observation(s);
      gain[obs] += probability * (row_value(model, s, b.row(obs), later) - now[s]);
    }
  }
  return gain;
}

bool among(const Reach& reach, ObsId obs) {
  return std::binary_search(reach.observations.begin(), reach.observations.end(), obs);
}

}  // namespace

PolicyDiff diff_policies(const FiniteModel& model, const PolicyTable& a, const PolicyTable& b) {
  const Evaluation earns_a = evaluate_exactly(model, a);
  const Evaluation earns_b = evaluate_exactly(model, b);
  PolicyDiff diff;
  if (earns_a.has_return()) diff.return_a = earns_a.mean_return;
  if (earns_b.has_return()) diff.return_b = earns_b.mean_return;
  diff.endless_a = earns_a.endless.has_value();
  diff.endless_b = earns_b.endless.has_value();
  std::vector<double> gain;
  if (diff.return_a && diff.return_b) gain = contributions(model, a, b);
  const Reach by_any = reachable(model);
  const Reach by_a = visited(model, a);
  const Reach by_b = visited(model, b);
  for (const ObsId obs : model.decision_observations()) {
    ++diff.observations;
    const double max_dp = largest_difference(a.row(obs), b.row(obs));
    if (max_dp <= kSameProbability) {
      diff.within_rounding += max_dp > 0 ? 1 : 0;
      continue;
    }
    ChangedObservation changed{
        obs, max_dp, among(by_any, obs), among(by_a, obs), among(by_b, obs), earns_b.visits[obs], {}};
    if (!gain.empty()) changed.contribution = gain[obs];
    diff.changed.push_back(changed);
  }
  std::stable_sort(diff.changed.begin(), diff.changed.end(), [](const auto& x, const auto& y) {
    const auto weight = [](const ChangedObservation& c) {
      return std::pair(std::abs(c.contribution.value_or(0)), c.visits_b);
    };
    return weight(x) > weight(y);
  });
  return diff;
}

}  // namespace ndnf
