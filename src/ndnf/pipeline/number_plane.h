#pragma once

#include "ndnf/mdp/policy.h"
#include "ndnf/report/place_map.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {

/// Whether a task shows two numbers and nothing else, so that a policy is a picture of their plane.
bool has_plane(const Vocabulary& vocabulary);

/// What a policy does in the plane of the two numbers that a task shows, in equally spaced points of their
/// ranges; pale where none of the sampled observations is near. REQUIRES: has_plane().
PlaceMap plane_of(const Policy& policy, const Selection& selection, const ObservationSample& sample);

}  // namespace ndnf
