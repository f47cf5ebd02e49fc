#pragma once

#include "ndnf/mdp/policy.h"
#include "ndnf/train/optimiser.h"

namespace ndnf {

/// What a training must not do: change these weights, take an action that the mask forbids. The mask covers
/// all observations and outlives the trainer; nullptr forbids nothing.
struct Constraints {
  LockedWeights locked{};
  const ActionMask* mask = nullptr;
};

}  // namespace ndnf
