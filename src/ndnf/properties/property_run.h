#pragma once

#include <optional>

#include "ndnf/properties/trace.h"
#include "ndnf/properties/until.h"

namespace ndnf {

/// A run that satisfies the path formula, or one that does not; nothing if there is none. A run to the goal
/// is a shortest one. A run that misses it is the most probable one, up to its end or until it returns to a
/// position from which the goal cannot be reached.
std::optional<Trace> find_run(const EpisodeChain& chain, const Until& until, bool satisfies);

}  // namespace ndnf
