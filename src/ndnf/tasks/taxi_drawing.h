#pragma once

#include <string>

#include "ndnf/base/svg.h"
#include "ndnf/tasks/taxi_map.h"

namespace ndnf {

/// The map, or for a large map the part around the taxi, and a sentence. `[ ]` is the taxi, `p` the
/// passenger, `*` the destination, `|` a wall, `:` no wall.
std::string draw_taxi_text(const TaxiMap& map, const TaxiState& state);

Svg draw_taxi_svg(const TaxiMap& map, const TaxiState& state);

}  // namespace ndnf
