#pragma once

#include <memory>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/layers.h"
#include "ndnf/train/planning.h"

namespace ndnf {

/// A neural DNF that takes one of the best actions in every observation for which a plan has some: few rules
/// that do so (boxes/exact_rules.h), compiled. Without `ties` it is the first of the best actions: where
/// states look the same, actions that seem equally good need not be. Throws Error if observations with the
/// same atoms have no best action in common.
NeuralDnf<double> planned_network(const BestActions& best,
                                  const std::shared_ptr<const ObservationTable>& table, bool ties);

/// The first of the best actions in every observation, or the first allowed one where none is known.
PolicyTable planned_policy(const BestActions& best, const ObservationTable& table, const ActionMask* mask);

}  // namespace ndnf
