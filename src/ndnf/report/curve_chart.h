#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// The runs of a curve at one x.
struct CurvePoint {
  double x = 0;
  double mean = 0;
  double low = 0;   ///< The worst run,
  double high = 0;  ///< and the best.
};

/// How runs with the same settings went on.
struct Curve {
  std::string name;
  std::size_t runs = 1;
  std::vector<CurvePoint> points;  ///< In increasing order of x.
};

struct CurveChart {
  std::string title;
  std::string x_title;
  std::string y_title;
  std::vector<Curve> curves;
  std::optional<double> reference{};  ///< A value to compare with, drawn as a line.
  std::string reference_name{};
};

/// The mean of each curve, with a band from the worst to the best run where there are several.
Svg draw(const CurveChart& chart);
/// The same for a terminal, followed by a table of the last points.
std::string to_text(const CurveChart& chart, std::size_t width = 80);

}  // namespace ndnf
