#pragma once

#include <span>

namespace ndnf {

// How far two distributions over the same actions are apart.

/// The largest |p − q| of any action.
double largest_difference(std::span<const double> p, std::span<const double> q);

/// KL(p ‖ q); a probability of q counts as at least `least`, so that the result is finite.
double kl_divergence(std::span<const double> p, std::span<const double> q, double least = 1e-300);

}  // namespace ndnf
