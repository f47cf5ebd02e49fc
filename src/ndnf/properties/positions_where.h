#pragma once

#include <vector>

#include "ndnf/properties/episode_chain.h"
#include "ndnf/properties/property.h"

namespace ndnf {

/// At which positions of the chain a formula is true.
std::vector<bool> positions_where(const StateFormula& formula, const EpisodeChain& chain);

}  // namespace ndnf
