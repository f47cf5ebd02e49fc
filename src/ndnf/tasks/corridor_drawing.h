#pragma once

#include <string>
#include <vector>

#include "ndnf/base/svg.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A row of locations, numbered from the left; a location is also the number of its state.
struct Corridor {
  StateId length;
  StateId start;
  StateId goal;
  std::vector<bool> special;  ///< Per location: are left and right swapped?
  bool ring;                  ///< The two ends are joined; otherwise there is a wall at each.
};

/// The corridor with the agent in it; for a very long one, the part around the agent.
std::string corridor_text(const Corridor& corridor, StateId agent);
Svg corridor_svg(const Corridor& corridor, StateId agent);

}  // namespace ndnf
