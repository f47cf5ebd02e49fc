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

/// The policy to extract, over named atoms, and the observations where it matters.
struct Subject {
  ActorView view;
  PolicyTable network;                   ///< The policy itself, a row per observation of the environment.
  PolicyTable policy;                    ///< The policy to extract, on truth values: a row per row of `view`.
  std::optional<NeuralDnf<double>> dnf;  ///< Its neural DNF, if it is one.
  double falsehood = -1;                 ///< The DNF's input encoding of false.
  std::vector<ObsId> reachable;          ///< Of the environment.
  std::size_t changed_actions = 0;       ///< Reachable observations whose best action discretisation changed.

  Scope scope() const { return Scope(view.table, seen(view, reachable)); }
};

/// Any learned policy for this model: a neural DNF, or a network or table of which only the rows matter. With
/// a mask it is the policy restricted to the allowed actions. If the encoder does not distinguish
/// observations that the mask treats differently, only the rows matter, too. Throws Error if the policy is
/// undefined in a reachable observation.
Subject make_subject(const Checkpoint& checkpoint, const FiniteModel& model,
                     const ActionMask* mask = nullptr);

/// A policy of any other kind: its rows. Throws Error if it is undefined in a reachable observation.
Subject make_subject(PolicyTable rows, const FiniteModel& model, const std::string& name = "policy");

/// The same policy over the environment's atoms, as rows without its network.
Subject on_atoms(const Subject& subject, const FiniteModel& model);

/// A policy over the view's rows as a policy over the environment's observations.
PolicyTable on_environment(const ActorView& view, const PolicyTable& policy);

}  // namespace ndnf
