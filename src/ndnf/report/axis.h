#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ndnf {

/// Round numbers along an axis.
struct Axis {
  double low = 0;   ///< Where it begins: at a tick or below the first.
  double high = 1;  ///< Where it ends.
  double step = 1;  ///< Between ticks.

  std::vector<double> ticks() const;
  /// A tick as text, with as many digits as tell neighbours apart: "−8.95", "20k", "1.5M".
  std::string text(double tick) const;
  /// Where a value lies, from 0 at `low` to 1 at `high`; values outside are moved to the ends.
  double share(double value) const;
};

/// An axis for values from `low` to `high`, with about `count` ticks and both ends at ticks. Where all values
/// are the same it reaches to both sides of them. Infinite and NaN ends count as 0.
Axis axis_over(double low, double high, std::size_t count = 4);

/// How many decimals tell numbers of this size apart, at most three digits in all; none for whole numbers.
int shared_decimals(const std::vector<double>& numbers);
/// With so many decimals, and a real minus sign.
std::string figure_text(double number, int decimals);

/// A number for people, with three digits and a real minus sign: "−8.95".
std::string figure_text(double number);

}  // namespace ndnf
