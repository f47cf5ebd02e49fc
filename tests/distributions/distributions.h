#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "boxes/scopes.h"
#include "model/trained.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/tasks/registry.h"

// Distributions to extract from, and the outputs of a network on them.

namespace ndnf::testing {

struct Distributions {
  Scope scope;
  Matrix<double> p;  // (observations of the scope, actions)
};

/// The network's distributions on the observations of the scope.
inline Matrix<double> distributions_of(ActorCritic<double> network, const Scope& scope) {
  Matrix<double> p(scope.size(), scope.vocabulary().action_count());
  ActorPolicy(std::move(network), p.cols()).probabilities(scope.table(), scope.observations(), p.values());
  return p;
}

inline Matrix<double> distributions_of(NeuralDnf<double> dnf, const Scope& scope) {
  ActorCritic<double> network;
  network.actor = std::move(dnf);
  return distributions_of(std::move(network), scope);
}

inline Scope reachable_scope(const Task& environment) {
  return {environment.model().shared_observations(), reachable(environment.model()).observations};
}

/// A network of golden/trained on the reachable observations.
inline Distributions trained(const std::string& file, const std::string& env) {
  Scope scope = reachable_scope(make_task(env));
  Matrix<double> p = distributions_of(read_trained(file), scope);
  return {std::move(scope), std::move(p)};
}

/// Random distributions, sometimes the same in several observations, sometimes with zeros.
inline Matrix<double> random_distributions(const Scope& scope) {
  Matrix<double> p(scope.size(), scope.vocabulary().action_count());
  for (std::size_t i = 0; i < p.rows(); ++i) {
    if (i > 0 && any_below(4) == 0) {
      std::copy_n(p.row(any_below(i)), p.cols(), p.row(i));
      continue;
    }
    double sum = 0;
    for (std::size_t a = 0; a < p.cols(); ++a) sum += p(i, a) = static_cast<double>(any_below(100));
    if (sum == 0) sum = p(i, any_below(p.cols())) = 1;
    for (std::size_t a = 0; a < p.cols(); ++a) p(i, a) /= sum;
  }
  return p;
}

}  // namespace ndnf::testing
