#pragma once

#include "ndnf/env/environment.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/pipeline/train_config.h"
#include "ndnf/train/optimiser.h"

namespace ndnf {

/// Where a training begins.
struct StartingPoint {
  ActorCritic<float> network;
  LockedWeights locked;
};

/// Random weights of the run's seed, or the rules or network that [init] names (docs/hot-start.md). Throws
/// Error for what does not fit the environment or the settings.
StartingPoint starting_point(const TrainConfig& config, const FiniteModel& model);

/// A network into which the saved state of such a training can be restored. What [init] names may be gone or
/// changed by then: shapes are those of the state, which holds the weights and the locks, too.
StartingPoint resumed_starting_point(const TrainConfig& config, const FiniteModel& model,
                                     const TensorFile& state);

}  // namespace ndnf
