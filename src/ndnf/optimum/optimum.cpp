#include "ndnf/optimum/optimum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/attained_bound.h"
#include "ndnf/optimum/backward_induction.h"
#include "ndnf/optimum/decision_process.h"
#include "ndnf/optimum/endless_optimum.h"
#include "ndnf/optimum/global_search.h"
#include "ndnf/optimum/local_search.h"

namespace ndnf {
namespace {

/// Of the global search: absolute, and relative if returns are smaller than 1.
constexpr double kGlobalTolerance = 1e-6;

/// One action per observation: the one that is optimal in most of the states that show it.
struct Majority {
  std::vector<ActionId> actions;
  bool unanimous = true;  ///< The action is optimal in all reachable states that show its observation.
};

/// For reachable observations only reachable states are counted. Observations without decision states get
/// the first action.
Majority take_vote(const FiniteModel& model, const std::vector<ActionSet>& optimal) {
  const std::size_t actions = model.action_count();
  std::vector<std::uint32_t> votes(model.observations().size() * actions, 0);
  std::vector<std::uint32_t> voters(model.observations().size(), 0);
  const auto vote = [&](StateId s) {
    const ObsId obs = model.observation(s);
    ++voters[obs];
    for (ActionId a = 0; a < actions; ++a) votes[obs * actions + a] += (optimal[s] >> a & 1) != 0 ? 1 : 0;
  };
  const Reach reach = reachable(model);
  for (const StateId s : reach.states) vote(s);
  std::vector<bool> reached(voters.size(), false);
  for (const ObsId obs : reach.observations) reached[obs] = true;
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!reached[model.observation(s)]) vote(s);
  }
  Majority majority;
  for (ObsId obs = 0; obs < voters.size(); ++obs) {
    const auto begin = votes.begin() + static_cast<std::ptrdiff_t>(obs * actions);
    const auto winner = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(actions));
    majority.actions.push_back(static_cast<ActionId>(winner - begin));
  }
  for (const ObsId obs : reach.observations) {
    if (votes[obs * actions + majority.actions[obs]] < voters[obs]) majority.unanimous = false;
  }
  return majority;
}

std::vector<double> deterministic_rows(const std::vector<ActionId>& actions, std::size_t action_count) {
  std::vector<double> rows(actions.size() * action_count, 0);
  for (std::size_t obs = 0; obs < actions.size(); ++obs) rows[obs * action_count + actions[obs]] = 1;
  return rows;
}

Optimum rated(const FiniteModel& model, const BackwardInduction& induction, OptimumProof proof, double bound,
              std::vector<double> rows) {
  PolicyTable policy(model.action_count(), std::move(rows));
  Evaluation evaluation = evaluate_exactly(model, policy);
  if (evaluation.endless) evaluation.mean_return = -std::numeric_limits<double>::infinity();
  // Summation in another order may exceed the bound by a rounding error.
  bound = std::max(bound, evaluation.mean_return);
  return {proof, bound, std::move(policy), std::move(evaluation), 4 * induction.rounding};
}

/// Whether the policy's return differs from the bound only by rounding, of induction and evaluation.
bool attains_bound(const Optimum& optimum) {
  return optimum.bound - optimum.evaluation.mean_return <= optimum.rounding;
}

/// For models whose bound no known policy attains. Unreachable observations keep their `rows`.
Optimum search(const FiniteModel& model, const BackwardInduction& induction, std::vector<double> rows) {
  const DecisionProcess process(model);
  const double tolerance = kGlobalTolerance * std::min(1.0, induction.scale);
  double bound = induction.value;
  OptimumProof proof = OptimumProof::kBestFound;
  if (can_search_globally(process)) {
    const GlobalOptimum found = search_globally(process, tolerance);
    if (found.bound - found.best.value <= tolerance) proof = OptimumProof::kGlobalSearch;
    bound = std::min(bound, found.bound);
    process.scatter(found.best.rows, rows);
  } else if (can_climb(process)) {
    process.scatter(search_locally(process, process.gather(rows)).rows, rows);
  }
  Optimum found = rated(model, induction, proof, bound, std::move(rows));
  if (!found.evaluation.endless) return found;
  throw NoOptimum("", "there is no best return: no policy was found that ends with probability 1",
                  "give the task a step limit or a discount");
}

/// In every observation, forbidden actions are made copies of the first allowed one, so that they cannot
/// increase the optimum.
FiniteModel restricted(const FiniteModel& model, const ActionMask& mask) {
  FiniteModelData data;
  data.observations = model.shared_observations();
  for (StateId s = 0; s < model.state_count(); ++s) {
    const ObsId obs = model.observation(s);
    data.observation.push_back(obs);
    for (ActionId a = 0; a < model.action_count(); ++a) {
      data.add_row(model.outcomes(s, mask.allows(obs, a) ? a : mask.nth_allowed(obs, 0)));
    }
  }
  data.starts.assign(model.starts().begin(), model.starts().end());
  data.step_limit = model.step_limit();
  data.discount = model.discount();
  data.tags = model.tags();
  data.labels = model.labels();
  return FiniteModel(std::move(data));
}

/// The policy that behaves in the original model as `policy` does in the restricted one.
PolicyTable without_forbidden(const PolicyTable& policy, const ActionMask& mask) {
  const std::size_t actions = policy.action_count();
  std::vector<double> rows(policy.size() * actions, 0);
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    for (ActionId a = 0; a < actions; ++a) {
      double& p = rows[obs * actions + (mask.allows(obs, a) ? a : mask.nth_allowed(obs, 0))];
      p = std::min(1.0, p + policy.row(obs)[a]);
    }
  }
  return {actions, std::move(rows)};
}

/// `best` − `mean_return`, or 0 if the difference may be due to rounding.
double without_rounding(double best, double mean_return, double rounding) {
  const double gap = best - mean_return;
  return std::abs(gap) <= rounding ? 0 : gap;
}

// From cheap to expensive. Backward induction gives an upper bound for all policies, and per state the
// optimal actions. 1. Let the states of each observation vote: if the majority policy attains the bound, it
// is optimal. 2. Search for any deterministic memoryless policy that attains the bound. 3. Otherwise the
// observations hide something that matters: search globally (few observations, two actions) or locally.
Optimum find_among_all_actions(const FiniteModel& model) {
  const BackwardInduction induction = induct_backward(model);
  const Majority majority = take_vote(model, induction.actions);
  std::vector<double> rows = deterministic_rows(majority.actions, model.action_count());
  const OptimumProof proof =
      majority.unanimous ? OptimumProof::kDynamicProgramming : OptimumProof::kAttainedBound;
  Optimum by_vote = rated(model, induction, proof, induction.value, rows);
  if (attains_bound(by_vote)) return by_vote;
  if (const auto actions = attain_bound(model, majority.actions)) {
    Optimum from_starts = rated(model, induction, OptimumProof::kAttainedBound, induction.value,
                                deterministic_rows(*actions, model.action_count()));
    if (attains_bound(from_starts)) return from_starts;
  }
  return search(model, induction, std::move(rows));
}

}  // namespace

std::string_view to_string(OptimumProof proof) {
  switch (proof) {
    case OptimumProof::kDynamicProgramming:
      return "dynamic-programming";
    case OptimumProof::kAttainedBound:
      return "attained-bound";
    case OptimumProof::kGlobalSearch:
      return "global-search";
    case OptimumProof::kBestFound:
      return "best-found";
  }
  return "";
}

bool is_optimum_cheap(const FiniteModel& model) {
  constexpr double kMostSteps = 3e8;  // one looks at one outcome
  const std::size_t steps = model.endless() ? 10 * model.state_count() : model.horizon();
  return static_cast<double>(model.outcome_count()) * static_cast<double>(steps) <= kMostSteps;
}

Optimum find_optimum(const FiniteModel& model) {
  Optimum optimum = find_among_all_actions(model);
  if (model.offered()) optimum.policy = without_forbidden(optimum.policy, *model.offered());
  return optimum;
}

std::optional<Optimum> find_optimum_if_any(const FiniteModel& model) {
  try {
    return find_optimum(model);
  } catch (const NoOptimum&) {
    return std::nullopt;
  }
}

PolicyTable with_ties(const FiniteModel& model, const Optimum& optimum) {
  const std::vector<ActionSet> quickest = quickest_optimal_actions(model);
  std::vector<ActionSet> shared(model.observations().size(), ~ActionSet{0});
  for (const StateId s : reachable(model).states) shared[model.observation(s)] &= quickest[s];
  std::vector<double> rows;
  for (ObsId obs = 0; obs < shared.size(); ++obs) {
    ActionSet tied = shared[obs] == ~ActionSet{0} ? 0 : shared[obs];  // 0: unreachable, or they disagree
    if (model.offered()) tied &= model.offered()->bits(obs);
    const double p = 1.0 / std::max(1, std::popcount(tied));
    for (ActionId a = 0; a < model.action_count(); ++a)
      rows.push_back(tied == 0 ? optimum.policy.row(obs)[a] : (tied >> a & 1) != 0 ? p : 0);
  }
  return {model.action_count(), std::move(rows)};
}

Optimum find_optimum(const FiniteModel& model, const ActionMask& mask) {
  Optimum optimum = find_among_all_actions(restricted(model, mask));
  optimum.policy = without_forbidden(optimum.policy, mask);
  return optimum;
}

BestReturn Optimum::best_return() const {
  const double found = evaluation.mean_return;
  const bool searched = proof == OptimumProof::kGlobalSearch || proof == OptimumProof::kBestFound;
  return {found, searched ? bound : found, proof, rounding};  // an attained bound differs only by rounding
}

double BestReturn::gap(double mean_return) const { return without_rounding(found, mean_return, rounding); }

double BestReturn::gap_bound(double mean_return) const {
  return without_rounding(bound, mean_return, rounding);
}

}  // namespace ndnf
