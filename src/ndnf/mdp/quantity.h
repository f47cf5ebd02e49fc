#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ndnf {

/// The grid on which rules see a real number x: as the integer K = ceil(x / quantum), computed by one
/// division in double and saturating at both ends. Within the range `x > k * quantum` holds exactly where `K
/// > k` does, so integers say all that a rule, a network, clingo, ProbLog or a C program needs to know of x.
struct Grid {
  double quantum = 0;
  std::int32_t lowest = 0;   ///< K of everything at or below lowest * quantum.
  std::int32_t highest = 0;  ///< K of everything above (highest - 1) * quantum.

  /// The grid from `low` to `high`. Throws Error if the quantum is not a positive number, the range is empty
  /// or not finite, or an end does not fit into 30 bits.
  static Grid covering(double low, double high, double quantum);

  /// REQUIRES: x is not NaN.
  std::int32_t place(float x) const;
  /// The largest absolute value of a place.
  std::int64_t farthest() const;

  bool operator==(const Grid&) const = default;
};

/// A real number in an observation, such as a speed.
struct Quantity {
  std::string name;
  std::string unit{};  ///< "m/s"; empty for a number without a unit.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::optional<Grid> grid{};  ///< Empty if rules cannot be about this number (yet).
};

/// A quantity with a finite range, and its grid.
Quantity quantity(std::string name, std::string unit, double low, double high, double quantum);

}  // namespace ndnf
