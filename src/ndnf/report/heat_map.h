#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// Numbers with signs in rows and columns: the weights of a layer.
struct HeatMap {
  std::string title;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;  ///< (rows, columns)

  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
};

/// The rows and columns with the largest numbers, in their order, at most this many of each.
HeatMap shortened(const HeatMap& map, std::size_t most_rows, std::size_t most_columns);

/// Blue above 0, orange below, the darker the larger; white is 0. The legend has the scale.
Svg draw(const HeatMap& map);

}  // namespace ndnf
