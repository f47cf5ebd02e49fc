#pragma once

#include "ndnf/export/c_file.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// A network in C, layer by layer, in double. REQUIRES: its weights are those of a checkpoint (floats), and
/// `file` is for atoms or images as the network is.
CBody network_in_c(const ActorCritic<double>& network, const CFile& file);

}  // namespace ndnf
