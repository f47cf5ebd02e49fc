#pragma once

#include <cstddef>
#include <span>

namespace ndnf {

/// The first of the most probable actions.
std::size_t most_probable(std::span<const double> p);

// Distances between two distributions over the same actions.

/// The maximum |p − q| over all actions.
double largest_difference(std::span<const double> p, std::span<const double> q);

/// KL(p ‖ q); probabilities of q are clamped to at least `least`, so that the result is finite.
double kl_divergence(std::span<const double> p, std::span<const double> q, double least = 1e-300);

}  // namespace ndnf
