#pragma once

#include "ndnf/mdp/policy.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {

/// Constraints on a training run: weights that must not change, and a mask of the allowed actions. The mask
/// covers all observations and outlives the trainer; nullptr forbids nothing.
struct Constraints {
  LockedWeights locked{};
  const ActionMask* mask = nullptr;
};

}  // namespace ndnf
