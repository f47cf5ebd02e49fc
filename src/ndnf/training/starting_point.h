#pragma once

#include "ndnf/env/task.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/training/train_config.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {

/// The initial network of a training run and the weights that stay fixed.
struct StartingPoint {
  ActorCritic<float> network;
  LockedWeights locked;
};

/// The network of the settings with random weights from the run's seed.
ActorCritic<double> random_network(const TrainConfig& config, const ObservationTable& table);

/// The random network, or the rules or network that [init] names (docs/hot-start.md). Throws
/// Error if those do not fit the environment or the settings.
StartingPoint starting_point(const TrainConfig& config, const Task& task, const ObservationTable& table);

/// A network into which the saved state of such a run can be restored. The file that [init] names may have
/// been changed or removed since, so shapes are taken from the state, which also holds the weights and the
/// locks.
StartingPoint resumed_starting_point(const TrainConfig& config, const ObservationTable& table,
                                     const TensorFile& state);

}  // namespace ndnf
