#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// Points of one kind.
struct Cloud {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y), x > 0.
};

/// Clouds that share their axes; x is logarithmic.
struct ScatterPanel {
  std::string title;
  std::vector<Cloud> clouds;
  std::optional<double> least_x{};  ///< > 0. Marked by a line: the smallest x of an optimal point.
  std::optional<double> best_y{};   ///< Marked by a line: an upper bound on y.
};

/// Panels side by side, three in a row. Clouds of the same name have the same colour in all panels; the
/// legend has each name once. Points of a cloud that coincide are one circle, the larger the more they are,
/// with their number in it.
Svg scatter_chart(const std::string& title, const std::string& x_title, const std::string& y_title,
                  const std::string& least_title, const std::vector<ScatterPanel>& panels);

}  // namespace ndnf
