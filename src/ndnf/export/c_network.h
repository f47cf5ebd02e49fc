#pragma once

#include "ndnf/export/c_file.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// A network in C, layer by layer, in double precision. REQUIRES: its weights come from a checkpoint
/// (floats), and `file` has the same kind of observation, atoms or numbers, as the network.
CBody network_in_c(const ActorCritic<double>& network, const CFile& file);

}  // namespace ndnf
