#pragma once

#include <optional>

#include "ndnf/properties/trace.h"
#include "ndnf/properties/until.h"

namespace ndnf {

/// A run that satisfies the path formula, or one that does not; nothing if there is none. One that comes to
/// the goal is a shortest; one that does not is the most probable, up to its end or where it comes back to a
/// position from which the goal cannot be reached.
std::optional<Trace> find_run(const EpisodeChain& chain, const Until& until, bool satisfies);

}  // namespace ndnf
