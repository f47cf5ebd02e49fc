#pragma once

#include <vector>

#include "ndnf/properties/episode_chain.h"
#include "ndnf/properties/property.h"

namespace ndnf {

/// The positions of the chain at which a formula is true.
std::vector<bool> positions_where(const StateFormula& formula, const EpisodeChain& chain);

}  // namespace ndnf
