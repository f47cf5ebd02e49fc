#pragma once

#include <span>

#include "ndnf/base/svg.h"

// Pictures of the classic control tasks, made from what the agent observes. They show what Gymnasium's
// rendering shows.

namespace ndnf {

/// From position, velocity, angle, spin.
Svg draw_cart_pole(std::span<const float> numbers);
/// From position and velocity; the flag stands at `goal`.
Svg draw_mountain_car(std::span<const float> numbers, double goal);
/// From the cosine and sine of the two angles; speeds are not shown.
Svg draw_acrobot(std::span<const float> numbers);
/// From the cosine and sine of the angle; the speed is not shown.
Svg draw_pendulum(std::span<const float> numbers);

}  // namespace ndnf
