#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// A line of a chart.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y), y > 0.
  bool cut = false;  ///< The series continues beyond the last point, which is marked by a cross.
};

struct LineChart {
  std::string title;
  std::string x_title;
  std::string y_unit;  ///< Follows every label of the y axis, which is logarithmic.
  std::vector<Series> series;
  std::string cut_title = "goes on beyond this";  ///< What a cross means.
};

Svg draw(const LineChart& chart);

}  // namespace ndnf
