#pragma once

#include <span>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The Markov chain that a policy induces on a model: what may happen in each state, and how likely it is. A
/// view without data of its own. Everything that follows a policy step by step reads it, in the form that
/// its work needs:
///  - VisitedChain (mdp): the moves into each visited state, for exact evaluation;
///  - MergedChain (mdp): one row per state, for DRN files and backward sweeps;
///  - EpisodeSampler (simulation): alias tables, for simulation;
///  - EpisodeChain (properties): positions that remember the action, without any rounding, for properties
///    (in doubles with error bounds, or in exact fractions) and PRISM files.
class InducedChain {
 public:
  /// REQUIRES: model and policy outlive this.
  InducedChain(const FiniteModel& model, const PolicyTable& policy) : model_(model), policy_(policy) {}

  const FiniteModel& model() const { return model_; }
  const PolicyTable& policy() const { return policy_; }

  /// Calls visit(action, probability) for every action that the policy may take in a state. There is none
  /// where the policy is undefined.
  template <class Visit>
  void for_each_action(StateId s, Visit visit) const {
    const ObsId obs = model_.observation(s);
    if (!policy_.defined(obs)) return;
    const std::span<const double> row = policy_.row(obs);
    for (ActionId a = 0; a < row.size(); ++a) {
      if (row[a] > 0) visit(a, row[a]);
    }
  }

  /// Calls visit(probability of the action, outcome) for every outcome of these actions.
  template <class Visit>
  void for_each_step(StateId s, Visit visit) const {
    for_each_action(s, [&](ActionId a, double taken) {
      for (const Outcome& outcome : model_.outcomes(s, a)) visit(taken, outcome);
    });
  }

  /// The same for episodes without end, in which the smallest defect of a row would add up: visit(probability
  /// of action and outcome, outcome), with every row rescaled to sum to 1.
  template <class Number, class Visit>
  void for_each_share(StateId s, Visit visit) const {
    Number actions{};
    for_each_action(s, [&](ActionId, double taken) { actions += Number(taken); });
    for_each_action(s, [&](ActionId a, double taken) {
      const std::span<const Outcome> outcomes = model_.outcomes(s, a);
      Number all{};
      for (const Outcome& outcome : outcomes) all += Number(outcome.probability);
      const Number share = Number(taken) / actions;
      for (const Outcome& outcome : outcomes) visit(share * (Number(outcome.probability) / all), outcome);
    });
  }

 private:
  const FiniteModel& model_;
  const PolicyTable& policy_;
};

}  // namespace ndnf
