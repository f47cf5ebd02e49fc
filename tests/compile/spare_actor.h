#pragma once

#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf::testing {

/// Conjunctions with weights too small to matter.
inline NeuralDnf<double> spare(std::size_t inputs, std::size_t actions, std::size_t count = 3) {
  NeuralDnf<double> dnf;
  dnf.conjunctions = Matrix<double>(inputs, count, 1e-3);
  dnf.disjunctions = Matrix<double>(count, actions, 1e-3);
  return dnf;
}

/// The output of an actor over atoms in every observation of the table.
inline PolicyTable policy_of(const NeuralDnf<double>& actor, const ObservationTable& table) {
  ActorCritic<double> network;
  network.actor = actor;
  return tabulate(ActorPolicy(network, table.vocabulary().action_count()), table);
}

}  // namespace ndnf::testing
