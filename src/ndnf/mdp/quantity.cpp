#include "ndnf/mdp/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

/// Sums of products of places and coefficients must fit into clingo's 32 bits, so a place has fewer.
constexpr double kFarthest = 1 << 29;

std::int32_t place_of_end(double end, double quantum) {
  const double place = std::ceil(end / quantum);
  if (!(std::abs(place) <= kFarthest))
    throw Error("", fmt::format("{:g} is not on a grid of {:g}", end, quantum),
                "the ends of a range are finite, and at most 2^29 quanta away from 0");
  return static_cast<std::int32_t>(place);
}

}  // namespace

Grid Grid::covering(double low, double high, double quantum) {
  if (!(quantum > 0) || !std::isfinite(quantum))
    throw Error("", fmt::format("the quantum is {:g}", quantum), "it is a positive number, such as 0.001");
  const Grid grid{quantum, place_of_end(low, quantum), place_of_end(high, quantum)};
  if (grid.lowest >= grid.highest)
    throw Error(
        "", fmt::format("the range from {:g} to {:g} is less than one quantum of {:g}", low, high, quantum));
  return grid;
}

std::int32_t Grid::place(float x) const {
  const double place = std::ceil(static_cast<double>(x) / quantum);
  return static_cast<std::int32_t>(
      std::clamp(place, static_cast<double>(lowest), static_cast<double>(highest)));
}

std::int64_t Grid::farthest() const {
  return std::max(std::abs(std::int64_t{lowest}), std::abs(std::int64_t{highest}));
}

Quantity quantity(std::string name, std::string unit, double low, double high, double quantum) {
  return {std::move(name), std::move(unit), low, high, Grid::covering(low, high, quantum)};
}

}  // namespace ndnf
