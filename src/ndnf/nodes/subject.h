#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/nodes/actor_view.h"

namespace ndnf {

/// What is to be turned into rules: a policy over named atoms, and where it matters.
struct Subject {
  ActorView view;
  PolicyTable network;  ///< The policy itself, a row per observation of the environment.
  PolicyTable policy;   ///< What is extracted, the actor on truth values: a row per row of `view`.
  std::optional<NeuralDnf<double>> dnf;  ///< Its neural DNF, if it is one.
  double falsehood = -1;                 ///< The DNF's input coding.
  std::vector<ObsId> reachable;          ///< Of the environment.
  std::size_t changed_actions = 0;       ///< Reachable observations whose best action discretisation changed.

  Scope scope() const { return Scope(view.table, seen(view, reachable)); }
};

/// Any learned policy for this model: a neural DNF, or a network or table of which only the rows matter. With
/// a mask it is the policy among the allowed actions; where an encoder cannot tell apart what the mask does,
/// only the rows matter, too. Throws Error if it is undefined in a reachable observation.
Subject make_subject(const Checkpoint& checkpoint, const FiniteModel& model,
                     const ActionMask* mask = nullptr);

/// The same policy over the environment's atoms: of its network only the rows matter.
Subject on_atoms(const Subject& subject, const FiniteModel& model);

/// A policy over the view's rows as a policy over the environment's observations.
PolicyTable on_environment(const ActorView& view, const PolicyTable& policy);

}  // namespace ndnf
